// take 4
#include <stdio.h>
#define SLOTS 8
#define END (-1)
struct slot { int value; int next; };
static struct slot slots[SLOTS];
static int free_slots, in_use = END;
static int take(int value)
{
    int s = free_slots;
    if (s == END)
        return END;
    free_slots = s + 1; //! free_slots = slots[s].next;
    slots[s].value = value;
    slots[s].next = in_use;
    in_use = s;
    return s;
}
static void give(int s)
{
    int *at = &in_use;
    while (*at != s)
        at = &slots[*at].next;
    *at = slots[s].next;
    slots[s].next = free_slots;
    free_slots = s;
}
int main(void)
{
    for (int i = 0; i < SLOTS; i++)
        slots[i].next = i + 1 < SLOTS ? i + 1 : END;
    take(1);
    take(2);
    take(3);
    give(0);
    give(2);
    take(4);
#ifdef HELD
    give(1);
    take(9);
    take(8);
#endif
    take(5);
    take(6);
    for (int s = in_use; s != END; s = slots[s].next)
        printf("%d:%d ", s, slots[s].value);
    printf("\n");
    return 0;
}
