#include <stdio.h>
#include <string.h>

int saldo = 0;

void levantar(int valor)
{
    if (valor >= saldo)
        printf("insufficient funds\n");
    saldo -= valor;
}

int main()
{
    char comando[20];
    int valor;

    scanf("%s", comando);
    while (strcmp(comando, "quit") != 0) {
        if (strcmp(comando, "deposit") == 0) {
            scanf("%d", &valor);
            saldo += valor;
        }
        else if (strcmp(comando, "withdraw") == 0) {
            scanf("%d", &valor);
            levantar(valor);
        }
        else if (strcmp(comando, "balance") == 0)
            printf("balance: %d\n", saldo);
        scanf("%s", comando);
    }
    return 0;
}
