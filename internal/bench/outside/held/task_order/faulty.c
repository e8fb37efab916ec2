#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Orders tasks. Input lines: "NAME DAYS: NEEDED NEEDED ...". Every task comes after those
   it needs; of several that could be next the one that was named first is taken.  Each is
   printed with the day on which it can be finished; tasks in a circle are listed. */

#define MAX 40

typedef struct need {
    int task;
    struct need *next;
} Need;

typedef struct {
    char name[16];
    int days;
    int open;           /* needed tasks that are not done yet */
    int start;
    int done;
    Need *later;        /* tasks that need this one */
} Task;

Task task[MAX];
int tasks;

int lookup(const char *name)
{
    int i;
    for (i = 0; i < tasks; i++)
        if (strcmp(task[i].name, name) == 0)
            return i;
    memset(&task[tasks], 0, sizeof(Task));
    strcpy(task[tasks].name, name);
    return tasks++;
}

void add_need(int t, int needed)
{
    Need *n = malloc(sizeof(Need));
    n->task = t;
    n->next = task[needed].later;
    task[needed].later = n;
    task[t].open++;
}

void read_line(char *line)
{
    char *word = strtok(line, " \n:");
    char *days = strtok(NULL, " \n:");
    int t;

    if (word == NULL || days == NULL)
        return;
    t = lookup(word);
    task[t].days = atoi(days);
    while ((word = strtok(NULL, " \n")) != NULL)
        add_need(t, lookup(word));
}

int run_all(void)
{
    int i, count = 0, end = 0;
    Need *n;

    for (;;) {
        for (i = 0; i < tasks; i++)
            if (!task[i].done && task[i].open == 0)
                break;
        if (i == tasks)
            break;
        int finish = task[i].start + task[i].days;
        printf("%s day %d\n", task[i].name, finish);
        task[i].done = 1;
        count++;
        int end = 0;
        if (finish > end)
            end = finish;
        for (n = task[i].later; n != NULL; n = n->next) {
            Task *t = &task[n->task];
            t->open--;
            if (finish > t->start)
                t->start = finish;
        }
    }
    printf("%d of %d tasks, %d days\n", count, tasks, end);
    return count;
}

int main(void)
{
    char line[200];
    int i;

    while (fgets(line, sizeof line, stdin))
        read_line(line);
    if (run_all() < tasks) {
        printf("in a circle:");
        for (i = 0; i < tasks; i++)
            if (!task[i].done)
                printf(" %s", task[i].name);
        printf("\n");
    }
    for (i = 0; i < tasks; i++)
        while (task[i].later != NULL) {
            Need *n = task[i].later;
            task[i].later = n->next;
            free(n);
        }
    return 0;
}
