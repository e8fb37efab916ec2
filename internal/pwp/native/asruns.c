#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gulo_block(unsigned long n)
{
    void *p = calloc(1, n ? n : 1);
    if (p == NULL)
        exit(87);
    return p;
}

void gulo_number(void *to, unsigned long n, unsigned long long v) { memcpy(to, &v, n); }

void gulo_pointer(void *to, const volatile void *v) { memcpy(to, &v, sizeof v); }

void gulo_result(long long v) { (void)v; }

int main(int argc, char **argv)
{
    gulo_call(argc > 1 ? atoi(argv[1]) : -1);
    puts("kept");
    return 0;
}
