#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bank accounts with a history each.
     open NAME AMOUNT / put NAME AMOUNT / take NAME AMOUNT / move FROM TO AMOUNT / print NAME */

typedef struct Entry {
    int amount;
    int balance;            /* after it */
    struct Entry *older;
} Entry;

typedef struct Account {
    char name[12];
    int balance;
    int entries;
    Entry *newest;
    struct Account *next;
} Account;

static Account *accounts;

static Account *findAccount(const char *name)
{
    Account *a;
    for (a = accounts; a != NULL; a = a->next)
        if (strcmp(a->name, name) == 0)
            return a;
    return NULL;
}

static void record(Account *a, int amount)
{
    Entry *e = malloc(sizeof(Entry));
    e->amount = amount;
    e->balance = a->balance;
    a->balance += amount;
    e->older = a->newest;
    a->newest = e;
    a->entries++;
}

static int withdraw(Account *a, int amount)
{
    if (a->balance < amount)
        return 0;
    record(a, -amount);
    return 1;
}

static void printEntries(const Entry *e)
{
    if (e == NULL)
        return;
    printEntries(e->older);
    printf("  %+6d %6d\n", e->amount, e->balance);
}

static void openAccount(const char *name, int amount)
{
    Account *a = malloc(sizeof(Account));
    strcpy(a->name, name);
    a->balance = 0;
    a->entries = 0;
    a->newest = NULL;
    a->next = accounts;
    accounts = a;
    if (amount != 0)
        record(a, amount);
}

int main(void)
{
    char cmd[12], one[12], two[12];
    int amount;

    while (scanf("%11s %11s", cmd, one) == 2) {
        Account *a = findAccount(one), *b = NULL;
        if (strcmp(cmd, "move") == 0) {
            if (scanf("%11s", two) != 1)
                break;
            b = findAccount(two);
        }
        if (strcmp(cmd, "print") != 0 && scanf("%d", &amount) != 1)
            break;
        if (strcmp(cmd, "open") == 0) {
            if (a != NULL)
                printf("%s is there already\n", one);
            else
                openAccount(one, amount);
        } else if (a == NULL || (b == NULL && strcmp(cmd, "move") == 0)) {
            printf("no account\n");
        } else if (strcmp(cmd, "put") == 0) {
            record(a, amount);
        } else if (strcmp(cmd, "take") == 0) {
            if (!withdraw(a, amount))
                printf("%s has only %d\n", one, a->balance);
        } else if (strcmp(cmd, "move") == 0) {
            if (withdraw(a, amount))
                record(b, amount);
            else
                printf("%s has only %d\n", one, a->balance);
        } else {
            printf("%s: %d in %d entries\n", a->name, a->balance, a->entries);
            printEntries(a->newest);
        }
    }
    while (accounts != NULL) {
        Account *a = accounts;
        while (a->newest != NULL) {
            Entry *e = a->newest;
            a->newest = e->older;
            free(e);
        }
        accounts = a->next;
        free(a);
    }
    return 0;
}
