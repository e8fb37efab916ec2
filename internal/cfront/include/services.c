/* netdb.h, arpa/inet.h and netinet/ether.h: the services and protocols that every system knows, no networks, and addresses
   as texts. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; int port; const char *proto; } gulo_services[] = {
    { "echo", 7, "tcp" }, { "echo", 7, "udp" }, { "discard", 9, "tcp" }, { "discard", 9, "udp" }, { "daytime", 13, "tcp" }, { "daytime", 13, "udp" },
    { "ftp-data", 20, "tcp" }, { "ftp", 21, "tcp" }, { "ssh", 22, "tcp" }, { "telnet", 23, "tcp" }, { "smtp", 25, "tcp" }, { "time", 37, "tcp" },
    { "time", 37, "udp" }, { "domain", 53, "tcp" }, { "domain", 53, "udp" }, { "tftp", 69, "udp" }, { "finger", 79, "tcp" }, { "http", 80, "tcp" },
    { "pop3", 110, "tcp" }, { "ntp", 123, "udp" }, { "imap2", 143, "tcp" }, { "snmp", 161, "udp" }, { "https", 443, "tcp" }, { "https", 443, "udp" },
    { "syslog", 514, "udp" }, { "imaps", 993, "tcp" }, { "pop3s", 995, "tcp" },
};
static const struct { const char *name, *alias; int number; } gulo_protocols[] = {
    { "ip", "IP", 0 }, { "icmp", "ICMP", 1 }, { "igmp", "IGMP", 2 }, { "tcp", "TCP", 6 }, { "udp", "UDP", 17 }, { "ipv6", "IPv6", 41 }, { "ipv6-icmp", "IPv6-ICMP", 58 },
};
#define MANY(list) (sizeof list / sizeof *list)

static unsigned gulo_service, gulo_protocol;

static struct servent *gulo_served(unsigned i)
{
    static char *none[1];
    static struct servent s;
    if (i >= MANY(gulo_services))
        return NULL;
    s = (struct servent){ (char *)gulo_services[i].name, none, htons(gulo_services[i].port), (char *)gulo_services[i].proto };
    return &s;
}

static struct servent *gulo_search(const char *name, int port, const char *proto)
{
    for (unsigned i = 0; i < MANY(gulo_services); i++)
        if ((name ? !strcmp(name, gulo_services[i].name) : port == htons(gulo_services[i].port)) && (!proto || !strcmp(proto, gulo_services[i].proto)))
            return gulo_served(i);
    return NULL;
}

struct servent *getservbyname(const char *name, const char *proto) { return gulo_search(name, 0, proto); }
struct servent *getservbyport(int port, const char *proto) { return gulo_search(NULL, port, proto); }
struct servent *getservent(void) { return gulo_served(gulo_service++); }
void setservent(int stay) { gulo_service = 0; }
void endservent(void) { gulo_service = 0; }

static struct protoent *gulo_known(unsigned i)
{
    static char *alias[2];
    static struct protoent p;
    if (i >= MANY(gulo_protocols))
        return NULL;
    alias[0] = (char *)gulo_protocols[i].alias;
    p = (struct protoent){ (char *)gulo_protocols[i].name, alias, gulo_protocols[i].number };
    return &p;
}

struct protoent *getprotobyname(const char *name)
{
    unsigned i = 0;
    while (i < MANY(gulo_protocols) && strcmp(name, gulo_protocols[i].name) && strcmp(name, gulo_protocols[i].alias))
        i++;
    return gulo_known(i);
}

struct protoent *getprotobynumber(int n)
{
    unsigned i = 0;
    while (i < MANY(gulo_protocols) && n != gulo_protocols[i].number)
        i++;
    return gulo_known(i);
}

struct protoent *getprotoent(void) { return gulo_known(gulo_protocol++); }
void setprotoent(int stay) { gulo_protocol = 0; }
void endprotoent(void) { gulo_protocol = 0; }

struct netent *getnetbyname(const char *name) { h_errno = HOST_NOT_FOUND; return NULL; }
struct netent *getnetbyaddr(uint32_t net, int type) { h_errno = HOST_NOT_FOUND; return NULL; }
struct netent *getnetent(void) { return NULL; }
void setnetent(int stay) {}
void endnetent(void) {}
struct hostent *gethostent(void) { return NULL; }
void sethostent(int stay) {}
void endhostent(void) {}

struct hostent *gethostbyname2(const char *name, int family)
{
    if (family == AF_INET)
        return gethostbyname(name);
    h_errno = HOST_NOT_FOUND;
    return NULL;
}

struct hostent *gethostbyaddr(const void *address, socklen_t n, int family)
{
    if (family == AF_INET && n == 4 && *(const unsigned char *)address == 127)
        return gethostbyname("localhost");
    h_errno = HOST_NOT_FOUND;
    return NULL;
}

/* A copy of a host whose parts are in memory of the caller's. */
int gethostbyname_r(const char *name, struct hostent *to, char *room, size_t n, struct hostent **result, int *error)
{
    struct hostent *h = gethostbyname(name);
    *result = NULL;
    if (!h) {
        *error = h_errno;
        return 0;
    }
    size_t long_ = strlen(h->h_name) + 1;
    if (n < 3 * sizeof(char *) + h->h_length + long_) {
        *error = NETDB_INTERNAL;
        errno = ERANGE;
        return ERANGE;
    }
    char **list = (char **)room;
    list[0] = room + 3 * sizeof *list;
    list[1] = list[2] = NULL;
    memcpy(list[0], h->h_addr_list[0], h->h_length);
    char *text = list[0] + h->h_length;
    memcpy(text, h->h_name, long_);
    *to = (struct hostent){ text, list + 2, h->h_addrtype, h->h_length, list };
    *result = to;
    return 0;
}

