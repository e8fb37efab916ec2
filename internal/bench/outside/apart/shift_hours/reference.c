#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* minute by minute on a clock that goes round */

typedef unsigned minute;

static minute at(const char *s)
{
    return 60 * atoi(s) + atoi(strchr(s, ':') + 1);
}

static void print(int m)
{
    if (m < 0)
        putchar('-');
    printf("%d:%02d", abs(m) / 60, abs(m) % 60);
}

int main(void)
{
    char text[100], copy[100];
    int sum = 0, night = 0, shifts = 0;

    while (fgets(text, sizeof text, stdin) != NULL) {
        strcpy(copy, text);
        char *day = strtok(copy, " \n"), *times = strtok(NULL, " \n"), *rest = strtok(NULL, " \n");
        char *to = times ? strchr(times, '-') : NULL;
        if (!to || !strchr(times, ':') || !strchr(to, ':')) {
            printf("? %s", text);
            continue;
        }
        minute t = at(times), end = at(to + 1);
        int length = 0;
        for (; t != end; t = (t + 1) % 1440) {
            length++;
            night += t < 360 || t >= 1320;
        }
        int pause = rest ? atoi(rest) : 0;
        if (length > 360 && pause < 30)
            length -= 30;
        else
            length -= pause;
        if (day[0] == 'S' && day[1] == 'u')
            length += length;
        printf("%s ", day);
        print(length);
        printf("\n");
        sum += length;
        shifts++;
    }
    int off = sum - 2310;
    printf("%d shifts, ", shifts);
    print(sum);
    printf(", night ");
    print(night);
    printf(off < 0 ? ", missing " : ", over ");
    print(abs(off));
    printf("\n");
    return 0;
}
