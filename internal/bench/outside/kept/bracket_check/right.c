#include <stdio.h>
#include <string.h>

/* bracket matching, line by line
   says where the first thing wrong is, or how deep the nesting goes */

#define DEPTH 100

struct open
{
  char bracket;
  int column;
};

static struct open stack[DEPTH];
static int top;
static int deepest;

static void push (char c, int column)
{
  if (top == DEPTH)
    return;
  stack[top].bracket = c;
  stack[top].column = column;
  top++;
  if (top > deepest)
    deepest = top;
}

static int partner (char open, char close)
{
  return (open == '(' && close == ')')
      || (open == '[' && close == ']')
      || (open == '{' && close == '}');
}

/* the column of the first error, 0 if there is none */
static int check (const char *line, const char **why)
{
  int i, quoted = 0;

  top = 0;
  deepest = 0;
  for (i = 0; line[i] != '\0'; i++)
    {
      char c = line[i];
      if (c == '"')
        quoted = !quoted;
      if (quoted)
        continue;
      if (strchr ("([{", c))
        push (c, i + 1);
      else if (strchr (")]}", c))
        {
          if (top == 0)
            {
              *why = "nothing is open";
              return i + 1;
            }
          top--;
          if (!partner (stack[top].bracket, c))
            {
              *why = "does not fit";
              return i + 1;
            }
        }
    }
  if (top > 0)
    {
      *why = "is never closed";
      return stack[top - 1].column;
    }
  return 0;
}

int main (void)
{
  char line[256];
  int number = 0, bad = 0;

  while (fgets (line, sizeof line, stdin))
    {
      const char *why = "";
      int column;

      line[strcspn (line, "\n")] = '\0';
      number++;
      column = check (line, &why);
      if (column == 0)
        printf ("%d: fine, depth %d\n", number, deepest);
      else
        {
          printf ("%d: column %d: %c %s\n", number, column, line[column - 1], why);
          bad++;
        }
    }
  printf ("%d of %d lines are bad\n", bad, number);
  return bad > 0;
}
