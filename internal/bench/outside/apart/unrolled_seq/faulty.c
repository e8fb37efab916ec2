#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sequence of numbers in blocks of up to four.  Commands:
 *   i POS X    insert X so that it stands at POS (from 0; at most the length)
 *   d POS      delete
 *   g POS      print the number there
 *   p          print the blocks
 */

#define CAP 4

typedef struct block {
    int n;
    int item[CAP];
    struct block *next;
} block;

typedef struct {
    block *head;
    int length;
} seq;

static block *new_block(block *next)
{
    block *b = malloc(sizeof *b);
    b->n = 0;
    b->next = next;
    return b;
}

/* moves the upper half of a full block into a new one behind it */
static void split(block *b)
{
    block *c = new_block(b->next);
    int half = CAP / 2;
    for (int i = half; i < CAP; i++)
        c->item[c->n++] = b->item[i];
    b->n = half;
    b->next = c;
}

static void insert(seq *s, int pos, int x)
{
    if (!s->head)
        s->head = new_block(NULL);
    block *b = s->head;
    while (pos > b->n) {
        pos -= b->n;
        b = b->next;
    }
    if (b->n == CAP) {
        split(b);
        if (pos > b->n)
            b = b->next;
    }
    for (int i = b->n; i > pos; i--)
        b->item[i] = b->item[i - 1];
    b->item[pos] = x;
    b->n++;
    s->length++;
}

static int delete(seq *s, int pos)
{
    block **p = &s->head;
    while (pos >= (*p)->n) {
        pos -= (*p)->n;
        p = &(*p)->next;
    }
    block *b = *p;
    int x = b->item[pos];
    b->n--;
    for (int i = pos; i < b->n; i++)
        b->item[i] = b->item[i + 1];
    if (b->n == 0) {
        *p = b->next;
        free(b);
    }
    s->length--;
    return x;
}

static int get(const seq *s, int pos)
{
    const block *b = s->head;
    while (pos >= b->n) {
        pos -= b->n;
        b = b->next;
    }
    return b->item[pos];
}

static void print(const seq *s)
{
    for (const block *b = s->head; b; b = b->next) {
        printf("[");
        for (int i = 0; i < b->n; i++)
            printf(i ? " %d" : "%d", b->item[i]);
        printf("]");
    }
    printf(" %d\n", s->length);
}

int main(void)
{
    seq s = {NULL, 0};
    char cmd[4];
    int pos, x;

    while (scanf("%3s", cmd) == 1) {
        if (cmd[0] == 'p') {
            print(&s);
            continue;
        }
        if (scanf("%d", &pos) != 1)
            break;
        if (cmd[0] == 'i' && scanf("%d", &x) != 1)
            break;
        if (pos < 0 || pos >= s.length + (cmd[0] == 'i'))
            printf("no position %d\n", pos);
        else if (cmd[0] == 'i')
            insert(&s, pos, x);
        else
            printf("%d\n", cmd[0] == 'd' ? delete(&s, pos) : get(&s, pos));
    }
    print(&s);
    while (s.length > 0)
        delete(&s, 0);
    return 0;
}
