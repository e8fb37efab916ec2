#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets of numbers 0 to 99 in bits. Arguments:
     A=1,5,7-9   sets a set (A to H);  A+B union, A&B common ones, A-B difference, A^B, into Z
     A<B  is A a part of B?   A?5 is 5 in it?    A prints it */

#define LIMIT 100
#define WORDS ((LIMIT + 31) / 32)

typedef struct { uint32_t w[WORDS]; } set_t;

static set_t sets[26];

static void set_add(set_t *s, int n)
{
    s->w[n / 32] |= UINT32_C(1) << n % 32;
}

static int set_has(const set_t *s, int n)
{
    return s->w[n / 32] >> n % 32 & 1;
}

static int set_count(const set_t *s)
{
    int count = 0;
    for (int i = 0; i < WORDS; i++)
        for (uint32_t x = s->w[i]; x != 0; x &= x - 1)
            count++;
    return count;
}

static set_t combine(const set_t *a, const set_t *b, char op)
{
    set_t r;
    for (int i = 0; i < WORDS; i++) {
        switch (op) {
        case '+': r.w[i] = a->w[i] | b->w[i]; break;
        case '&': r.w[i] = a->w[i] & b->w[i]; break;
        case '-': r.w[i] = a->w[i] & ~b->w[i]; break;
        default:  r.w[i] = a->w[i] ^ b->w[i]; break;
        }
    }
    return r;
}

static int is_part(const set_t *a, const set_t *b)
{
    for (int i = 0; i < WORDS; i++)
        if ((a->w[i] & b->w[i]) != a->w[i])
            return 0;
    return 1;
}

static void print_set(char name, const set_t *s)
{
    const char *sep = "";
    printf("%c = {", name);
    for (int n = 0; n < LIMIT; n++) {
        if (!set_has(s, n))
            continue;
        int end = n;
        while (end + 1 < LIMIT && set_has(s, end + 1))
            end++;
        printf("%s%d", sep, n);
        if (end > n)
            printf("-%d", end);
        sep = ",";
        n = end;
    }
    printf("} %d\n", set_count(s));
}

static void parse_set(set_t *s, const char *text)
{
    memset(s, 0, sizeof *s);
    while (*text >= '0' && *text <= '9') {
        char *end;
        int from = strtol(text, &end, 10), to = from;
        if (*end == '-')
            to = strtol(end + 1, &end, 10);
        for (int n = from; n <= to && n < LIMIT; n++)
            set_add(s, n);
        text = *end == ',' ? end + 1 : end;
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (a[0] < 'A' || a[0] > 'Z') {
            printf("no set %s\n", a);
            return 1;
        }
        set_t *s = &sets[a[0] - 'A'];
        switch (a[1]) {
        case '=':
            parse_set(s, a + 2);
            break;
        case '?':
            printf("%s: %s\n", a, atoi(a + 2) < LIMIT && set_has(s, atoi(a + 2)) ? "yes" : "no");
            break;
        case '\0':
            print_set(a[0], s);
            break;
        default:
            if (a[2] < 'A' || a[2] > 'Z')
                return 1;
            if (a[1] == '<') {
                printf("%s: %s\n", a, is_part(s, &sets[a[2] - 'A']) ? "yes" : "no");
            } else {
                sets[25] = combine(s, &sets[a[2] - 'A'], a[1]);
                print_set('Z', &sets[25]);
            }
        }
    }
    return 0;
}
