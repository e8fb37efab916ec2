/* Removes every later node whose value has been seen; the list is in no order. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

void push(int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    head = n;
}

void print(const struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

void remove_duplicates(void)
{
    struct node *current = head, *runner, *twin;
    while (current != NULL) {
        runner = current;
        while (runner->next != NULL) {
            if (runner->next->data == current->data) {
                twin = runner->next;
                runner->next = twin->next;
                free(twin);
            } else {
                runner = runner->next;
            }
        }
        current = current->next;
    }
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    remove_duplicates();
    print(head);
    return 0;
}
