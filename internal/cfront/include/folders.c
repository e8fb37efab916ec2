/* Folders read as a whole: scandir, glob, ftw and nftw, readdir_r. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern void __gulo_refuse(const char *why);

int alphasort(const struct dirent **a, const struct dirent **b) { return strcoll((*a)->d_name, (*b)->d_name); }
int alphasort64(const struct dirent64 **a, const struct dirent64 **b) { return strcoll((*a)->d_name, (*b)->d_name); }
int versionsort(const struct dirent **a, const struct dirent **b) { return strverscmp((*a)->d_name, (*b)->d_name); }
int versionsort64(const struct dirent64 **a, const struct dirent64 **b) { return strverscmp((*a)->d_name, (*b)->d_name); }

static int gulo_scan(DIR *d, struct dirent ***list, int (*wanted)(const struct dirent *), int (*order)(const struct dirent **, const struct dirent **))
{
    struct dirent **all = NULL, *e;
    size_t n = 0, room = 0;
    int before = errno;
    if (!d)
        return -1;
    while ((e = readdir(d))) {
        if (wanted && !wanted(e))
            continue;
        if (n == room) {
            room = room ? 2 * room : 10;
            all = realloc(all, room * sizeof *all);
        }
        size_t size = offsetof(struct dirent, d_name) + strlen(e->d_name) + 1;
        all[n] = malloc(size);
        memcpy(all[n++], e, size);
    }
    closedir(d);
    if (order && n)
        qsort(all, n, sizeof *all, (int (*)(const void *, const void *))order);
    *list = all;
    errno = before;
    return n;
}

int scandir(const char *path, struct dirent ***list, int (*wanted)(const struct dirent *), int (*order)(const struct dirent **, const struct dirent **))
{
    return gulo_scan(opendir(path), list, wanted, order);
}

int scandir64(const char *path, struct dirent64 ***list, int (*wanted)(const struct dirent64 *), int (*order)(const struct dirent64 **, const struct dirent64 **))
{
    return gulo_scan(opendir(path), (struct dirent ***)list, (int (*)(const struct dirent *))wanted, (int (*)(const struct dirent **, const struct dirent **))order);
}

int scandirat(int at, const char *path, struct dirent ***list, int (*wanted)(const struct dirent *), int (*order)(const struct dirent **, const struct dirent **))
{
    int fd = openat(at, path, O_RDONLY | O_DIRECTORY);
    return fd < 0 ? -1 : gulo_scan(fdopendir(fd), list, wanted, order);
}

int readdir_r(DIR *d, struct dirent *to, struct dirent **result)
{
    struct dirent *e = readdir(d);
    *result = NULL;
    if (!e)
        return 0;
    memcpy(to, e, offsetof(struct dirent, d_name) + strlen(e->d_name) + 1);
    *result = to;
    return 0;
}

int readdir64_r(DIR *d, struct dirent64 *to, struct dirent64 **result) { return readdir_r(d, (struct dirent *)to, (struct dirent **)result); }

/* glob. What it gives is made of blocks of malloc, as with glibc. */
#define GULO_MOST_PATH 4096

static int gulo_globbed(glob_t *g, const char *path, int mark)
{
    size_t before = g->gl_flags & GLOB_DOOFFS ? g->gl_offs : 0;
    char **v = realloc(g->gl_pathv, (before + g->gl_pathc + 2) * sizeof *v);
    struct stat st;
    size_t n = strlen(path);
    if (!g->gl_pathv)
        for (size_t i = 0; i < before; i++)
            v[i] = NULL;
    g->gl_pathv = v;
    char *copy = malloc(n + 2);
    strcpy(copy, path);
    if (mark && n && path[n - 1] != '/' && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        strcat(copy, "/");
    v[before + g->gl_pathc++] = copy;
    v[before + g->gl_pathc] = NULL;
    return 0;
}

static int gulo_magic(const char *s, size_t n, int flags)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '*' || s[i] == '?' || s[i] == '[')
            return 1;
        if (s[i] == '\\' && !(flags & GLOB_NOESCAPE))
            i++;
    }
    return 0;
}

