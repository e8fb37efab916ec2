/* libintl.h without catalogs: each message is its own translation. And syslog.h: what is logged is written
   to standard error where LOG_PERROR says so. */
#define _GNU_SOURCE
#include <errno.h>
#include <libintl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#define GULO_DOMAIN 256
static char gulo_domain[GULO_DOMAIN] = "messages";

char *textdomain(const char *name)
{
    if (name) {
        if (strlen(name) >= GULO_DOMAIN) {
            errno = ENOMEM;
            return NULL;
        }
        strcpy(gulo_domain, *name ? name : "messages");
    }
    return gulo_domain;
}

#define GULO_DOMAINS 16
static struct { char name[GULO_DOMAIN], folder[4096], codeset[64]; int bound, coded; } gulo_domains[GULO_DOMAINS];

/* gulo_domain_at is the number of a domain: of a new one where there was none; -1 for no more room. */
static int gulo_domain_at(const char *name)
{
    if (!name || !*name || strlen(name) >= GULO_DOMAIN)
        return -1;
    for (int i = 0; i < GULO_DOMAINS; i++)
        if (!*gulo_domains[i].name || strcmp(gulo_domains[i].name, name) == 0) {
            strcpy(gulo_domains[i].name, name);
            return i;
        }
    errno = ENOMEM;
    return -1;
}

char *bindtextdomain(const char *name, const char *folder)
{
    static char none[] = "/usr/share/locale";
    int i = gulo_domain_at(name);
    if (i < 0)
        return NULL;
    if (folder) {
        if (strlen(folder) >= sizeof gulo_domains[i].folder) {
            errno = ENOMEM;
            return NULL;
        }
        strcpy(gulo_domains[i].folder, folder);
        gulo_domains[i].bound = 1;
    }
    return gulo_domains[i].bound ? gulo_domains[i].folder : none;
}

char *bind_textdomain_codeset(const char *name, const char *codeset)
{
    int i = gulo_domain_at(name);
    if (i < 0)
        return NULL;
    if (codeset) {
        if (strlen(codeset) >= sizeof gulo_domains[i].codeset) {
            errno = ENOMEM;
            return NULL;
        }
        strcpy(gulo_domains[i].codeset, codeset);
        gulo_domains[i].coded = 1;
    }
    return gulo_domains[i].coded ? gulo_domains[i].codeset : NULL;
}

static char *gulo_message(const char *text)
{
    if (text)
        (void)strlen(text);
    return (char *)text;
}

char *gettext(const char *text) { return gulo_message(text); }
char *dgettext(const char *name, const char *text) { return gulo_message(text); }
char *dcgettext(const char *name, const char *text, int category) { return gulo_message(text); }
char *ngettext(const char *one, const char *more, unsigned long n) { return gulo_message(n == 1 ? one : more); }
char *dngettext(const char *name, const char *one, const char *more, unsigned long n) { return gulo_message(n == 1 ? one : more); }
char *dcngettext(const char *name, const char *one, const char *more, unsigned long n, int category) { return gulo_message(n == 1 ? one : more); }

static const char *gulo_tag;
static int gulo_options, gulo_mask = 0xff;
extern char *program_invocation_short_name;

void openlog(const char *tag, int options, int facility)
{
    gulo_tag = tag;
    gulo_options = options;
}

void closelog(void)
{
    gulo_tag = NULL;
    gulo_options = 0;
}

int setlogmask(int mask)
{
    int old = gulo_mask;
    if (mask)
        gulo_mask = mask;
    return old;
}

void vsyslog(int priority, const char *format, va_list list)
{
    char text[4096], full[4096 + 300];
    int before = errno, n = vsnprintf(text, sizeof text, format, list);
    if (!(LOG_MASK(LOG_PRI(priority)) & gulo_mask) || !(gulo_options & LOG_PERROR) || n < 0)
        return;
    if (gulo_options & LOG_PID)
        n = snprintf(full, sizeof full, "%s[%d]: %s", gulo_tag ? gulo_tag : program_invocation_short_name, (int)getpid(), text);
    else
        n = snprintf(full, sizeof full, "%s: %s", gulo_tag ? gulo_tag : program_invocation_short_name, text);
    if ((size_t)n >= sizeof full)
        n = sizeof full - 1;
    if (n == 0 || full[n - 1] != '\n')
        full[n++] = '\n';
    write(2, full, n);
    errno = before;
}

void syslog(int priority, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsyslog(priority, format, list);
    va_end(list);
}
