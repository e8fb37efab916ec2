#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of text with undo and redo.  Commands on standard input:
 *   type WORD   append the word
 *   del N       take away the last N characters (all, if there are fewer)
 *   undo, redo, show
 */

#define MAXLINE 2000

enum kind { TYPED, DELETED };

struct op {
    enum kind kind;
    char *text;
    struct op *next;
};

static char line[MAXLINE];
static struct op *undo_stack, *redo_stack;

static struct op *new_op(enum kind kind, const char *text)
{
    struct op *o = malloc(sizeof *o);
    o->kind = kind;
    o->text = malloc(strlen(text) + 1);
    strcpy(o->text, text);
    o->next = NULL;
    return o;
}

static void push(struct op **stack, struct op *o)
{
    o->next = *stack;
    *stack = o;
}

static struct op *pop(struct op **stack)
{
    struct op *o = *stack;
    if (o)
        *stack = o->next;
    return o;
}

static void clear(struct op **stack)
{
    struct op *o;
    while ((o = pop(stack)) != NULL) {
        free(o->text);
        free(o);
    }
}

static void cut(int n)
{
    line[strlen(line) - n] = '\0';
}

static void type(const char *word)
{
    strcat(line, word);
    push(&undo_stack, new_op(TYPED, word));
    clear(&redo_stack);
}

static void delete(int n)
{
    int len = strlen(line);
    if (n > len)
        n = len;
    push(&undo_stack, new_op(DELETED, line + len - n));
    clear(&redo_stack);
    cut(n);
}

static void undo(void)
{
    struct op *o = pop(&undo_stack);
    if (!o) {
        printf("nothing to undo\n");
        return;
    }
    if (o->kind == TYPED)
        cut(strlen(o->text));
    else
        strcat(line, o->text);
    push(&redo_stack, o);
}

static void redo(void)
{
    struct op *o = pop(&redo_stack);
    if (!o) {
        printf("nothing to redo\n");
        return;
    }
    if (o->kind == TYPED)
        strcat(line, o->text);
    else
        cut(strlen(o->text));
    push(&undo_stack, o);
}

int main(void)
{
    char cmd[20], word[100];
    int n;

    while (scanf("%19s", cmd) == 1) {
        if (strcmp(cmd, "type") == 0 && scanf("%99s", word) == 1)
            type(word);
        else if (strcmp(cmd, "del") == 0 && scanf("%d", &n) == 1)
            delete(n);
        else if (strcmp(cmd, "undo") == 0)
            undo();
        else if (strcmp(cmd, "redo") == 0)
            redo();
        else if (strcmp(cmd, "show") == 0)
            printf("[%s]\n", line);
    }
    printf("%zu characters\n", strlen(line));
    clear(&undo_stack);
    clear(&redo_stack);
    return 0;
}
