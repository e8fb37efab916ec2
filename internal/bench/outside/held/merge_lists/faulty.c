#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two delivery lists of (street, number, parcels) are each sorted by street and number by
   merging, then merged into one; the same address in both becomes one stop.  Of equal
   addresses the one that came first stays first. */

typedef struct stop Stop;
struct stop {
    char street[16];
    int number, parcels;
    Stop *next;
};

int compare(const Stop *a, const Stop *b)
{
    int c = strcmp(a->street, b->street);
    return c;
}

Stop *read_list(int n)
{
    Stop *head = NULL, **tail = &head;
    while (n-- > 0) {
        Stop *s = malloc(sizeof *s);
        s->next = NULL;
        if (scanf("%15s %d %d", s->street, &s->number, &s->parcels) != 3) {
            free(s);
            break;
        }
        *tail = s;
        tail = &s->next;
    }
    return head;
}

Stop *merge(Stop *a, Stop *b)
{
    Stop *head = NULL, **tail = &head;
    while (a && b) {
        if (compare(a, b) <= 0) {
            *tail = a;
            a = a->next;
        } else {
            *tail = b;
            b = b->next;
        }
        tail = &(*tail)->next;
    }
    *tail = a;
    return head;
}

Stop *sort(Stop *list)
{
    Stop *slow = list, *fast, *half;
    if (!list || !list->next)
        return list;
    fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    half = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(half));
}

/* neighbours with one address become one */
void unite(Stop *s)
{
    while (s && s->next) {
        Stop *n = s->next;
        if (compare(s, n) == 0) {
            s->parcels += n->parcels;
            s->next = n->next;
            free(n);
        } else {
            s = n;
        }
    }
}

void print(const char *title, const Stop *s)
{
    int stops = 0, parcels = 0;
    printf("%s\n", title);
    for (; s; s = s->next) {
        printf("  %s %d: %d\n", s->street, s->number, s->parcels);
        stops++;
        parcels += s->parcels;
    }
    printf("  %d stops, %d parcels\n", stops, parcels);
}

int main(void)
{
    int n, m;
    Stop *a, *b, *all;

    if (scanf("%d", &n) != 1)
        return 1;
    a = sort(read_list(n));
    print("morning", a);
    if (scanf("%d", &m) != 1)
        m = 0;
    b = sort(read_list(m));
    print("evening", b);
    all = merge(a, b);
    unite(all);
    print("all", all);
    while (all) {
        Stop *s = all->next;
        free(all);
        all = s;
    }
    return 0;
}
