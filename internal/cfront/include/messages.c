/* error.h, psignal and its relatives, getsubopt, rpmatch and what is written of numbers. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <error.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char *program_invocation_name;

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void gulo_error(int status, int number, const char *file, unsigned line, const char *format, va_list list)
{
    fflush(stdout);
    if (error_print_progname)
        error_print_progname();
    else
        fprintf(stderr, file ? "%s:" : "%s: ", program_invocation_name);
    if (file)
        fprintf(stderr, "%s:%u: ", file, line);
    vfprintf(stderr, format, list);
    error_message_count++;
    if (number)
        fprintf(stderr, ": %s", strerror(number));
    putc('\n', stderr);
    fflush(stderr);
    if (status)
        exit(status);
}

void error(int status, int number, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    gulo_error(status, number, NULL, 0, format, list);
    va_end(list);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    static const char *last_file;
    static unsigned last_line;
    va_list list;
    if (error_one_per_line) {
        if (last_line == line && (file == last_file || (last_file && file && strcmp(file, last_file) == 0)))
            return;
        last_file = file;
        last_line = line;
    }
    va_start(list, format);
    gulo_error(status, number, file, line, format, list);
    va_end(list);
}

void psignal(int n, const char *text)
{
    const char *name = n > 0 && n < 65 ? strsignal(n) : NULL;
    if (text && *text)
        fprintf(stderr, "%s: ", text);
    if (name)
        fprintf(stderr, "%s\n", name);
    else
        fprintf(stderr, "Unknown signal %d\n", n);
}

const char *sigabbrev_np(int n)
{
    static const char *const names[] = { NULL, "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT",
        "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS" };
    return n > 0 && n < 32 ? names[n] : NULL;
}

const char *sigdescr_np(int n) { return n > 0 && n < 32 ? strsignal(n) : NULL; }
const char *strerrordesc_np(int n) { return n >= 0 && n < 134 && n != 41 && n != 58 ? strerror(n) : NULL; }

int getsubopt(char **at, char *const *tokens, char **value)
{
    char *start = *at, *end = start + strcspn(start, ",");
    *value = NULL;
    if (!*start)
        return -1;
    size_t n = strcspn(start, ",=");
    int more = *end == ',';
    for (int i = 0; tokens[i]; i++)
        if (strlen(tokens[i]) == n && strncmp(tokens[i], start, n) == 0) {
            if (start + n < end)
                *value = start + n + 1;
            *end = 0;
            *at = end + more;
            return i;
        }
    *value = start;
    *end = 0;
    *at = end + more;
    return -1;
}

int rpmatch(const char *text) { return *text == 'y' || *text == 'Y' ? 1 : *text == 'n' || *text == 'N' ? 0 : -1; }

char *l64a(long v)
{
    static const char digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static char text[7];
    unsigned long n = (unsigned int)v;
    int i = 0;
    for (; n; n >>= 6)
        text[i++] = digits[n & 63];
    text[i] = 0;
    return text;
}

/* Numbers as digits without a point: at most 17 of them, which is what a double has. */
int fcvt_r(double v, int digits, int *point, int *negative, char *to, size_t size)
{
    char text[400];
    *negative = 0;
    *point = 0;
    if (!isfinite(v)) {
        snprintf(to, size, "%f", v);
        return 0;
    }
    *negative = signbit(v) != 0;
    v = fabs(v);
    if (digits > 17)
        digits = 17;
    int cut = 0;
    if (digits < 0) {
        while (digits < 0) {
            double next = v * 0.1;
            if (next < 1.0)
                digits = 0;
            else {
                v = next;
                digits++;
                cut++;
            }
        }
    }
    int n = snprintf(text, sizeof text, "%.*f", digits, v), k = strcspn(text, ".");
    *point = k;
    if (text[k])
        memmove(text + k, text + k + 1, n - k);
    char *from = text;
    if (v != 0 && *from == '0') {
        *point = 0;
        from++;
        while (*from == '0') {
            from++;
            --*point;
        }
    }
    n = strlen(from);
    if ((size_t)(n + cut) >= size)
        return -1;
    strcpy(to, from);
    *point += cut;
    while (cut--)
        strcat(to, "0");
    return 0;
}

