#include <stdio.h>
#include <stdlib.h>

typedef struct no {
    int val;
    struct no *prox;
} No;

No *insere(No *lista, int val)
{
    No *novo = (No *) malloc(sizeof(No));
    novo->val = val;
    novo->prox = NULL;
    if (lista == NULL)
        return novo;
    No *p = lista;
    while (p->prox != NULL)
        p = p->prox;
    p->prox = novo;
    return novo;
}

void imprime(No *lista)
{
    No *p = lista;
    while (p != NULL) {
        printf("%d -> ", p->val);
        p = p->prox;
    }
    printf("NULL\n");
}

int main()
{
    No *lista = NULL;
    int x;

    scanf("%d", &x);
    while (x != -1) {
        lista = insere(lista, x);
        scanf("%d", &x);
    }
    imprime(lista);
    return 0;
}
