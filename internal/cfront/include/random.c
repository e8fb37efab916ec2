/* The generators of stdlib.h whose state the caller has. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const int gulo_degree[5] = { 0, 7, 15, 31, 63 }, gulo_apart[5] = { 0, 3, 1, 3, 1 };

static int gulo_wrong(void)
{
    errno = EINVAL;
    return -1;
}

int random_r(struct random_data *b, int32_t *result)
{
    int32_t *state = b->state;
    if (b->rand_type == 0) {
        state[0] = *result = (int32_t)(((uint32_t)state[0] * 1103515245U + 12345U) & 0x7fffffff);
        return 0;
    }
    uint32_t v = (uint32_t)*b->fptr + (uint32_t)*b->rptr;
    *b->fptr++ = (int32_t)v;
    *result = (int32_t)(v >> 1);
    if (b->fptr >= b->end_ptr)
        b->fptr = state;
    if (++b->rptr >= b->end_ptr)
        b->rptr = state;
    return 0;
}

int srandom_r(unsigned seed, struct random_data *b)
{
    int type = b->rand_type, n;
    int32_t word, *state = b->state, ignored;
    if (type < 0 || type > 4)
        return -1;
    word = (int32_t)(seed ? seed : 1);
    state[0] = word;
    if (type == 0)
        return 0;
    n = b->rand_deg;
    for (int i = 1; i < n; i++) {
        long hi = word / 127773, lo = word % 127773;
        word = (int32_t)(16807 * lo - 2836 * hi);
        if (word < 0)
            word += 2147483647;
        state[i] = word;
    }
    b->fptr = state + b->rand_sep;
    b->rptr = state;
    for (n *= 10; n > 0; n--)
        random_r(b, &ignored);
    return 0;
}

static void gulo_stored(struct random_data *b)
{
    b->state[-1] = b->rand_type == 0 ? 0 : (int32_t)(5 * (b->rptr - b->state)) + b->rand_type;
}

int initstate_r(unsigned seed, char *buf, size_t n, struct random_data *b)
{
    if (!b)
        return gulo_wrong();
    if (b->state)
        gulo_stored(b);
    if (n < 8)
        return gulo_wrong();
    int type = n < 32 ? 0 : n < 64 ? 1 : n < 128 ? 2 : n < 256 ? 3 : 4;
    b->rand_type = type;
    b->rand_deg = gulo_degree[type];
    b->rand_sep = gulo_apart[type];
    b->state = (int32_t *)buf + 1;
    b->end_ptr = b->state + gulo_degree[type];
    srandom_r(seed, b);
    gulo_stored(b);
    return 0;
}

int setstate_r(char *buf, struct random_data *b)
{
    if (!buf || !b)
        return gulo_wrong();
    int32_t *state = (int32_t *)buf + 1;
    gulo_stored(b);
    int type = state[-1] % 5;
    if (type < 0)
        return gulo_wrong();
    b->rand_type = type;
    b->rand_deg = gulo_degree[type];
    b->rand_sep = gulo_apart[type];
    if (type) {
        int rear = state[-1] / 5;
        b->rptr = state + rear;
        b->fptr = state + (rear + b->rand_sep) % b->rand_deg;
    }
    b->state = state;
    b->end_ptr = state + b->rand_deg;
    return 0;
}

/* Numbers of 48 bits. */
static void gulo_step48(unsigned short x[3], struct drand48_data *b)
{
    if (!b->__init) {
        b->__a = 0x5deece66dULL;
        b->__c = 0xb;
        b->__init = 1;
    }
    unsigned long v = ((unsigned long)x[2] << 32 | (unsigned long)x[1] << 16 | x[0]) * b->__a + b->__c;
    x[0] = v & 0xffff;
    x[1] = v >> 16 & 0xffff;
    x[2] = v >> 32 & 0xffff;
}

int erand48_r(unsigned short x[3], struct drand48_data *b, double *result)
{
    gulo_step48(x, b);
    *result = (double)((unsigned long)x[2] << 32 | (unsigned long)x[1] << 16 | x[0]) / 281474976710656.0;
    return 0;
}

int nrand48_r(unsigned short x[3], struct drand48_data *b, long *result)
{
    gulo_step48(x, b);
    *result = x[2] << 15 | x[1] >> 1;
    return 0;
}

int jrand48_r(unsigned short x[3], struct drand48_data *b, long *result)
{
    gulo_step48(x, b);
    *result = (int32_t)((uint32_t)x[2] << 16 | x[1]);
    return 0;
}

int drand48_r(struct drand48_data *b, double *result) { return erand48_r(b->__x, b, result); }
int lrand48_r(struct drand48_data *b, long *result) { return nrand48_r(b->__x, b, result); }
int mrand48_r(struct drand48_data *b, long *result) { return jrand48_r(b->__x, b, result); }

int srand48_r(long seed, struct drand48_data *b)
{
    b->__x[2] = (unsigned short)(seed >> 16);
    b->__x[1] = (unsigned short)seed;
    b->__x[0] = 0x330e;
    b->__a = 0x5deece66dULL;
    b->__c = 0xb;
    b->__init = 1;
    return 0;
}

int seed48_r(unsigned short seed[3], struct drand48_data *b)
{
    memcpy(b->__old_x, b->__x, sizeof b->__x);
    memcpy(b->__x, seed, sizeof b->__x);
    b->__a = 0x5deece66dULL;
    b->__c = 0xb;
    b->__init = 1;
    return 0;
}

int lcong48_r(unsigned short p[7], struct drand48_data *b)
{
    memcpy(b->__x, p, sizeof b->__x);
    b->__a = (unsigned long long)p[5] << 32 | (unsigned long)p[4] << 16 | p[3];
    b->__c = p[6];
    b->__init = 1;
    return 0;
}
