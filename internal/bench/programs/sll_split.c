/* Splits a list into its front half and its back half; the front gets the middle. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int data;
    struct node *next;
};

struct node *head;

struct node *front, *back;

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

void split(void)
{
    struct node *slow = head, *fast;
    if (head == NULL || head->next == NULL) {
        front = head;
        back = NULL;
        return;
    }
    fast = head->next;
    while (fast != NULL) {
        fast = fast->next;
        if (fast != NULL) {
            slow = slow->next;
            fast = fast->next;
        }
    }
    front = head;
    back = slow->next;
    slow->next = NULL;
}

int main(int argc, char **argv)
{
    for (int i = argc - 1; i > 0; i--)
        push(atoi(argv[i]));
    split();
    print(front);
    print(back);
    return 0;
}
