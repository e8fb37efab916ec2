#include <stdio.h>

int main()
{
    FILE *fp;
    char linha[200];
    int num = 1;

    fp = tmpfile();
    if (fp == NULL)
        return 1;
    while (fgets(linha, 200, stdin) != NULL)
        fprintf(fp, "%s", linha);
    rewind(fp);
    while (fgets(linha, 200, fp) != NULL) {
        printf("%d: %s", num, linha);
        num++;
    }
    fclose(fp);
    return 0;
}
