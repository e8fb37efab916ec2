#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct { char *at; unsigned long n; } gulo_blocks[4096];
static int gulo_known;

void *gulo_block(unsigned long n)
{
    void *p = calloc(1, n ? n : 1);
    if (p == NULL)
        exit(87);
    if (gulo_known < 4096) {
        gulo_blocks[gulo_known].at = p;
        gulo_blocks[gulo_known++].n = n;
    }
    return p;
}

/* bytes from an address to the end of its block */
unsigned long gulo_room(const volatile void *p)
{
    for (int i = 0; i < gulo_known; i++)
        if ((const char *)p >= gulo_blocks[i].at && (const char *)p < gulo_blocks[i].at + gulo_blocks[i].n)
            return gulo_blocks[i].n - (unsigned long)((const char *)p - gulo_blocks[i].at);
    return 0;
}

void gulo_number(void *to, unsigned long n, unsigned long long v) { memcpy(to, &v, n); }

void gulo_pointer(void *to, const volatile void *v) { memcpy(to, &v, sizeof v); }

void gulo_result(long long v) { (void)v; }

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "run") == 0) {
        argv[1] = argv[0];
        return gulo_whole(argc - 1, argv + 1);
    }
    gulo_call(argc > 1 ? atoi(argv[1]) : -1);
    puts("kept");
    return 0;
}
