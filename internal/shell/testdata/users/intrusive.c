// count_high 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
struct link { struct link *next; };
struct task { int prio; struct link run; int done; };
#define TASK(l) ((struct task *)((char *)(l) - offsetof(struct task, run)))
static int count_high(struct link *p)
{
    int n = 0;
    while (p->next != NULL) { //! while (p != NULL) {
        if (TASK(p)->prio > 2)
            n++;
        p = p->next;
    }
    return n;
}
static void run(const int *a, int n)
{
    struct link *l = NULL;
    for (int i = 0; i < n; i++) {
        struct task *t = calloc(1, sizeof *t);
        t->prio = a[i];
        t->run.next = l;
        l = &t->run;
    }
    int high = count_high(l);
    printf("%d\n", high);
}

int main(void)
{
#ifdef HELD
    static const int a[] = {7, 1, 5, 2, 9};
#else
    static const int a[] = {5, 1, 3};
#endif
    run(a, sizeof a / sizeof *a);
    return 0;
}
