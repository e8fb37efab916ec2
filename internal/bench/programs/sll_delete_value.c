/* Deletes every node with a value and says how many there were. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *push(struct node *head, int data)
{
    struct node *n = malloc(sizeof(struct node));
    n->data = data;
    n->next = head;
    return n;
}

void print(const struct node *n)
{
    for (; n != NULL; n = n->next)
        printf("%d ", n->data);
    printf("\n");
}

int deleted;

struct node *delete_value(struct node *head, int value)
{
    struct node *current, *before, *gone;
    while (head != NULL && head->data == value) {
        gone = head;
        head = head->next;
        free(gone);
        deleted++;
    }
    before = head;
    current = head == NULL ? NULL : head->next;
    while (current != NULL) {
        if (current->data == value) {
            before->next = current->next;
            free(current);
            deleted++;
        } else {
            before = current;
        }
        current = before->next;
    }
    return head;
}

int main(int argc, char **argv)
{
    struct node *head = NULL;
    if (argc < 2)
        return 2;
    for (int i = argc - 1; i > 1; i--)
        head = push(head, atoi(argv[i]));
    head = delete_value(head, atoi(argv[1]));
    print(head);
    printf("%d deleted\n", deleted);
    return 0;
}
