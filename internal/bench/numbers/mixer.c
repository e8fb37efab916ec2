/* Two audio samples mixed with gains, within 16 bits. */
#include <stdio.h>

#define HIGH 32767
#define LOW (-32768)
#define FULL 128

static int clip(int v)
{
    if (v > HIGH)
        return HIGH;
    if (v < LOW)
        return LOW;
    return v;
}

int mix(short left, short right, int gain_left, int gain_right)
{
    if (gain_left < 0)
        gain_left = 0;
    if (gain_right < 0)
        gain_right = 0;
    if (gain_left > FULL)
        gain_left = FULL;
    if (gain_right > FULL)
        gain_right = FULL;
    int a = left * gain_left / FULL;
    int b = right * gain_right / FULL;
    return clip(a + b);
}

int main(void)
{
    printf("%d %d\n", mix(30000, 20000, 128, 128), mix(-100, 50, 64, 200));
    return 0;
}
