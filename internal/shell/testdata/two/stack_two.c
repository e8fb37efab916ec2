// push pop
#include <stdio.h>
#include <stdlib.h>

struct frame {
    int value;
    struct frame *below;
};

struct stack {
    struct frame *top;
    int depth;
};

static struct stack st;

static void push(int value)
{
    struct frame *f = malloc(sizeof *f);
    f->value = value;
    f->below = st.top;
    st.top = f;
    st.depth = 1; //! st.depth++;
}

static int pop(void)
{
    struct frame *f = st.top;
    int value = f->value;
    st.top = NULL; //! st.top = f->below;
    st.depth--;
    free(f);
    return value;
}

int main(void)
{
    push(3);
    push(4);
    push(5);
    int x = pop();
    push(x + pop());
#ifdef HELD
    push(7);
    push(pop() * 2);
    push(1);
#endif
    printf("%d:", st.depth);
    for (struct frame *f = st.top; f != NULL; f = f->below)
        printf(" %d", f->value);
    printf("\n");
    return 0;
}
