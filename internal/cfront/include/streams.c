/* stdio.h, unistd.h and their kin: names that other functions do the work for. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <nl_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

char *tempnam(const char *dir, const char *prefix)
{
    char *name;
    struct stat st;
    if (!dir || stat(dir, &st))
        dir = P_tmpdir;
    if (asprintf(&name, "%s/%.5sXXXXXX", dir, prefix ? prefix : "file") < 0)
        return NULL;
    return mktemp(name);
}

char *tmpnam_r(char *to) { return to ? tmpnam(to) : NULL; }
FILE *tmpfile64(void) { return tmpfile(); }
FILE *freopen64(const char *name, const char *mode, FILE *f) { return freopen(name, mode, f); }
int fgetpos64(FILE *f, fpos64_t *to) { return fgetpos(f, (fpos_t *)to); }
int fsetpos64(FILE *f, const fpos64_t *to) { return fsetpos(f, (const fpos_t *)to); }
int mkstemp64(char *name) { return mkstemp(name); }
void clearerr_unlocked(FILE *f) { clearerr(f); }
int fcloseall(void) { return fflush(NULL); }

int getw(FILE *f)
{
    int n;
    return fread(&n, sizeof n, 1, f) == 1 ? n : EOF;
}

int putw(int n, FILE *f) { return fwrite(&n, sizeof n, 1, f) == 1 ? 0 : EOF; }

char *cuserid(char *to)
{
    static char own[L_cuserid];
    if (!to)
        to = own;
    if (getlogin_r(to, L_cuserid))
        *to = 0;
    return to;
}

char *get_current_dir_name(void) { return getcwd(NULL, 0); }
char *getwd(char *to) { return getcwd(to, 4096); }

static int gulo_touched(int at, const char *name, const struct timeval *t, int flags)
{
    struct timespec to[2];
    for (int i = 0; t && i < 2; i++) {
        to[i].tv_sec = t[i].tv_sec;
        to[i].tv_nsec = t[i].tv_usec * 1000;
    }
    return name ? utimensat(at, name, t ? to : NULL, flags) : futimens(at, t ? to : NULL);
}

int lutimes(const char *name, const struct timeval t[2]) { return gulo_touched(AT_FDCWD, name, t, AT_SYMLINK_NOFOLLOW); }
int futimes(int fd, const struct timeval t[2]) { return gulo_touched(fd, NULL, t, 0); }
int lchmod(const char *name, mode_t mode)
{
    struct stat st;
    if (lstat(name, &st))
        return -1;
    if (!S_ISLNK(st.st_mode))
        return chmod(name, mode);
    errno = EOPNOTSUPP;
    return -1;
}

/* Numbers as texts. The format is one conversion, %g with a precision for example. */
static int gulo_number(char *to, size_t n, const char *format, long double v)
{
    char whole[32];
    size_t k = strlen(format);
    if (*format != '%' || k < 2 || k > 20 || !strchr("aAeEfFgG", format[k - 1]))
        abort();
    memcpy(whole, format, k - 1);
    whole[k - 1] = 'L';
    whole[k] = format[k - 1];
    whole[k + 1] = 0;
    return snprintf(to, n, whole, v);
}

int strfromd(char *to, size_t n, const char *format, double v) { return strchr("aA", format[strlen(format) - 1]) ? snprintf(to, n, format, v) : gulo_number(to, n, format, v); }
int strfromf(char *to, size_t n, const char *format, float v) { return strfromd(to, n, format, v); }
int strfroml(char *to, size_t n, const char *format, long double v) { return gulo_number(to, n, format, v); }

uint32_t arc4random_uniform(uint32_t n) { return n ? arc4random() % n : 0; }

char *strfry(char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i + 1 < n; i++) {
        size_t j = i + arc4random() % (n - i);
        char c = s[i];
        s[i] = s[j];
        s[j] = c;
    }
    return s;
}

/* Catalogs of messages: there are none. */
nl_catd catopen(const char *name, int flags)
{
    errno = ENOENT;
    return (nl_catd)-1;
}

char *catgets(nl_catd c, int set, int n, const char *text) { return (char *)text; }
int catclose(nl_catd c)
{
    errno = EBADF;
    return -1;
}

/* Tables of file systems. */
FILE *setmntent(const char *name, const char *mode) { return fopen(name, mode); }
int endmntent(FILE *f)
{
    if (f)
        fclose(f);
    return 1;
}

struct mntent *getmntent_r(FILE *f, struct mntent *to, char *room, int n)
{
    char *at, *part[6];
    do {
        if (!fgets(room, n, f))
            return NULL;
        room[strcspn(room, "\n")] = 0;
        at = room + strspn(room, " \t");
    } while (!*at || *at == '#');
    for (int i = 0; i < 6; i++) {
        part[i] = at;
        at += strcspn(at, " \t");
        if (*at)
            *at++ = 0;
        at += strspn(at, " \t");
    }
    *to = (struct mntent){ part[0], part[1], part[2], part[3], atoi(part[4]), atoi(part[5]) };
    return to;
}

struct mntent *getmntent(FILE *f)
{
    static struct mntent own;
    static char room[4096];
    return getmntent_r(f, &own, room, sizeof room);
}

int addmntent(FILE *f, const struct mntent *m)
{
    fseek(f, 0, SEEK_END);
    return fprintf(f, "%s %s %s %s %d %d\n", m->mnt_fsname, m->mnt_dir, m->mnt_type, m->mnt_opts, m->mnt_freq, m->mnt_passno) < 0 || fflush(f) != 0;
}

char *hasmntopt(const struct mntent *m, const char *option)
{
    size_t n = strlen(option);
    for (char *at = m->mnt_opts; *at; at += strspn(at, ",")) {
        if (!strncmp(at, option, n) && (!at[n] || strchr(",=", at[n])))
            return at;
        at += strcspn(at, ",");
    }
    return NULL;
}
