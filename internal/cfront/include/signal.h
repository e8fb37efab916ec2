#ifndef GULO_SIGNAL_H
#define GULO_SIGNAL_H
#define SIGINT 2
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGSEGV 11
#define SIGTERM 15
#define SIGALRM 14
typedef void (*__sighandler_t)(int);
typedef int sig_atomic_t;
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
__sighandler_t signal(int, __sighandler_t);
int raise(int);
#endif
