#ifndef GULO_UNISTD_H
#define GULO_UNISTD_H
#include <stddef.h>
typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int useconds_t;
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
unsigned sleep(unsigned);
int usleep(useconds_t);
int isatty(int);
int close(int);
pid_t fork(void);
pid_t getpid(void);
pid_t getppid(void);
int kill(pid_t, int);
void _exit(int) __attribute__((noreturn));
extern char *optarg;
extern int optind;
int getopt(int, char *const[], const char *);
#endif
