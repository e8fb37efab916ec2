/* Deletes every node that has a greater value behind it; the list is reversed before and after. */
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

void reverse(void)
{
    struct node *done = NULL, *next;
    while (head != NULL) {
        next = head->next;
        head->next = done;
        done = head;
        head = next;
    }
    head = done;
}

/* Works on the reversed list: keeps what is not less than anything before. */
void delete_lesser(void)
{
    struct node *current = head, *greatest = head, *gone;
    while (current != NULL && current->next != NULL) {
        if (current->next->data < greatest->data) {
            gone = current->next;
            current->next = gone->next;
            free(gone);
        } else {
            current = current->next;
            greatest = current;
        }
    }
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    reverse();
    delete_lesser();
    reverse();
    print(head);
    return 0;
}
