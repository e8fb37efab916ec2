/* a table of marks: one line per student, then averages */
#include <stdio.h>

#define MAX_STUDENTS 10
#define MAX_TESTS 6

static int marks[MAX_STUDENTS][MAX_TESTS];
static int students, tests;

static double student_average(int s)
{
    int sum = 0;
    for (int t = 0; t < tests; t++)
        sum += marks[s][t];
    return (double) sum / tests;
}

static double test_average(int t)
{
    int sum = 0;
    for (int s = 0; s < students; s++)
        sum += marks[s][t];
    return sum * 1.0 / students;
}

/* the student with the best average, the first of several */
static int best_student(void)
{
    int best = 0;
    for (int s = 1; s < students; s++)
        if (student_average(s) > student_average(best))
            best = s;
    return best;
}

static char letter(double average)
{
    if (average >= 90) return 'A';
    if (average >= 75) return 'B';
    if (average >= 60) return 'C';
    return 'F';
}

static int read_table(void)
{
    if (scanf("%d %d", &students, &tests) != 2)
        return 0;
    if (students < 1 || students > MAX_STUDENTS || tests < 1 || tests > MAX_TESTS)
        return 0;
    for (int s = 0; s < students; s++)
        for (int t = 0; t < tests; t++)
            if (scanf("%d", &marks[s][t]) != 1)
                return 0;
    return 1;
}

int main(void)
{
    if (!read_table()) {
        printf("no table\n");
        return 1;
    }
    for (int s = 0; s < students; s++)
        printf("student %d: %.1f %c\n", s + 1, student_average(s), letter(student_average(s)));
    for (int t = 0; t < tests; t++)
        printf("test %d: %.1f\n", t + 1, test_average(t));
    printf("best: student %d\n", best_student() + 1);
    return 0;
}
