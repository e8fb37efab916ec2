#define and &&
#define or ||
#define not !
#define not_eq !=
