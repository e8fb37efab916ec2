package textedit_test

import "testing"

// nodesOut is a program with a list of the numbers given, of which one may be taken out.
const nodesOut = `struct node { int v; struct node *next, *prev; };
static struct node *head, *tail, *free_list;
static struct node *make(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    n->prev = NULL;
    return n;
}
static void push(int v)
{
    struct node *n = make(v);
    n->prev = tail;
    if (tail != NULL)
        tail->next = n;
    else
        head = n;
    tail = n;
}
static struct node *find(int v)
{
    struct node *p;
    for (p = head; p != NULL; p = p->next)
        if (p->v == v)
            return p;
    return NULL;
}
static void discard(int v)
{
    struct node *it = find(v);
    if (it == NULL)
        return;
    if (it->prev != NULL)
        it->prev->next = it->next;
    else
        head = it->next;
    if (it->next != NULL)
        it->next->prev = it->prev;
    else
        tail = it->prev;
    it->next = free_list;
    free_list = it;
}
int main(int c, char **v)
{
    for (int i = 1; i < c; i++)
        if (atoi(v[i]) < 0)
            discard(-atoi(v[i]));
        else
            push(atoi(v[i]));
    for (struct node *p = head; p; p = p->next)
        printf("%d ", p->v);
    for (struct node *p = tail; p; p = p->prev)
        printf("%d ", p->v);
    for (struct node *p = free_list; p; p = p->next)
        printf("(%d) ", p->v);
    puts("");
    return 0;
}
`

// TestNulls corrects null where a pointer was meant.
func TestNulls(t *testing.T) {
	const given, hidden = "1 2 3 -1|1 2 3 -2|1 2 3 -3|4 -4 5|-1 2|1 2 3 -1 -2 4", "5 6 -6 7 -5|1 2 3 4 -2 -3 5"
	repairs(t, []mistake{
		{"the rest of a list is lost", nodesOut, "head = it->next;", "head = NULL;", given, hidden},
		{"the end is lost", nodesOut, "tail = it->prev;", "tail = NULL;", given, hidden},
		{"a link to what was the end", nodesOut, "n->prev = tail;", "n->prev = NULL;", given, hidden},
		{"nothing is found", nodesOut, "            return p;", "            return NULL;", given, hidden},
		{"the middle is cut", nodesOut, "it->prev->next = it->next;", "it->prev->next = NULL;", given, hidden},
		{"the free ones are lost", nodesOut, "it->next = free_list;", "it->next = NULL;", given, hidden},
		{"the other way round", nodesOut, "it->next->prev = it->prev;", "it->next->prev = NULL;", given, hidden},
	})
}