int ecvt_r(double v, int digits, int *point, int *negative, char *to, size_t size)
{
    char text[64];
    *negative = 0;
    *point = 0;
    if (!isfinite(v)) {
        snprintf(to, size, "%f", v);
        return 0;
    }
    *negative = signbit(v) != 0;
    if (digits > 17)
        digits = 17;
    if (digits <= 0) {
        *to = 0;
        snprintf(text, sizeof text, "%.0e", fabs(v));
        *point = v == 0 ? 1 : atoi(strchr(text, 'e') + 1) + 1;
        return 0;
    }
    snprintf(text, sizeof text, "%.*e", digits - 1, fabs(v));
    char *e = strchr(text, 'e');
    *point = v == 0 ? 1 : atoi(e + 1) + 1;
    *e = 0;
    if (text[1] == '.')
        memmove(text + 1, text + 2, strlen(text + 1));
    if (strlen(text) >= size)
        return -1;
    strcpy(to, text);
    return 0;
}

char *ecvt(double v, int digits, int *point, int *negative)
{
    static char own[64];
    ecvt_r(v, digits, point, negative, own, sizeof own);
    return own;
}

char *fcvt(double v, int digits, int *point, int *negative)
{
    static char own[400];
    fcvt_r(v, digits, point, negative, own, sizeof own);
    return own;
}

char *gcvt(double v, int digits, char *to)
{
    sprintf(to, "%.*g", digits > 17 ? 17 : digits, v);
    return to;
}

/* signal.h: sets, and what System V has. */
int sigandset(sigset_t *to, const sigset_t *a, const sigset_t *b)
{
    for (size_t i = 0; i < sizeof to->__val / sizeof *to->__val; i++)
        to->__val[i] = a->__val[i] & b->__val[i];
    return 0;
}

int sigorset(sigset_t *to, const sigset_t *a, const sigset_t *b)
{
    for (size_t i = 0; i < sizeof to->__val / sizeof *to->__val; i++)
        to->__val[i] = a->__val[i] | b->__val[i];
    return 0;
}

int sigisemptyset(const sigset_t *s)
{
    for (size_t i = 0; i < sizeof s->__val / sizeof *s->__val; i++)
        if (s->__val[i])
            return 0;
    return 1;
}

static int gulo_masked(int n, int how)
{
    sigset_t s;
    sigemptyset(&s);
    return sigaddset(&s, n) ? -1 : sigprocmask(how, &s, NULL);
}

int sighold(int n) { return gulo_masked(n, SIG_BLOCK); }
int sigrelse(int n) { return gulo_masked(n, SIG_UNBLOCK); }
int sigignore(int n) { return signal(n, SIG_IGN) == SIG_ERR ? -1 : 0; }
int gsignal(int n) { return raise(n); }
__sighandler_t ssignal(int n, __sighandler_t f) { return signal(n, f); }
int siggetmask(void) { return sigblock(0); }

/* System V's sigset, which also tells whether a signal was blocked, and sigpause. */
__sighandler_t sigset(int n, __sighandler_t f)
{
    sigset_t s, old;
    struct sigaction a = { .sa_handler = f }, was;
    sigemptyset(&s);
    if (sigaddset(&s, n) || sigprocmask(f == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &s, &old))
        return SIG_ERR;
    if (sigaction(n, f == SIG_HOLD ? NULL : &a, &was))
        return SIG_ERR;
    return sigismember(&old, n) ? SIG_HOLD : was.sa_handler;
}

int __xpg_sigpause(int n)
{
    sigset_t s;
    if (sigprocmask(SIG_BLOCK, NULL, &s) || sigdelset(&s, n))
        return -1;
    return sigsuspend(&s);
}

void psiginfo(const siginfo_t *s, const char *text)
{
    const char *name = s->si_signo > 0 && s->si_signo < 32 ? strsignal(s->si_signo) : NULL;
    if (text && *text)
        fprintf(stderr, "%s: ", text);
    if (!name) {
        fprintf(stderr, "Unknown signal %d\n", s->si_signo);
        return;
    }
    const char *why = s->si_code == SI_USER ? "Signal sent by kill()" : s->si_code == SI_QUEUE ? "Signal sent by sigqueue()"
        : s->si_code == SI_TKILL ? "Signal sent by tkill()" : s->si_code == SI_TIMER ? "Signal generated by the expiration of a timer" : NULL;
    if (why)
        fprintf(stderr, "%s (%s %ld %ld)\n", name, why, (long)s->si_pid, (long)s->si_uid);
    else
        fprintf(stderr, "%s (%d %ld %ld)\n", name, s->si_code, (long)s->si_pid, (long)s->si_uid);
}
