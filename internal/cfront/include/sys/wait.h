#ifndef GULO_SYS_WAIT_H
#define GULO_SYS_WAIT_H
#include <sys/types.h>
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#define WIFEXITED(s) (((s) & 0x7f) == 0)
#define WEXITSTATUS(s) (((s) >> 8) & 0xff)
#endif
