#include <stdio.h>

typedef struct {
    int hora;
    int minuto;
} Tempo;

int main()
{
    Tempo t;
    int mais;

    scanf("%d:%d", &t.hora, &t.minuto);
    scanf("%d", &mais);
    t.minuto = t.minuto + mais;
    while (t.minuto >= 60) {
        t.minuto = t.minuto - 60;
        t.hora++;
        if (t.hora == 24)
            t.hora = 0;
    }
    printf("%02d:%02d\n", t.hora, t.minuto);
    return 0;
}
