#include <stdio.h>

typedef struct {
    char nome[30];
    int idade;
    float nota;
} Aluno;

int main()
{
    Aluno alunos[50];
    int n, i, melhor = 0;
    float soma = 0;

    scanf("%d", &n);
    for (i = 0; i < n; i++) {
        scanf("%s %d %f", alunos[i].nome, &alunos[i].idade, &alunos[i].nota);
        soma += alunos[i].idade;
    }
    for (i = 1; i < n; i++)
        if (alunos[i].nota > alunos[melhor].nota)
            melhor = i;
    printf("Best: %s\n", alunos[melhor].nome);
    printf("Mean age: %.1f\n", soma / n);
    return 0;
}
