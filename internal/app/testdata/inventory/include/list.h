#ifndef LIST_H
#define LIST_H
struct item {
    int count;
    const char *name;
    struct item *next;
};
struct item *list_add(struct item *head, const char *name, int count);
struct item *list_sort(struct item *head);
int list_room(void);
double list_mean(const struct item *head);
#endif
