package textedit_test

import "testing"

// TestGuarded takes a branch out of a program as people forget it, and puts it back.
func TestGuarded(t *testing.T) {
	const linked = `struct node { int x; struct node *next; };
struct queue { struct node *front, *rear; };
static void put(struct queue *q, int x)
{
    struct node *n = malloc(sizeof *n);
    n->x = x;
    n->next = NULL;
    if (q->rear == NULL)
        q->front = n;
    else
        q->rear->next = n;
    q->rear = n;
}
static void get(struct queue *q)
{
    struct node *n = q->front;
    if (n == NULL) {
        puts("empty");
        return;
    }
    printf("%d\n", n->x);
    q->front = n->next;
    if (q->front == NULL)
        q->rear = NULL;
    free(n);
}
int main(int c, char **v)
{
    struct queue q = { NULL, NULL };
    for (int i = 1; i < c; i++)
        if (v[i][0] == '-')
            get(&q);
        else
            put(&q, atoi(v[i]));
    return 0;
}
`
	const kth = `struct node { int x; struct node *left, *right; };
static int seen = 0;
static struct node *add(struct node *t, int x)
{
    if (t == NULL) {
        t = malloc(sizeof *t);
        t->x = x;
        t->left = t->right = NULL;
    } else if (x < t->x)
        t->left = add(t->left, x);
    else
        t->right = add(t->right, x);
    return t;
}
static struct node *find(struct node *t, int k)
{
    struct node *r;
    if (t == NULL)
        return NULL;
    r = find(t->left, k);
    if (r != NULL)
        return r;
    seen++;
    if (seen == k)
        return t;
    return find(t->right, k);
}
int main(int c, char **v)
{
    struct node *root = NULL, *p;
    int i;
    for (i = 1; i < c && v[i][0] != '?'; i++)
        root = add(root, atoi(v[i]));
    for (i++; i < c; i++) {
        seen = 0;
        p = find(root, atoi(v[i]));
        if (p == NULL)
            puts("none");
        else
            printf("%d\n", p->x);
    }
    return 0;
}
`
	const at = `struct node { int x; struct node *next; };
static struct node *insert_at(struct node **head, unsigned int index, int x)
{
    struct node *n, *p;
    unsigned int i;
    if (head == NULL)
        return NULL;
    n = malloc(sizeof *n);
    n->x = x;
    n->next = NULL;
    if (index == 0) {
        n->next = *head;
        *head = n;
        return n;
    }
    p = *head;
    for (i = 0; p != NULL && i < index - 1; i++)
        p = p->next;
    if (p == NULL) {
        free(n);
        return NULL;
    }
    n->next = p->next;
    p->next = n;
    return n;
}
int main(int c, char **v)
{
    struct node *head = NULL;
    for (int i = 1; i + 1 < c; i += 2)
        if (insert_at(&head, atoi(v[i]), atoi(v[i + 1])) == NULL)
            puts("failed");
    for (struct node *p = head; p; p = p->next)
        printf("%d ", p->x);
    puts("");
    return 0;
}
`
	const remove = `struct node { int x; struct node *next; };
static struct node *head;
static void add(int x)
{
    struct node *n = malloc(sizeof *n);
    n->x = x;
    n->next = head;
    head = n;
}
static void take(int x)
{
    struct node *p = head, *prev = NULL;
    while (p != NULL && p->x != x) {
        prev = p;
        p = p->next;
    }
    if (p == NULL) {
        printf("nothing to take out\n");
        return;
    }
    if (prev == NULL)
        head = p->next;
    else
        prev->next = p->next;
    free(p);
}
int main(int c, char **v)
{
    for (int i = 1; i < c; i++)
        if (v[i][0] == '-')
            take(atoi(v[i] + 1));
        else
            add(atoi(v[i]));
    for (struct node *p = head; p; p = p->next)
        printf("%d ", p->x);
    puts("");
    return 0;
}
`
	const queued = "1 -|1 - -|1 - 2 - -|1 2 3 4 5 -|1 2 - - 3 4 - - -"
	repairs(t, []mistake{
		{"the other end goes, too", linked, "    if (q->front == NULL)\n        q->rear = NULL;\n", "", queued, "- 1 - 2 3 - -|4 - 5 -"},
		{"the queue begins here", linked, "    if (q->rear == NULL)\n        q->front = n;\n    else\n        q->rear->next = n;\n", "    q->rear->next = n;\n", queued, "- 1 - 2 3 - -|4 - 5 -"},
		{"a counter begins again", kth, "        seen = 0;\n", "", "5 3 8 ? 1|5 3 8 ? 1 2|5 ? 2 1|5 3 8 1 ? 4 1 2 3", "9 7 ? 2 2|1 ? 3 1 1"},
		{"the first place", at, "    if (index == 0) {\n        n->next = *head;\n        *head = n;\n        return n;\n    }\n", "", "0 1|0 1 0 2|0 1 1 2|0 1 0 2 1 3 5 4|3 1", "0 5 1 6 2 7 0 8 9 9|1 1 0 2"},
		{"the first node", remove, "    if (prev == NULL)\n        head = p->next;\n    else\n        prev->next = p->next;\n", "    prev->next = p->next;\n", "1 2 3 -2|1 2 -2|1 -1 -1|4 5 6 -6 -5 -9", "7 -7 8 9|1 2 3 -1 -2 -3"},
		{"what is reported", remove, "    if (p == NULL) {\n        printf(\"nothing to take out\\n\");\n        return;\n    }\n", "", "1 2 3 -2|1 2 -2|1 -1 -1|4 5 6 -6 -5 -9", "7 -8 8 9|1 2 3 -1 -2 -3 -4"},
	})
}

// TestFronts puts a node in front of a list.
func TestFronts(t *testing.T) {
	repairs(t, []mistake{
		{"free list", `struct node { int v; struct node *next; };
static struct node cell[6], *spare, *list;
static struct node *take(void)
{
    struct node *n = spare;
    if (n)
        spare = n->next;
    return n;
}
static void drop(void)
{
    struct node *n = list;
    if (!n)
        return;
    list = n->next;
    n->next = spare;
    spare = n;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < 6; i++) {
        cell[i].next = spare;
        spare = &cell[i];
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            drop();
            continue;
        }
        struct node *n = take();
        if (!n) {
            printf("full ");
            continue;
        }
        n->v = atoi(argv[i]);
        n->next = list;
        list = n;
    }
    for (; list; list = list->next)
        printf("%d ", list->v);
    return 0;
}
`, "    n->next = spare;\n    spare = n;\n}\nint main", "}\nint main", "1 2 3|1 - 2 - 3 - 4 - 5 - 6 - 7|1 2 3 - - 4 5 6 7 8", "1 2 - 3 4 - 5 6 - 7 8 - 9|1 2 3 4 5 6 7 - 8"},
	})
}