const char *hstrerror(int e)
{
    static const char *const texts[] = { "Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure", "Unknown server error", "No address associated with name" };
    return e < 0 ? "Resolver internal error" : e < 5 ? texts[e] : "Unknown resolver error";
}

void herror(const char *text)
{
    if (text && *text)
        fprintf(stderr, "%s: ", text);
    fprintf(stderr, "%s\n", hstrerror(h_errno));
}

int *__h_errno_location(void)
{
    static _Thread_local int own;
    return &own;
}

/* The classes of addresses of old. */
static int gulo_host(in_addr_t a) { return IN_CLASSA(a) ? 24 : IN_CLASSB(a) ? 16 : 8; }
in_addr_t inet_lnaof(struct in_addr in) { in_addr_t a = ntohl(in.s_addr); return a & ((1u << gulo_host(a)) - 1); }
in_addr_t inet_netof(struct in_addr in) { in_addr_t a = ntohl(in.s_addr); return a >> gulo_host(a); }

struct in_addr inet_makeaddr(in_addr_t net, in_addr_t host)
{
    struct in_addr in;
    int bits = net < 128 ? 24 : net < 65536 ? 16 : net < 16777216 ? 8 : 0;
    in.s_addr = htonl(bits ? net << bits | (host & ((1u << bits) - 1)) : net | host);
    return in;
}

in_addr_t inet_network(const char *text)
{
    in_addr_t v = 0;
    for (int parts = 0;; parts++) {
        char *end;
        unsigned long n = strtoul(text, &end, 0);
        if (end == text || n > 255 || parts == 4)
            return INADDR_NONE;
        v = v << 8 | n;
        if (*end != '.')
            return *end ? INADDR_NONE : v;
        text = end + 1;
    }
}

/* Addresses of Ethernet. */
struct ether_addr *ether_aton_r(const char *text, struct ether_addr *to)
{
    for (int i = 0; i < 6; i++) {
        char *end;
        unsigned long n = strtoul(text, &end, 16);
        if (end == text || end - text > 2 || (i < 5 && *end != ':'))
            return NULL;
        to->ether_addr_octet[i] = n;
        text = end + 1;
    }
    return to;
}

struct ether_addr *ether_aton(const char *text)
{
    static struct ether_addr own;
    return ether_aton_r(text, &own);
}

char *ether_ntoa_r(const struct ether_addr *a, char *to)
{
    const uint8_t *x = a->ether_addr_octet;
    sprintf(to, "%x:%x:%x:%x:%x:%x", x[0], x[1], x[2], x[3], x[4], x[5]);
    return to;
}

char *ether_ntoa(const struct ether_addr *a)
{
    static char own[18];
    return ether_ntoa_r(a, own);
}

int ether_ntohost(char *name, const struct ether_addr *a) { return -1; }
int ether_hostton(const char *name, struct ether_addr *to) { return -1; }
