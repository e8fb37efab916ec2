#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a binary tree by the alphabet; the most frequent word is looked for again and again */

struct node {
    struct node *less, *more;
    int times, shown;
    char word[1];
};

struct node *root;
int different;

void add(const char *w)
{
    struct node **p = &root;
    while (*p != NULL) {
        int c = strcmp(w, (*p)->word);
        if (c == 0) {
            (*p)->times++;
            return;
        }
        p = c < 0 ? &(*p)->less : &(*p)->more;
    }
    *p = calloc(1, sizeof(struct node) + strlen(w));
    strcpy((*p)->word, w);
    (*p)->times = 1;
    different++;
}

struct node *top(struct node *n, struct node *best)
{
    if (n == NULL)
        return best;
    best = top(n->less, best);
    if (!n->shown && (best == NULL || n->times > best->times))
        best = n;
    return top(n->more, best);
}

void release(struct node *n)
{
    if (n) {
        release(n->less);
        release(n->more);
        free(n);
    }
}

int main(int argc, char *argv[])
{
    char w[200], best[200] = "";
    int c, len = 0, all = 0, limit = 5;
    if (argc == 2)
        limit = atoi(argv[1]);
    do {
        c = getchar();
        if (c >= 'A' && c <= 'Z')
            c += 'a' - 'A';
        if (c >= 'a' && c <= 'z') {
            w[len++] = c;
        } else if (len > 0) {
            w[len] = 0;
            if (strlen(w) > strlen(best))
                strcpy(best, w);
            add(w);
            all++;
            len = 0;
        }
    } while (c != EOF);
    for (int i = 0; i < limit && i < different; i++) {
        struct node *n = top(root, NULL);
        n->shown = 1;
        printf("%3d %s\n", n->times, n->word);
    }
    printf("%d words, %d different\n", all, different);
    if (all > 0)
        printf("longest: %s\n", best);
    release(root);
    return 0;
}
