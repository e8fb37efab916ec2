/* Loaded into every process of a build that is watched. A compiler, or ar, that is called by its path, as CMake's makefiles
   and Ninja call it, notes its folder and its arguments in a file of its own below GULO_RECORD, in the form of the scripts
   that stand in front of those called by their names. What it starts itself, GULO_SEEN says, is not noted again. make and ninja
   note where they run. Which of the names are compilers is decided by who reads the notes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int tool(const char *name)
{
    static const char *parts[] = {"cc", "c++", "g++", "clang", "c89", "c99", "c17"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]) != NULL)
            return 1;
    return n >= 2 && strcmp(name + n - 2, "ar") == 0;
}

static int builder(const char *name)
{
    return strcmp(name, "make") == 0 || strcmp(name, "gmake") == 0 || strcmp(name, "ninja") == 0 || strcmp(name, "samu") == 0;
}

__attribute__((constructor)) static void note(int argc, char **argv)
{
    const char *to = getenv("GULO_RECORD");
    if (to == NULL || getenv("GULO_SEEN") != NULL || argc < 1 || argv == NULL || argv[0] == NULL)
        return;
    const char *name = strrchr(argv[0], '/');
    name = name == NULL ? argv[0] : name + 1;
    if (!tool(name) && !builder(name))
        return;
    char dir[4096], file[4096];
    if (getcwd(dir, sizeof dir) == NULL || snprintf(file, sizeof file, "%s/%ld", to, (long)getpid()) >= (int)sizeof file)
        return;
    FILE *f = fopen(file, "ae");
    if (f == NULL)
        return;
    fprintf(f, "%d%c%s%c", argc, 0, dir, 0);
    for (int i = 0; i < argc; i++)
        fprintf(f, "%s%c", argv[i], 0);
    fclose(f);
    if (!builder(name))
        setenv("GULO_SEEN", "1", 1);
}
