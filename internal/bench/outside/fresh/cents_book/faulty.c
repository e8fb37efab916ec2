#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cash book on standard input: ACCOUNT AMOUNT each line; amounts as 12, 12.5, -0.07. */

#define ACCOUNTS 10

struct account {
    char name[16];
    long cents;
    int entries;
};

static struct account book[ACCOUNTS];
static int naccounts;

/* 0 if s is no amount */
static int parse_amount(const char *s, long *cents)
{
    int negative = 0, digits = 0;
    long whole = 0, part = 0;

    if (*s == '-') {
        negative = 1;
        s++;
    }
    if (!isdigit((unsigned char)*s))
        return 0;
    while (isdigit((unsigned char)*s))
        whole = 10 * whole + (*s++ - '0');
    if (*s == '.') {
        s++;
        while (isdigit((unsigned char)*s) && digits < 2) {
            part = 10 * part + (*s++ - '0');
            digits++;
        }
        if (digits == 0)
            return 0;
    }
    if (*s != '\0')
        return 0;
    *cents = 100 * whole + part;
    if (negative)
        *cents = -*cents;
    return 1;
}

static struct account *find(const char *name)
{
    int i;

    for (i = 0; i < naccounts; i++)
        if (strcmp(book[i].name, name) == 0)
            return &book[i];
    if (naccounts == ACCOUNTS)
        return NULL;
    strncpy(book[naccounts].name, name, 15);
    return &book[naccounts++];
}

static void print_amount(long cents)
{
    printf("%ld.%02ld", cents / 100, cents % 100);
}

int main(void)
{
    char name[16], amount[16];
    long cents, total = 0;
    int i, line = 0;

    while (scanf("%15s %15s", name, amount) == 2) {
        struct account *a;

        line++;
        if (!parse_amount(amount, &cents)) {
            printf("line %d: bad amount %s\n", line, amount);
            continue;
        }
        a = find(name);
        if (a == NULL) {
            printf("line %d: too many accounts\n", line);
            continue;
        }
        a->cents += cents;
        a->entries++;
        total += cents;
    }
    for (i = 0; i < naccounts; i++) {
        printf("%-8s %d ", book[i].name, book[i].entries);
        print_amount(book[i].cents);
        printf("\n");
    }
    printf("total ");
    print_amount(total);
    printf("\n");
    return 0;
}