/* gulo_match looks for what the rest of a pattern matches below the path that begins. */
static int gulo_match(glob_t *g, char *path, const char *rest, int flags, int (*failed)(const char *, int))
{
    size_t at = strlen(path);
    while (*rest == '/') {
        if (at + 1 >= GULO_MOST_PATH)
            return GLOB_ABORTED;
        path[at++] = *rest++;
        path[at] = 0;
    }
    struct stat st;
    if (!*rest)
        return lstat(path, &st) == 0 ? gulo_globbed(g, path, flags & GLOB_MARK) : 0;
    size_t n = strcspn(rest, "/");
    if (at + n >= GULO_MOST_PATH)
        return GLOB_ABORTED;
    if (!gulo_magic(rest, n, flags)) {
        size_t k = at;
        for (size_t i = 0; i < n; i++) {
            if (rest[i] == '\\' && !(flags & GLOB_NOESCAPE) && i + 1 < n)
                i++;
            path[k++] = rest[i];
        }
        path[k] = 0;
        int e = lstat(path, &st) == 0 ? gulo_match(g, path, rest + n, flags, failed) : 0;
        path[at] = 0;
        return e;
    }
    char part[GULO_MOST_PATH];
    memcpy(part, rest, n);
    part[n] = 0;
    struct dirent **list;
    int count = scandir(at ? path : ".", &list, NULL, NULL), e = 0;
    if (count < 0) {
        if (errno == ENOTDIR || errno == ENOENT)
            return 0;
        return (failed && failed(path, errno)) || flags & GLOB_ERR ? GLOB_ABORTED : 0;
    }
    for (int i = 0; i < count; i++) {
        const char *name = list[i]->d_name;
        int how = (flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0) | (flags & GLOB_PERIOD ? 0 : FNM_PERIOD);
        if (e == 0 && at + strlen(name) < GULO_MOST_PATH && fnmatch(part, name, how) == 0) {
            strcpy(path + at, name);
            if (!rest[n] || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
                e = gulo_match(g, path, rest + n, flags, failed);
            path[at] = 0;
        }
        free(list[i]);
    }
    free(list);
    return e;
}

static int gulo_by_name(const void *a, const void *b) { return strcoll(*(char *const *)a, *(char *const *)b); }

int glob(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *g)
{
    char path[GULO_MOST_PATH + 1] = "";
    if (flags & ~(GLOB_ERR | GLOB_MARK | GLOB_NOSORT | GLOB_DOOFFS | GLOB_NOCHECK | GLOB_APPEND | GLOB_NOESCAPE | GLOB_PERIOD | GLOB_NOMAGIC | GLOB_ONLYDIR)
        || *pattern == '~')
        __gulo_refuse("glob with braces, tildes or functions of the program is not supported");
    if (!(flags & GLOB_APPEND)) {
        g->gl_pathc = 0;
        g->gl_pathv = NULL;
        if (!(flags & GLOB_DOOFFS))
            g->gl_offs = 0;
    }
    g->gl_flags = flags;
    size_t had = g->gl_pathc, before = flags & GLOB_DOOFFS ? g->gl_offs : 0;
    int e = gulo_match(g, path, pattern, flags, failed);
    if (e)
        return e;
    if (g->gl_pathc == had) {
        if (flags & GLOB_NOCHECK || (flags & GLOB_NOMAGIC && !gulo_magic(pattern, strlen(pattern), flags)))
            return gulo_globbed(g, pattern, 0);
        return GLOB_NOMATCH;
    }
    if (!(flags & GLOB_NOSORT))
        qsort(g->gl_pathv + before + had, g->gl_pathc - had, sizeof *g->gl_pathv, gulo_by_name);
    return 0;
}

void globfree(glob_t *g)
{
    if (!g->gl_pathv)
        return;
    size_t before = g->gl_flags & GLOB_DOOFFS ? g->gl_offs : 0;
    for (size_t i = 0; i < g->gl_pathc; i++)
        free(g->gl_pathv[before + i]);
    free(g->gl_pathv);
    g->gl_pathv = NULL;
}

/* ftw and nftw: folders in the order of their names, as the machine reads them. */
static int gulo_walk(char *path, size_t base, int level, int flags, int (*plain)(const char *, const struct stat *, int), int (*full)(const char *, const struct stat *, int, struct FTW *))
{
    struct stat st;
    struct FTW where = { base, level };
    int kind = FTW_F, r = 0;
    if ((flags & FTW_PHYS ? lstat(path, &st) : stat(path, &st)) != 0) {
        if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
            kind = full ? FTW_SLN : FTW_NS;
        else if (level == 0)
            return -1;
        else
            kind = FTW_NS;
    } else if (S_ISDIR(st.st_mode))
        kind = FTW_D;
    else if (S_ISLNK(st.st_mode))
        kind = FTW_SL;
    if (kind == FTW_D && full && flags & FTW_DEPTH)
        kind = FTW_DP;
    if (kind != FTW_DP && (r = full ? full(path, &st, kind, &where) : plain(path, &st, kind)) != 0)
        return r;
    if (kind != FTW_D && kind != FTW_DP)
        return 0;
    struct dirent **list;
    size_t n = strlen(path), from = n;
    int count = scandir(path, &list, NULL, NULL);
    if (n && path[n - 1] != '/')
        path[from++] = '/';
    for (int i = 0; i < count; i++) {
        const char *name = list[i]->d_name;
        if (r == 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && from + strlen(name) < GULO_MOST_PATH) {
            strcpy(path + from, name);
            r = gulo_walk(path, from, level + 1, flags, plain, full);
        }
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    path[n] = 0;
    if (r == 0 && kind == FTW_DP)
        r = full(path, &st, kind, &where);
    return r;
}

static int gulo_walk_from(const char *path, int flags, int (*plain)(const char *, const struct stat *, int), int (*full)(const char *, const struct stat *, int, struct FTW *))
{
    char at[GULO_MOST_PATH + 1];
    size_t n = strlen(path);
    if (flags & ~(FTW_PHYS | FTW_DEPTH | FTW_MOUNT))
        __gulo_refuse("nftw with FTW_CHDIR or FTW_ACTIONRETVAL is not supported");
    if (n == 0 || n >= GULO_MOST_PATH) {
        errno = n ? ENAMETOOLONG : ENOENT;
        return -1;
    }
    strcpy(at, path);
    while (n > 1 && at[n - 1] == '/')
        at[--n] = 0;
    char *slash = strrchr(at, '/');
    return gulo_walk(at, slash && slash[1] ? (size_t)(slash + 1 - at) : 0, 0, flags, plain, full);
}

int ftw(const char *path, int (*f)(const char *, const struct stat *, int), int most) { return gulo_walk_from(path, 0, f, NULL); }
int nftw(const char *path, int (*f)(const char *, const struct stat *, int, struct FTW *), int most, int flags) { return gulo_walk_from(path, flags, NULL, f); }

/* The names of files of any size, of which there are no others here. */
int ftw64(const char *dir, __ftw64_func_t f, int n) { return ftw(dir, (__ftw_func_t)f, n); }
int nftw64(const char *dir, __nftw64_func_t f, int n, int flags) { return nftw(dir, (__nftw_func_t)f, n, flags); }
int glob64(const char *pattern, int flags, int (*failed)(const char *, int), glob64_t *to) { return glob(pattern, flags, failed, (glob_t *)to); }
void globfree64(glob64_t *g) { globfree((glob_t *)g); }
