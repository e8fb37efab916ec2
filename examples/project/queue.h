/* A queue of words. */
struct item {
    char *word;
    struct item *next;
};

struct queue {
    struct item *head, *tail;
};

void put(struct queue *q, const char *word);
void clear(struct queue *q);
