#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* accounts in a list sorted by name; amounts are in cents */

struct account {
    char name[20];
    int cents;
    int bookings;
    struct account *next;
};

struct account *accounts = NULL;

struct account *find(const char *name)
{
    struct account *a;
    for (a = accounts; a != NULL; a = a->next)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

void open_account(const char *name, int cents)
{
    struct account *a, **p;
    if (find(name) != NULL) {
        printf("%s exists\n", name);
        return;
    }
    a = malloc(sizeof(struct account));
    strcpy(a->name, name);
    a->cents = cents;
    a->bookings = 0;
    for (p = &accounts; *p != NULL && strcmp((*p)->name, name) < 0; p = &(*p)->next)
        ;
    a->next = *p;
    *p = a;
}

void close_account(const char *name)
{
    struct account **p = &accounts;
    while (*p != NULL && strcmp((*p)->name, name) != 0)
        p = &(*p)->next;
    if (*p == NULL) {
        printf("%s: no account\n", name);
        return;
    }
    if ((*p)->cents != 0) {
        printf("%s is not empty\n", name);
        return;
    }
    struct account *gone = *p;
    *p = gone->next;
    free(gone);
}

void transfer(const char *from, const char *to, int cents)
{
    struct account *a = find(from), *b = find(to);
    if (a == NULL || b == NULL) {
        printf("%s: no account\n", a == NULL ? from : to);
        return;
    }
    if (a->cents < cents) {
        printf("%s cannot pay\n", from);
        return;
    }
    a->cents -= cents;
    b->cents += cents;
    a->bookings++;
    b->bookings++;
}

int main(void)
{
    char cmd[10], name[20], other[20];
    double amount;
    long total = 0;
    struct account *a;

    while (scanf("%9s", cmd) == 1) {
        if (strcmp(cmd, "open") == 0 && scanf("%19s %lf", name, &amount) == 2)
            open_account(name, (int)(amount * 100 + 0.5));
        else if (strcmp(cmd, "close") == 0 && scanf("%19s", name) == 1)
            close_account(name);
        else if (strcmp(cmd, "pay") == 0 && scanf("%19s %19s %lf", name, other, &amount) == 3)
            transfer(name, other, (int)(amount * 100 + 0.5));
    }
    while ((a = accounts) != NULL) {
        printf("%-6s %8.2f %d\n", a->name, a->cents / 100.0, a->bookings);
        total += a->cents;
        accounts = a->next;
        free(a);
    }
    printf("%-6s %8.2f\n", "total", total / 100.0);
    return 0;
}
