/* The trees of search.h: red-black trees, balanced on the way down as in Sedgewick's "Algorithms in C".
   twalk shows how deep nodes are, so they are where glibc's tree has them: a node with two red
   children is split when it is passed, and a node with two children is deleted by way of its successor. */
#define _GNU_SOURCE
#include <search.h>
#include <stddef.h>

extern void *__gulo_scratch(size_t);
extern void __gulo_scratch_free(void *);

typedef int gulo_order(const void *, const void *);

struct gulo_node {
    const void *key;
    struct gulo_node *left, *right;
    int red;
};

static int gulo_is_red(struct gulo_node *n) { return n != NULL && n->red; }

/* gulo_split colors a node red and its children black, and rotates at its grandparent where its
   parent is red, too. to_parent and to_node are the results of the comparisons that led there. */
static void gulo_split(struct gulo_node **at, struct gulo_node **parent, struct gulo_node **grand, int to_node, int to_parent, int fresh)
{
    struct gulo_node *n = *at;
    if (!fresh && !(gulo_is_red(n->left) && gulo_is_red(n->right)))
        return;
    n->red = 1;
    if (n->left)
        n->left->red = 0;
    if (n->right)
        n->right->red = 0;
    if (parent == NULL || !(*parent)->red)
        return;
    struct gulo_node *p = *parent, *g = *grand;
    if ((to_node > 0) != (to_parent > 0)) {
        p->red = g->red = 1;
        n->red = 0;
        if (to_node < 0) {
            p->left = n->right;
            n->right = p;
            g->right = n->left;
            n->left = g;
        } else {
            p->right = n->left;
            n->left = p;
            g->left = n->right;
            n->right = g;
        }
        *grand = n;
        return;
    }
    *grand = p;
    p->red = 0;
    g->red = 1;
    if (to_node < 0) {
        g->left = p->right;
        p->right = g;
    } else {
        g->right = p->left;
        p->left = g;
    }
}

void *tsearch(const void *key, void **root, gulo_order *order)
{
    struct gulo_node **at = (struct gulo_node **)root, **parent = NULL, **grand = NULL, **next = at;
    int r = 0, to_node = 0, to_parent = 0;
    if (at == NULL)
        return NULL;
    if (*at)
        (*at)->red = 0;
    while (*next) {
        struct gulo_node *n = *at;
        r = order(key, n->key);
        if (r == 0)
            return n;
        gulo_split(at, parent, grand, to_node, to_parent, 0);
        next = r < 0 ? &n->left : &n->right;
        if (*next == NULL)
            break;
        grand = parent;
        parent = at;
        at = next;
        to_parent = to_node;
        to_node = r;
    }
    struct gulo_node *q = __gulo_scratch(sizeof *q);
    if (q == NULL)
        return NULL;
    *next = q;
    q->key = key;
    q->red = 1;
    q->left = q->right = NULL;
    if (next != at)
        gulo_split(next, at, parent, r, to_node, 1);
    return q;
}

void *tfind(const void *key, void *const *root, gulo_order *order)
{
    struct gulo_node *n = root ? *(struct gulo_node *const *)root : NULL;
    while (n) {
        int r = order(key, n->key);
        if (r == 0)
            return n;
        n = r < 0 ? n->left : n->right;
    }
    return NULL;
}

