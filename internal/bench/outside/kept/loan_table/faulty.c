#include <stdio.h>
#include <stdlib.h>

/* How a loan is paid back. All amounts are in cents, the rate in hundredths of a percent per year,
 * interest is added every month and rounded to the cent.
 * usage: loan_table AMOUNT RATE PAYMENT [MONTHS]
 */

typedef long long money;

static money rounded_div(money a, money b)
{
	return (a + b / 2) / b;
}

static void put_money(money m)
{
	char buf[32];

	sprintf(buf, "%lld.%02lld", m / 100, m % 100);
	printf("%12s", buf);
}

static money interest_of(money balance, money rate)
{
	return rounded_div(balance * rate, 10000 * 12);
}

struct loan {
	money balance, rate, payment;
	money interest_paid;
	int months;
};

/* one month; 0 when the loan is paid back */
static int month(struct loan *l)
{
	money interest = interest_of(l->balance, l->rate);
	money pay = l->payment;

	l->months++;
	if (pay > l->balance)
		pay = l->balance;
	l->balance += interest;
	l->interest_paid += interest;
	l->balance -= pay;
	printf("%3d", l->months);
	put_money(interest);
	put_money(pay);
	put_money(l->balance);
	printf("\n");
	return l->balance > 0;
}

int main(int argc, char **argv)
{
	struct loan l;
	int limit = 24;

	if (argc < 4) {
		printf("usage: amount rate payment [months]\n");
		return 2;
	}
	l.balance = atoll(argv[1]);
	l.rate = atoll(argv[2]);
	l.payment = atoll(argv[3]);
	l.interest_paid = 0;
	l.months = 0;
	if (argc > 4)
		limit = atoi(argv[4]);
	if (l.balance <= 0 || l.rate < 0) {
		printf("no loan\n");
		return 2;
	}
	if (l.payment <= interest_of(l.balance, l.rate)) {
		printf("this will never be paid back\n");
		return 1;
	}
	while (l.months < limit && month(&l))
		;
	printf("after %d months", l.months);
	if (l.balance > 0) {
		printf(" still owed");
		put_money(l.balance);
	}
	printf(", interest");
	put_money(l.interest_paid);
	printf("\n");
	return 0;
}
