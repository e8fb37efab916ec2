package web

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"strings"
	"sync"
)

// This file decides who may talk to the session. Whoever may can run any program of the user's. So the Host must be a
// loopback address with a port, which refuses a name that an attacker's DNS leads here. Every request from a page of
// another origin is refused, and everything but the first visit needs the cookie.

// gate holds the secrets that let a visitor in.
type gate struct {
	secret string // the cookie's value

	mu    sync.Mutex
	token map[string]bool // tokens that were handed out and not used yet
}

func newGate() gate { return gate{secret: random(), token: map[string]bool{}} }

// random returns 256 bits that cannot be guessed.
func random() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Invite returns a new token for the address; it is good for one visitor.
func (s *Server) Invite() string { return s.gate.invite() }

func (g *gate) invite() string {
	t := random()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.token[t] = true
	return t
}

// redeem uses up a token; false if it is not valid.
func (g *gate) redeem(t string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.token[t] {
		return false
	}
	delete(g.token, t)
	return true
}

// cookieName has the port in it: cookies do not, and two sessions may be open.
func cookieName(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return "gulo-" + port
}

// known reports whether the request has the cookie.
func (g *gate) known(r *http.Request) bool {
	c, err := r.Cookie(cookieName(r))
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.secret)) == 1
}

// refused says why a request is refused whoever sends it; "" if it is not.
func refused(r *http.Request) string {
	name, _, err := net.SplitHostPort(r.Host)
	if err != nil || !loopback(name) {
		return "this address is not the session's: only loopback addresses are answered"
	}
	if o := r.Header.Get("Origin"); o != "" && o != "http://"+r.Host {
		return "requests from other pages are not answered"
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin":
	case "none": // typed or opened from outside the browser
	default:
		// A link from elsewhere may open the page: without cookie or token nothing comes of it.
		if r.Method != http.MethodGet || r.URL.Path != "/" || r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			return "requests from other pages are not answered"
		}
	}
	if r.Method == http.MethodPost {
		if r.Header.Get("Origin") == "" {
			return "a request that changes something must say where it comes from"
		}
		if t, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(t) != "application/json" {
			return "a request that changes something must be JSON"
		}
	}
	return ""
}

// loopback reports whether a host is this machine, by address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// headers are those of every answer. Scripts and styles come from this server's
// files only; nothing else is loaded, framed, stored or told where it was linked from.
func headers(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}
