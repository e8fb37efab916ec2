/* Read N, then N lines "name age grade" (grade is a real number). Print the name of the student with the best grade (the first one) and the mean age with one decimal. */
#include <stdio.h>
#include <string.h>

struct s { char name[32]; int age; double grade; };

int main(void)
{
    struct s best = { "", 0, -1 }, x;
    int n, ages = 0;

    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%31s%d%lf", x.name, &x.age, &x.grade);
        ages += x.age;
        if (x.grade > best.grade)
            best = x;
    }
    printf("Best: %s\nMean age: %.1f\n", best.name, (double)ages / n);
    return 0;
}
