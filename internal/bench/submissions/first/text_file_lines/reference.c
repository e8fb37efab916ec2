/* Read lines until the end of the input and store them in a file; then read the file again and print each line with its number: "1: text". */
#include <stdio.h>

int main(void)
{
    char line[256];
    int n = 0;
    FILE *f = tmpfile();

    while (fgets(line, sizeof line, stdin))
        fputs(line, f);
    rewind(f);
    while (fgets(line, sizeof line, f))
        printf("%d: %s", ++n, line);
    fclose(f);
    return 0;
}
