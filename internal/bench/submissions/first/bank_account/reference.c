/* Commands until "quit": "deposit X", "withdraw X", "balance". A withdrawal above the balance prints "insufficient funds"; "balance" prints "balance: B". The account begins with 0; amounts are integers. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char cmd[20];
    int balance = 0, x;

    while (scanf("%19s", cmd) == 1 && strcmp(cmd, "quit")) {
        if (!strcmp(cmd, "balance")) {
            printf("balance: %d\n", balance);
            continue;
        }
        scanf("%d", &x);
        if (!strcmp(cmd, "deposit"))
            balance += x;
        else if (x > balance)
            printf("insufficient funds\n");
        else
            balance -= x;
    }
    return 0;
}
