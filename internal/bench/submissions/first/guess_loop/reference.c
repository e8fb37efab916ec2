/* Read a secret number, then guesses until it is guessed. For each guess print "higher", "lower" or "found in N tries" (the secret is higher/lower than the guess). */
#include <stdio.h>

int main(void)
{
    int secret, g, n = 0;

    scanf("%d", &secret);
    do {
        scanf("%d", &g);
        n++;
        if (g < secret)
            puts("higher");
        else if (g > secret)
            puts("lower");
    } while (g != secret);
    printf("found in %d tries\n", n);
    return 0;
}
