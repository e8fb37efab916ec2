#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char *at;
    unsigned long bytes;
} gulo_blocks[256];
static int gulo_made;
static char *gulo_met[512];
static int gulo_known;

void *gulo_block(unsigned long n)
{
    char *p = calloc(1, n ? n : 1);
    if (p == NULL)
        exit(87);
    if (gulo_made < 256) {
        gulo_blocks[gulo_made].at = p;
        gulo_blocks[gulo_made].bytes = n;
        gulo_made++;
    }
    return p;
}

void gulo_number(void *to, unsigned long n, unsigned long long v) { memcpy(to, &v, n); }

void gulo_pointer(void *to, const volatile void *v) { memcpy(to, &v, sizeof v); }

void gulo_result(long long v) { (void)v; }

void gulo_root(const char *name) { printf("\n%s:", name); }

void gulo_whole(long long v) { printf(" %lld", v); }

void gulo_real(double v) { printf(" %.9g", v); }

void gulo_bits(char *p, unsigned long n, int from, int bits, int is_signed)
{
    unsigned long long v = 0;
    memcpy(&v, p, n);
    v = v >> from;
    if (bits < 64)
        v &= (1ULL << bits) - 1;
    if (is_signed && bits < 64 && v >> (bits - 1))
        v |= ~0ULL << bits;
    printf(" %lld", (long long)v);
}

void gulo_float(char *p, unsigned long n)
{
    float f;
    double d;
    if (n == sizeof f) {
        memcpy(&f, p, sizeof f);
        d = f;
    } else {
        memcpy(&d, p, sizeof d);
    }
    printf(" %.9g", d);
}

void gulo_to(char *p, void (*one)(char *), unsigned long size, int text)
{
    char *q, *base;
    unsigned long n = size, off;
    int i, in = 0;
    memcpy(&q, p, sizeof q);
    if (q == NULL) {
        printf(" null");
        return;
    }
    base = q;
    for (i = 0; i < gulo_made; i++) {
        unsigned long a = (unsigned long)gulo_blocks[i].at, x = (unsigned long)q;
        if (x >= a && x <= a + gulo_blocks[i].bytes) {
            base = gulo_blocks[i].at;
            n = gulo_blocks[i].bytes;
            in = 1;
            break;
        }
    }
    for (i = 0; i < gulo_known; i++)
        if (gulo_met[i] == base) {
            printf(" #%d+%ld", i + 1, (long)(q - base));
            return;
        }
    if (one == NULL || gulo_known == 512) {
        printf(" there");
        return;
    }
    gulo_met[gulo_known++] = base;
    printf(" #%d+%ld{", gulo_known, (long)(q - base));
    if (text)
        for (off = 0; (off < n || !in) && base[off] != '\0'; off++)
            putchar(base[off]);
    else
        for (off = 0; off + size <= n; off += size)
            one(base + off);
    printf("}");
}

int main(int argc, char **argv)
{
    gulo_call(argc > 1 ? atoi(argv[1]) : -1);
    puts("");
    return 0;
}
