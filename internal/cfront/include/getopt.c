/* getopt and getopt_long. What is no option is moved behind the options, as
   glibc does unless the options begin with '+'. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static char *gulo_next;             /* in a cluster of short options */
static int gulo_first, gulo_last;   /* what has been passed over: argv[first..last) */

static void gulo_rotate(char **v, int from, int mid, int to)
{
    while (from < mid && mid < to) {
        char *t = v[mid];
        memmove(v + from + 1, v + from, (mid - from) * sizeof *v);
        v[from] = t;
        from++;
        mid++;
    }
}

static int gulo_long(int argc, char **argv, const char *opts, const struct option *lo, int *index, const char *name, const char *dashes, int only)
{
    size_t n = strcspn(name, "=");
    int found = -1, exact = 0, several = 0;
    for (int i = 0; lo[i].name; i++) {
        if (strncmp(lo[i].name, name, n) != 0)
            continue;
        if (strlen(lo[i].name) == n) {
            found = i;
            exact = 1;
            break;
        }
        if (found >= 0 && (lo[found].has_arg != lo[i].has_arg || lo[found].flag != lo[i].flag || lo[found].val != lo[i].val))
            several = 1;
        else if (found < 0)
            found = i;
    }
    if (several && !exact) {
        if (opterr && *opts != ':') {
            fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv[0], dashes, name);
            for (int i = 0; lo[i].name; i++)
                if (strncmp(lo[i].name, name, n) == 0)
                    fprintf(stderr, " '%s%s'", dashes, lo[i].name);
            fprintf(stderr, "\n");
        }
        optind++;
        gulo_next = NULL;
        optopt = 0;
        return '?';
    }
    if (found < 0) {
        if (only)
            return -1;
        if (opterr && *opts != ':')
            fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], dashes, name);
        optind++;
        gulo_next = NULL;
        optopt = 0;
        return '?';
    }
    optind++;
    gulo_next = NULL;
    if (name[n] == '=') {
        if (lo[found].has_arg == 0) {
            if (opterr && *opts != ':')
                fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0], dashes, lo[found].name);
            optopt = lo[found].val;
            return '?';
        }
        optarg = (char *)name + n + 1;
    } else if (lo[found].has_arg == 1) {
        if (optind >= argc) {
            if (opterr && *opts != ':')
                fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], dashes, lo[found].name);
            optopt = lo[found].val;
            return *opts == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (index)
        *index = found;
    if (lo[found].flag) {
        *lo[found].flag = lo[found].val;
        return 0;
    }
    return lo[found].val;
}

static int gulo_getopt(int argc, char **argv, const char *opts, const struct option *lo, int *index, int only)
{
    char order = *opts == '+' || *opts == '-' ? *opts++ : 0;
    optarg = NULL;
    if (argc < 1)
        return -1;
    if (optind == 0) {
        optind = 1;
        gulo_next = NULL;
        gulo_first = gulo_last = 1;
    }
    if (optind == 1 && !(gulo_next && *gulo_next))
        gulo_first = gulo_last = 1;
    if (!gulo_next || !*gulo_next) {
        if (gulo_last > optind)
            gulo_last = optind;
        if (gulo_first > optind)
            gulo_first = optind;
        if (!order) {
            if (gulo_first != gulo_last && gulo_last != optind) {
                int moved = optind - gulo_last;
                gulo_rotate(argv, gulo_first, gulo_last, optind);
                gulo_first += moved;
                gulo_last = optind;
            } else if (gulo_last != optind)
                gulo_first = optind;
            while (optind < argc && (argv[optind][0] != '-' || argv[optind][1] == 0))
                optind++;
            gulo_last = optind;
        }
        if (optind < argc && strcmp(argv[optind], "--") == 0) {
            optind++;
            if (gulo_first != gulo_last && gulo_last != optind) {
                int moved = optind - gulo_last;
                gulo_rotate(argv, gulo_first, gulo_last, optind);
                gulo_first += moved;
            } else if (gulo_first == gulo_last)
                gulo_first = optind;
            gulo_last = argc;
            optind = argc;
        }
        if (optind == argc) {
            if (gulo_first != gulo_last)
                optind = gulo_first;
            return -1;
        }
        if (argv[optind][0] != '-' || argv[optind][1] == 0) {
            if (order == '+')
                return -1;
            optarg = argv[optind++];
            return 1;
        }
        if (lo && argv[optind][1] == '-')
            return gulo_long(argc, argv, opts, lo, index, argv[optind] + 2, "--", 0);
        if (lo && only && (argv[optind][2] || !strchr(opts, argv[optind][1]))) {
            int c = gulo_long(argc, argv, opts, lo, index, argv[optind] + 1, "-", strchr(opts, argv[optind][1]) != NULL);
            if (c != -1)
                return c;
        }
        gulo_next = argv[optind] + 1;
    }
    int c = *gulo_next++;
    const char *p = strchr(opts, c);
    if (!*gulo_next)
        optind++;
    if (!p || c == ':' || c == ';') {
        if (opterr && *opts != ':')
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        optopt = c;
        return '?';
    }
    if (p[1] != ':')
        return c;
    if (*gulo_next) {
        optarg = gulo_next;
        optind++;
    } else if (p[2] != ':') {
        if (optind == argc) {
            if (opterr && *opts != ':')
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
            optopt = c;
            c = *opts == ':' ? ':' : '?';
        } else
            optarg = argv[optind++];
    }
    gulo_next = NULL;
    return c;
}

int getopt(int argc, char *const *argv, const char *opts)
{
    return gulo_getopt(argc, (char **)argv, opts, NULL, NULL, 0);
}

int getopt_long(int argc, char *const *argv, const char *opts, const struct option *lo, int *index)
{
    return gulo_getopt(argc, (char **)argv, opts, lo, index, 0);
}

int getopt_long_only(int argc, char *const *argv, const char *opts, const struct option *lo, int *index)
{
    return gulo_getopt(argc, (char **)argv, opts, lo, index, 1);
}
