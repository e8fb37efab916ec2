int remainder_;

/* Division by subtraction.
   pre:  a >= 0 && b > 0
   post: a == result * b + remainder_ && remainder_ >= 0 && remainder_ < b */
int divide(int a, int b)
{
    int q = 0;
    int r = a;
    while (r >= b) {
        r = r - b;
        q = q + 1;
    }
    remainder_ = r;
    return q;
}
