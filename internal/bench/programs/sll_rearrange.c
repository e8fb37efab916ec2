/* Rearranges a list as first, last, second, last but one and so on. */
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

void rearrange(void)
{
    struct node *slow = head, *fast, *back = NULL, *next, *front;
    if (head == NULL)
        return;
    fast = head->next;
    while (fast != NULL && fast->next != NULL) {
        slow = slow->next;
        fast = fast->next->next;
    }
    fast = slow->next;
    slow->next = NULL;
    while (fast != NULL) {
        next = fast->next;
        fast->next = back;
        back = fast;
        fast = next;
    }
    front = head;
    while (back != NULL) {
        next = back->next;
        back->next = front->next;
        front->next = back;
        front = back->next;
        back = next;
    }
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    rearrange();
    print(head);
    return 0;
}