/* gulo_shorter gives a tree its balance back where one side, r, lacks a black node. */
static void gulo_shorter(struct gulo_node ***stack, int depth, struct gulo_node *r)
{
    while (depth > 0 && !gulo_is_red(r)) {
        struct gulo_node **pp = stack[depth - 1], *p = *pp;
        int left = r == p->left;
        struct gulo_node *q = left ? p->right : p->left;
        if (q->red) {
            q->red = 0;
            p->red = 1;
            if (left) {
                p->right = q->left;
                q->left = p;
            } else {
                p->left = q->right;
                q->right = p;
            }
            *pp = q;
            pp = left ? &q->left : &q->right;
            stack[depth++] = pp;
            q = left ? p->right : p->left;
        }
        struct gulo_node *near = left ? q->left : q->right, *far = left ? q->right : q->left;
        if (!gulo_is_red(near) && !gulo_is_red(far)) {
            q->red = 1;
            r = p;
        } else {
            if (!gulo_is_red(far)) {
                near->red = p->red;
                if (left) {
                    p->right = near->left;
                    q->left = near->right;
                    near->right = q;
                    near->left = p;
                } else {
                    p->left = near->right;
                    q->right = near->left;
                    near->left = q;
                    near->right = p;
                }
                *pp = near;
                p->red = 0;
            } else {
                q->red = p->red;
                p->red = 0;
                far->red = 0;
                if (left) {
                    p->right = q->left;
                    q->left = p;
                } else {
                    p->left = q->right;
                    q->right = p;
                }
                *pp = q;
            }
            depth = 1;
            r = NULL;
        }
        depth--;
    }
    if (r)
        r->red = 0;
}

void *tdelete(const void *restrict key, void **restrict root, gulo_order *order)
{
    struct gulo_node **stack[200], **at = (struct gulo_node **)root;
    int depth = 0, r;
    if (at == NULL || *at == NULL)
        return NULL;
    struct gulo_node *parent = *at;
    while ((r = order(key, (*at)->key)) != 0) {
        stack[depth++] = at;
        parent = *at;
        at = r < 0 ? &parent->left : &parent->right;
        if (*at == NULL)
            return NULL;
    }
    struct gulo_node *n = *at, *out = n;
    if (n->left && n->right) {
        struct gulo_node **p = at, **up = &n->right;
        for (;;) {
            stack[depth++] = p;
            p = up;
            if ((*up)->left == NULL)
                break;
            up = &(*up)->left;
        }
        out = *up;
    }
    struct gulo_node *child = out->left ? out->left : out->right;
    if (depth == 0)
        *at = child;
    else {
        struct gulo_node *q = *stack[depth - 1];
        if (out == q->right)
            q->right = child;
        else
            q->left = child;
    }
    if (out != n)
        n->key = out->key;
    if (!out->red)
        gulo_shorter(stack, depth, child);
    __gulo_scratch_free(out);
    return parent;
}

static void gulo_walk(const struct gulo_node *n, void (*action)(const void *, VISIT, int), int level)
{
    if (n->left == NULL && n->right == NULL) {
        action(n, leaf, level);
        return;
    }
    action(n, preorder, level);
    if (n->left)
        gulo_walk(n->left, action, level + 1);
    action(n, postorder, level);
    if (n->right)
        gulo_walk(n->right, action, level + 1);
    action(n, endorder, level);
}

void twalk(const void *root, void (*action)(const void *, VISIT, int))
{
    if (root && action)
        gulo_walk(root, action, 0);
}

static void gulo_walk_with(const struct gulo_node *n, void (*action)(const void *, VISIT, void *), void *with)
{
    if (n->left == NULL && n->right == NULL) {
        action(n, leaf, with);
        return;
    }
    action(n, preorder, with);
    if (n->left)
        gulo_walk_with(n->left, action, with);
    action(n, postorder, with);
    if (n->right)
        gulo_walk_with(n->right, action, with);
    action(n, endorder, with);
}

void twalk_r(const void *root, void (*action)(const void *, VISIT, void *), void *with)
{
    if (root && action)
        gulo_walk_with(root, action, with);
}

static void gulo_destroy(struct gulo_node *n, void (*each)(void *))
{
    if (n->left)
        gulo_destroy(n->left, each);
    if (n->right)
        gulo_destroy(n->right, each);
    each((void *)n->key);
    __gulo_scratch_free(n);
}

void tdestroy(void *root, void (*each)(void *))
{
    if (root)
        gulo_destroy(root, each);
}
