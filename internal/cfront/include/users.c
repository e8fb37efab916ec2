/* pwd.h and grp.h, and the identity of the process: the users root and user, and a group of each. Only
   user, who runs the program, can be had; becoming another one is not allowed. */
#define _GNU_SOURCE
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define GULO_USERS 2

static struct passwd gulo_users[GULO_USERS] = {
    { "root", "x", 0, 0, "root", "/root", "/bin/sh" },
    { "user", "x", 1000, 1000, "user", "/home/user", "/bin/sh" },
};
static char *gulo_nobody[] = { NULL };
static struct group gulo_groups[GULO_USERS] = {
    { "root", "x", 0, gulo_nobody },
    { "user", "x", 1000, gulo_nobody },
};

/* What the functions return each time, and how far the lists were read. */
static struct passwd gulo_user;
static struct group gulo_group;
static int gulo_user_at, gulo_group_at;

static struct passwd *gulo_this_user(int i)
{
    if (i >= GULO_USERS)
        return NULL;
    gulo_user = gulo_users[i];
    return &gulo_user;
}

static struct group *gulo_this_group(int i)
{
    if (i >= GULO_USERS)
        return NULL;
    gulo_group = gulo_groups[i];
    return &gulo_group;
}

static int gulo_user_named(const char *name)
{
    int i = 0;
    while (i < GULO_USERS && strcmp(gulo_users[i].pw_name, name) != 0)
        i++;
    return i;
}

static int gulo_user_of(uid_t id)
{
    int i = 0;
    while (i < GULO_USERS && gulo_users[i].pw_uid != id)
        i++;
    return i;
}

struct passwd *getpwnam(const char *name) { return gulo_this_user(gulo_user_named(name)); }
struct passwd *getpwuid(uid_t id) { return gulo_this_user(gulo_user_of(id)); }
struct group *getgrnam(const char *name) { return gulo_this_group(gulo_user_named(name)); }
struct group *getgrgid(gid_t id) { return gulo_this_group(gulo_user_of(id)); }

void setpwent(void) { gulo_user_at = 0; }
void endpwent(void) { gulo_user_at = 0; }
void setgrent(void) { gulo_group_at = 0; }
void endgrent(void) { gulo_group_at = 0; }
struct passwd *getpwent(void) { return gulo_user_at < GULO_USERS ? gulo_this_user(gulo_user_at++) : NULL; }
struct group *getgrent(void) { return gulo_group_at < GULO_USERS ? gulo_this_group(gulo_group_at++) : NULL; }

/* gulo_put copies a text into the caller's room; it returns NULL where that is too small. */
static char *gulo_put(char **room, size_t *left, const char *text)
{
    size_t n = strlen(text) + 1;
    char *at = *room;
    if (n > *left)
        return NULL;
    memcpy(at, text, n);
    *room += n;
    *left -= n;
    return at;
}

static int gulo_user_to(int i, struct passwd *to, char *room, size_t size, struct passwd **result)
{
    *result = NULL;
    if (i >= GULO_USERS)
        return 0;
    *to = gulo_users[i];
    if (!(to->pw_name = gulo_put(&room, &size, to->pw_name)) || !(to->pw_passwd = gulo_put(&room, &size, to->pw_passwd))
        || !(to->pw_gecos = gulo_put(&room, &size, to->pw_gecos)) || !(to->pw_dir = gulo_put(&room, &size, to->pw_dir))
        || !(to->pw_shell = gulo_put(&room, &size, to->pw_shell)))
        return ERANGE;
    *result = to;
    return 0;
}

static int gulo_group_to(int i, struct group *to, char *room, size_t size, struct group **result)
{
    *result = NULL;
    if (i >= GULO_USERS)
        return 0;
    size_t odd = -(size_t)room % sizeof(char *);
    if (size < odd + sizeof(char *))
        return ERANGE;
    *to = gulo_groups[i];
    to->gr_mem = (char **)(room + odd);
    *to->gr_mem = NULL;
    room += odd + sizeof(char *);
    size -= odd + sizeof(char *);
    if (!(to->gr_name = gulo_put(&room, &size, to->gr_name)) || !(to->gr_passwd = gulo_put(&room, &size, to->gr_passwd)))
        return ERANGE;
    *result = to;
    return 0;
}

