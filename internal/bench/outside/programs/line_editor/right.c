/* a buffer of lines with a cursor */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Line {
    char text[16];
    struct Line *prev, *next;
};

static struct Line *first, *last, *cursor;
static int lines;

static struct Line *newLine(const char *text) {
    struct Line *l = calloc(1, sizeof(struct Line));
    strncpy(l->text, text, 15);
    return l;
}

/* inserts after the cursor; the new line becomes the cursor */
static void insert(const char *text) {
    struct Line *l = newLine(text);
    lines++;
    if (cursor == NULL) {
        l->next = first;
        if (first) first->prev = l;
        else last = l;
        first = l;
    } else {
        l->prev = cursor;
        l->next = cursor->next;
        if (cursor->next) cursor->next->prev = l;
        else last = l;
        cursor->next = l;
    }
    cursor = l;
}

static void deleteLine(void) {
    struct Line *l = cursor;
    if (!l) return;
    if (l->prev) l->prev->next = l->next;
    else first = l->next;
    if (l->next) l->next->prev = l->prev;
    else last = l->prev;
    cursor = l->next ? l->next : l->prev;
    lines--;
    free(l);
}

static void move(int n) {
    while (n > 0 && cursor && cursor->next) {
        cursor = cursor->next;
        n--;
    }
    while (n < 0 && cursor && cursor->prev) {
        cursor = cursor->prev;
        n++;
    }
}

static void print(void) {
    int no = 1;
    for (struct Line *l = first; l; l = l->next)
        printf("%c%d %s\n", l == cursor ? '>' : ' ', no++, l->text);
    printf("%d lines, last %s\n", lines, last ? last->text : "-");
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], ":d") == 0) deleteLine();
        else if (strcmp(argv[i], ":p") == 0) print();
        else if (strcmp(argv[i], ":0") == 0) cursor = NULL;
        else if (argv[i][0] == ':') move(atoi(argv[i] + 1));
        else insert(argv[i]);
    }
    print();
    while (first) {
        cursor = first;
        deleteLine();
    }
    return 0;
}
