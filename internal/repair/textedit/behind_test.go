package textedit_test

import "testing"

// TestBehindEmpty leaves a function where a list is empty and a place behind its first is asked for.
func TestBehindEmpty(t *testing.T) {
	const right = `struct node { int n; struct node *next; };
static struct node *insert_at(struct node **head, unsigned int at, int n)
{
    struct node *here, *before = NULL, *made = malloc(sizeof *made);
    unsigned int i = 0;
    if (made == NULL)
        return NULL;
    if (*head == NULL && at != 0)
        return NULL;
    here = *head;
    do {
        int last = at == i + 1 && here->next == NULL;
        if (i + 1 == at)
            before = here;
        if (at == i || last) {
            made->n = n;
            if (at == 0)
                *head = made;
            else
                before->next = made;
            made->next = last ? NULL : here;
            return made;
        }
        i++;
        here = here->next;
    } while (here != NULL);
    return NULL;
}
int main(int argc, char **argv)
{
    struct node *head = NULL, *p;
    int i;
    for (i = 1; i + 1 < argc; i += 2) {
        p = insert_at(&head, (unsigned int) atoi(argv[i]), atoi(argv[i + 1]));
        printf("%s:", p ? "in" : "out");
        for (p = head; p; p = p->next)
            printf(" %d", p->n);
        printf("\n");
    }
    return 0;
}
`
	repairs(t, []mistake{{"an empty list", right, "    if (*head == NULL && at != 0)\n        return NULL;\n", "",
		"0 5|1 5|0 5 1 6|0 5 0 4 1 7|0 5 3 6|2 5|0 1 1 2 2 3|1 4 0 4", "3 9|7 1 0 2|0 2 0 3 2 4|1 1 1 1"}})
}
