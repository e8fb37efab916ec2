/* A copy that shares a string with its original: freeing both frees it twice.
   gulo check examples/shallow_copy.c shows the copy on the way of the pointer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct attribute {
    char *name;
    char *code;
};

static struct attribute *copy_attribute(const struct attribute *from)
{
    struct attribute *copy = malloc(sizeof *copy);
    *copy = *from;
    copy->name = strdup(from->name);
    return copy;
}

static void free_attribute(struct attribute *a)
{
    free(a->name);
    free(a->code);
    free(a);
}

int main(void)
{
    struct attribute *font = malloc(sizeof *font);
    font->name = strdup("color");
    font->code = strdup("green");
    struct attribute *pushed = copy_attribute(font);
    free_attribute(pushed);
    printf("%s\n", font->name);
    free_attribute(font);
    return 0;
}
