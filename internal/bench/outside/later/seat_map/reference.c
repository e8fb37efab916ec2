#include <stdio.h>
#include <string.h>

/* One string for the whole house, a row after the other; a run of free seats is found with strspn. */

char plan[41];

int try_at(int place, int n, char who)
{
  if (n < 1 || place % 8 + n > 8)
    return 0;
  if ((int)strspn(plan + place, ".") < n)
    return 0;
  memset(plan + place, who, n);
  printf("group %c sits at %c%d\n", who, "ABCDE"[place / 8], place % 8 + 1);
  return 1;
}

void picture(void)
{
  int i, dots = 0;
  for (i = 0; i < 5; i++)
    printf("%c %.8s\n", "ABCDE"[i], plan + 8 * i);
  for (i = 0; plan[i]; i++)
    dots += plan[i] == '.';
  printf("%d left\n", dots);
}

int main(void)
{
  char word[32], row[4], who = 'a';
  int seat, n, place;

  memset(plan, '.', 40);
  while (scanf("%31s", word) == 1) {
    switch (word[1]) {
    case 'o': /* book */
      scanf("%3s %d %d", row, &seat, &n);
      place = (row[0] - 'A') * 8 + seat - 1;
      if (strchr("ABCDE", row[0]) && seat >= 1 && seat <= 8 && try_at(place, n, who))
        who++;
      else
        printf("%s%d: no\n", row, seat);
      break;
    case 'e': /* best */
      scanf("%d", &n);
      for (place = 0; place < 40; place++)
        if (try_at(place, n, who))
          break;
      if (place < 40)
        who++;
      else
        printf("no place for %d\n", n);
      break;
    case 'r': /* free */
      scanf("%3s %d", row, &seat);
      if (strchr("ABCDE", row[0]) && seat >= 1 && seat <= 8)
        plan[(row[0] - 'A') * 8 + seat - 1] = '.';
      break;
    case 'h':
      picture();
      break;
    default:
      printf("what is %s?\n", word);
      return 1;
    }
  }
  picture();
  return 0;
}
