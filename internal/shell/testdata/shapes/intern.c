// intern 2
#include <stdio.h>
#include <string.h>
struct arena { char text[48]; int used; };
struct names { struct arena a; int start[8]; int n; };
static int intern(struct names *t, const char *s)
{
    for (int i = 0; i < t->n; i++)
        if (strcmp(t->a.text + t->start[i], s) == 0)
            return i;
    int len = strlen(s);
    strcpy(t->a.text + t->a.used, s);
    t->start[t->n] = t->a.used;
    t->a.used += len; //! t->a.used += len + 1;
    return t->n++;
}
int main(void)
{
    static struct names t;
#ifdef HELD
    const char *all[] = {"x", "yes", "x", "", "no", "yes", "maybe"};
#else
    const char *all[] = {"ab", "cd", "ab"};
#endif
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        printf("%d ", intern(&t, all[i]));
    for (int i = 0; i < t.n; i++)
        printf("%s ", t.a.text + t.start[i]);
    printf("\n");
    return 0;
}
