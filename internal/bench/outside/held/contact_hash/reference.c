#include <stdio.h>
#include <string.h>

/* a sorted array does it: there are few */

struct entry {
    char who[32];
    char phone[24];
} book[200];

static int size;

/* position of a name, or where it would be */
static int place(const char *who)
{
    int lo = 0, hi = size;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (strcmp(book[mid].who, who) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

int main(void)
{
    char verb[16], who[32];
    while (scanf("%15s", verb) == 1) {
        if (strcmp(verb, "all") == 0) {
            printf("%d contacts\n", size);
            for (int i = 0; i < size; i++)
                printf("  %-8s %s\n", book[i].who, book[i].phone);
            continue;
        }
        scanf("%31s", who);
        int at = place(who);
        int there = at < size && strcmp(book[at].who, who) == 0;
        if (strcmp(verb, "add") == 0) {
            if (there) {
                printf("%s was %s\n", who, book[at].phone);
            } else {
                memmove(&book[at + 1], &book[at], (size - at) * sizeof book[0]);
                strcpy(book[at].who, who);
                size++;
            }
            scanf("%23s", book[at].phone);
        } else if (!there) {
            printf("no %s\n", who);
        } else if (strcmp(verb, "find") == 0) {
            printf("%s: %s\n", who, book[at].phone);
        } else {
            size--;
            memmove(&book[at], &book[at + 1], (size - at) * sizeof book[0]);
        }
    }
    return 0;
}
