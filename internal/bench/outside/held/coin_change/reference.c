#include <stdio.h>
#include <string.h>

struct drawer {
    const char *name;
    int worth, have;
} drawers[] = {{"2.00", 200, 0}, {"1.00", 100, 0}, {"0.50", 50, 0}, {"0.20", 20, 0}, {"0.10", 10, 0}, {"0.05", 5, 0}};

static int amount(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    size_t all = strlen(text), after;
    int v = 0;
    if (digits == 0)
        return -1;
    for (size_t i = 0; i < digits; i++)
        v = v * 10 + text[i] - '0';
    if (digits == all)
        return v * 100;
    after = strspn(text + digits + 1, "0123456789");
    if (text[digits] != '.' || after < 1 || after > 2 || digits + 1 + after != all)
        return -1;
    v = v * 10 + text[digits + 1] - '0';
    return v * 10 + (after == 2 ? text[digits + 2] - '0' : 0);
}

int main(void)
{
    char p[40], q[40];
    for (int i = 0; i < 6; i++)
        scanf("%d", &drawers[i].have);
    while (scanf("%39s%39s", p, q) == 2) {
        int price = amount(p), paid = amount(q);
        if (price == -1 || paid == -1) {
            puts("what?");
        } else if (price > paid) {
            printf("%d.%02d missing\n", (price - paid) / 100, (price - paid) % 100);
        } else {
            int rest = paid - price, out[6] = {0};
            printf("%d.%02d back", rest / 100, rest % 100);
            for (int i = 0; i < 6; i++)
                while (rest >= drawers[i].worth && drawers[i].have > 0) {
                    rest -= drawers[i].worth;
                    drawers[i].have--;
                    out[i]++;
                }
            if (rest == 0) {
                for (int i = 0; i < 6; i++)
                    if (out[i])
                        printf(", %d x %s", out[i], drawers[i].name);
            } else {
                printf(": not enough coins");
                for (int i = 0; i < 6; i++)
                    drawers[i].have += out[i];
            }
            putchar('\n');
        }
    }
    int sum = 0;
    for (int i = 0; i < 6; i++)
        sum += drawers[i].have * drawers[i].worth;
    printf("till: %d.%02d\n", sum / 100, sum % 100);
    return 0;
}
