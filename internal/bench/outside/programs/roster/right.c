#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct student
{
    const char *name;
    int grade;
    struct student *next;
};

/* best grade first, names in order among equals; a student entered twice
   keeps the better grade */
static struct student *enter(struct student *list, const char *name, int grade)
{
    struct student **p, *s;

    for (p = &list; *p; p = &(*p)->next)
        if (strcmp((*p)->name, name) == 0)
        {
            s = *p;
            if (s->grade <= grade)
                return list;
            *p = s->next;
            free(s);
            break;
        }
    for (p = &list; *p; p = &(*p)->next)
    {
        if ((*p)->grade > grade)
            break;
        if ((*p)->grade == grade && strcmp((*p)->name, name) > 0)
            break;
    }
    s = malloc(sizeof *s);
    s->name = name;
    s->grade = grade;
    s->next = *p;
    *p = s;
    return list;
}

static double average(const struct student *list)
{
    int sum = 0, n = 0;
    for (; list; list = list->next)
    {
        sum += list->grade;
        n++;
    }
    return n ? (double) sum / n : 0;
}

int main(int argc, char **argv)
{
    struct student *list = NULL, *s;
    int i;

    for (i = 1; i + 1 < argc; i += 2)
        list = enter(list, argv[i], atoi(argv[i + 1]));
    for (s = list; s; s = s->next)
        printf("%d %s\n", s->grade, s->name);
    printf("average %.2f\n", average(list));
    while (list)
    {
        s = list->next;
        free(list);
        list = s;
    }
    return 0;
}