int getpwnam_r(const char *name, struct passwd *to, char *room, size_t size, struct passwd **result)
{
    return gulo_user_to(gulo_user_named(name), to, room, size, result);
}

int getpwuid_r(uid_t id, struct passwd *to, char *room, size_t size, struct passwd **result)
{
    return gulo_user_to(gulo_user_of(id), to, room, size, result);
}

int getgrnam_r(const char *name, struct group *to, char *room, size_t size, struct group **result)
{
    return gulo_group_to(gulo_user_named(name), to, room, size, result);
}

int getgrgid_r(gid_t id, struct group *to, char *room, size_t size, struct group **result)
{
    return gulo_group_to(gulo_user_of(id), to, room, size, result);
}

int getpwent_r(struct passwd *to, char *room, size_t size, struct passwd **result)
{
    int e = gulo_user_to(gulo_user_at, to, room, size, result);
    if (e == 0 && !*result)
        return ENOENT;
    if (e == 0)
        gulo_user_at++;
    return e;
}

int getgrent_r(struct group *to, char *room, size_t size, struct group **result)
{
    int e = gulo_group_to(gulo_group_at, to, room, size, result);
    if (e == 0 && !*result)
        return ENOENT;
    if (e == 0)
        gulo_group_at++;
    return e;
}

int getgroups(int n, gid_t *list)
{
    if (n == 0)
        return 1;
    if (n < 0) {
        errno = EINVAL;
        return -1;
    }
    *list = 1000;
    return 1;
}

int getgrouplist(const char *name, gid_t group, gid_t *list, int *n)
{
    if (*n < 1) {
        *n = 1;
        return -1;
    }
    *list = group;
    *n = 1;
    return 1;
}

int group_member(gid_t group) { return group == 1000; }

static int gulo_not_allowed(void)
{
    errno = EPERM;
    return -1;
}

int initgroups(const char *name, gid_t group)
{
    (void)strlen(name);
    return gulo_not_allowed();
}

int setgroups(size_t n, const gid_t *list)
{
    for (size_t i = 0; i < n; i++) {
        gid_t read = list[i];
        (void)read;
    }
    return gulo_not_allowed();
}

static int gulo_own(long id) { return id == 1000 || id == (uid_t)-1 ? 0 : gulo_not_allowed(); }
static int gulo_become(uid_t id)
{
    if (id == (uid_t)-1) {
        errno = EINVAL;
        return -1;
    }
    return gulo_own(id);
}

int setuid(uid_t id) { return gulo_become(id); }
int seteuid(uid_t id) { return gulo_become(id); }
int setgid(gid_t id) { return gulo_become(id); }
int setegid(gid_t id) { return gulo_become(id); }
int setreuid(uid_t real, uid_t effective) { return gulo_own(real) ? -1 : gulo_own(effective); }
int setregid(gid_t real, gid_t effective) { return gulo_own(real) ? -1 : gulo_own(effective); }
int setresuid(uid_t real, uid_t effective, uid_t saved) { return setreuid(real, effective) ? -1 : gulo_own(saved); }
int setresgid(gid_t real, gid_t effective, gid_t saved) { return setregid(real, effective) ? -1 : gulo_own(saved); }

int getresuid(uid_t *real, uid_t *effective, uid_t *saved)
{
    *real = *effective = *saved = 1000;
    return 0;
}

int getresgid(gid_t *real, gid_t *effective, gid_t *saved)
{
    *real = *effective = *saved = 1000;
    return 0;
}

char *getlogin(void)
{
    errno = ENXIO;
    return NULL;
}

int getlogin_r(char *name, size_t n) { return ENXIO; }

char *ctermid(char *name)
{
    static char own[L_ctermid];
    return strcpy(name ? name : own, "/dev/tty");
}
