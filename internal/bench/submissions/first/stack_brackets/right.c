#include <stdio.h>
#include <string.h>

#define MAX 200

char pilha[MAX];
int topo = 0;

void push(char c) { pilha[topo++] = c; }
char pop() { return pilha[--topo]; }
int vazia() { return topo == 0; }

int main()
{
    char s[MAX];
    int i;

    fgets(s, MAX, stdin);
    for (i = 0; s[i] != '\0'; i++) {
        if (s[i] == '(' || s[i] == '[')
            push(s[i]);
        else if (s[i] == ')' || s[i] == ']') {
            if (vazia()) {
                printf("unbalanced\n");
                return 0;
            }
            char c = pop();
            if ((s[i] == ')' && c != '(') || (s[i] == ']' && c != '[')) {
                printf("unbalanced\n");
                return 0;
            }
        }
    }
    if (vazia())
        printf("balanced\n");
    else
        printf("unbalanced\n");
    return 0;
}
