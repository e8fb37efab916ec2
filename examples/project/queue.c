#include <stdlib.h>
#include <string.h>

#include "queue.h"

void put(struct queue *q, const char *word)
{
    struct item *i = malloc(sizeof *i);
    i->word = malloc(strlen(word));
    strcpy(i->word, word);
    i->next = NULL;
    if (q->head == NULL)
        q->head = i;
    else
        q->tail->next = i;
    q->tail = i;
}

void clear(struct queue *q)
{
    while (q->head != NULL) {
        struct item *i = q->head;
        q->head = i->next;
        free(i->word);
        free(i);
    }
}
