#include <stdio.h>
#include <string.h>

#define MANY 100

struct { char title[80]; int seconds; } song[MANY];
int order[MANY];        /* what is played after what */
int length = 0, now = 0;

void put(int at, int id)
{
    for (int i = length++; i > at; i--)
        order[i] = order[i - 1];
    order[at] = id;
}

int main(void)
{
    char cmd[80];
    int songs = 0;

    while (scanf("%79s", cmd) == 1) {
        if (!strcmp(cmd, "add") || !strcmp(cmd, "insert")) {
            scanf("%79s %d", song[songs].title, &song[songs].seconds);
            if (cmd[0] == 'a' || length == 0)
                put(length, songs++);
            else
                put(now + 1, songs++);
        } else if (!strcmp(cmd, "next")) {
            if (now + 1 < length)
                now++;
        } else if (!strcmp(cmd, "back")) {
            if (now > 0)
                now--;
        } else if (!strcmp(cmd, "remove")) {
            if (length > 0) {
                length--;
                for (int i = now; i < length; i++)
                    order[i] = order[i + 1];
                if (now == length && now > 0)
                    now--;
            }
        } else {
            int sum = 0;
            for (int i = 0; i < length; i++) {
                int id = order[i], s = song[id].seconds;
                printf(i == now ? "> " : "  ");
                printf("%s %d:%02d\n", song[id].title, s / 60, s % 60);
                sum += s;
            }
            printf("= %d:%02d\n", sum / 60, sum % 60);
        }
    }
    printf("now: %s\n", length > 0 ? song[order[now]].title : "nothing");
    return 0;
}
