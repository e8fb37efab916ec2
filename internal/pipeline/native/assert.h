/* Stands before the library's header: assertions that hold are counted, since what gets round one has not
   made it hold. */
#undef assert
#ifndef GULO_ASSERT_H
#define GULO_ASSERT_H
void gulo_holds(int yes, int line);
#endif
#define assert(e) gulo_holds((e) ? 1 : 0, __LINE__)
