/* Read N and then N grades (integers). Print the mean with two decimals, then how many grades are above it. */
#include <stdio.h>

int main(void)
{
    int n, grades[100], above = 0;
    double sum = 0;

    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &grades[i]);
        sum += grades[i];
    }
    double mean = sum / n;
    for (int i = 0; i < n; i++)
        if (grades[i] > mean)
            above++;
    printf("Mean: %.2f\nAbove: %d\n", mean, above);
    return 0;
}
