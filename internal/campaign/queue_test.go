package campaign

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	if len(os.Args) > 1 && os.Args[1] == "job" {
		oneJob()
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "agree" {
		asked()
		return
	}
	switch os.Getenv("CAMPAIGN_ROLE") {
	case "coordinator":
		coordinator()
	case "worker":
		work(os.Getenv("CAMPAIGN_URL"), "")
	default:
		os.Exit(m.Run())
	}
}

const testJobs = 2000

// note appends a line to the log of what was done; O_APPEND keeps lines whole.
func note(line string) {
	f, err := os.OpenFile(os.Getenv("CAMPAIGN_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(f, line)
	f.Close()
}

func testHandler(ctx context.Context, id string, job []byte) ([]byte, error) {
	time.Sleep(time.Millisecond)
	note(id)
	return append([]byte("did "), job...), nil
}

func testFailed(id string, err error) []byte { return []byte("failed: " + err.Error()) }

// coordinator fills the queue of a folder and works on it; it may be killed.
func coordinator() {
	ctx := context.Background()
	q, err := Open(ctx, "", os.Getenv("CAMPAIGN_DIR"), "t")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := 0; i < testJobs; i++ {
		if err := q.Add(ctx, fmt.Sprintf("j%d", i), []byte(fmt.Sprint(i))); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	if err := q.Work(ctx, testHandler, testFailed, true); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	q.Close()
	fmt.Println("finished")
	os.Exit(0)
}

func work(url, dir string) {
	q, err := Open(context.Background(), url, dir, "t")
	if err == nil {
		q.lease = 4 * time.Second
		err = q.Work(context.Background(), testHandler, testFailed, false)
	}
	fmt.Println(err)
	os.Exit(1)
}

func child(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), env...)
	return c
}

// complete checks that every job has one right result.
func complete(t *testing.T, q *Queue) {
	t.Helper()
	ctx := context.Background()
	for i := 0; i < testJobs; i++ {
		r, done, err := q.Result(ctx, fmt.Sprintf("j%d", i))
		if err != nil || !done || string(r) != fmt.Sprintf("did %d", i) {
			t.Fatalf("job %d: %q %v %v", i, r, done, err)
		}
		if s, ok := q.keeper.(*served); ok {
			h, err := s.results.History(ctx, fmt.Sprintf("j%d", i))
			if err != nil || len(h) != 1 {
				t.Fatalf("job %d: %d results %v", i, len(h), err)
			}
		}
	}
	if n, err := q.Done(ctx); err != nil || n != testJobs {
		t.Errorf("%d results, %v", n, err)
	}
}

func logged(path string) int {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
	}
	return n
}

// TestCoordinatorKilled kills the process that holds the queue, four times in the
// middle; the last one finishes.
func TestCoordinatorKilled(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	env := []string{"CAMPAIGN_ROLE=coordinator", "CAMPAIGN_DIR=" + dir, "CAMPAIGN_LOG=" + log}
	for k := 1; k <= 4; k++ {
		c := child(t, env...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(60 * time.Second); logged(log) < k*testJobs/6 && time.Now().Before(end); {
			time.Sleep(5 * time.Millisecond)
		}
		_ = c.Process.Kill()
		_ = c.Wait()
	}
	done := logged(log)
	out, err := child(t, env...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "finished") {
		t.Fatalf("%v: %s", err, out)
	}
	q, err := Open(context.Background(), "", dir, "t")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	complete(t, q)
	t.Logf("%d of %d jobs were done before the last start, %d done in all", done, testJobs, logged(log))
	if done < testJobs/3 || done >= testJobs {
		t.Errorf("%d jobs done when the coordinator was killed last: not in the middle", done)
	}
	if n := logged(log); n > testJobs+20 {
		t.Errorf("%d jobs done for %d", n, testJobs)
	}
}

// TestWorkersKilled kills workers at a server again and again.
func TestWorkersKilled(t *testing.T) {
	dir := t.TempDir()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	ctx := context.Background()
	q, err := Open(ctx, s.ClientURL(), "", "t")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for i := 0; i < testJobs; i++ {
		if err := q.Add(ctx, fmt.Sprintf("j%d", i), []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(dir, "log")
	rnd := rand.New(rand.NewSource(1))
	var ws [3]*exec.Cmd
	launch := func(i int) {
		ws[i] = child(t, "CAMPAIGN_ROLE=worker", "CAMPAIGN_URL="+s.ClientURL(), "CAMPAIGN_LOG="+log)
		if err := ws[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range ws {
		launch(i)
	}
	defer func() {
		for _, w := range ws {
			_ = w.Process.Kill()
			_ = w.Wait()
		}
	}()
	kills := 0
	for end := time.Now().Add(120 * time.Second); time.Now().Before(end); {
		if n, err := q.Done(ctx); err != nil || n == testJobs {
			break
		}
		time.Sleep(150 * time.Millisecond)
		if kills < 12 {
			i := rnd.Intn(len(ws))
			_ = ws[i].Process.Kill()
			_ = ws[i].Wait()
			kills++
			launch(i)
		}
	}
	complete(t, q)
	t.Logf("%d workers killed, %d jobs done for %d", kills, logged(log), testJobs)
	if kills < 3 {
		t.Errorf("only %d workers were killed", kills)
	}
}

// TestResume adds the jobs twice: those with results stay as they are.
func TestResume(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	t.Setenv("CAMPAIGN_LOG", filepath.Join(dir, "log"))
	for round := 0; round < 2; round++ {
		q, err := Open(ctx, "", dir, "r")
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < 20; i++ {
			for again := 0; again < 2; again++ {
				if err := q.Add(ctx, fmt.Sprintf("j%d", i), []byte("x")); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := q.Work(ctx, testHandler, testFailed, true); err != nil {
			t.Fatal(err)
		}
		q.Close()
	}
	if n := logged(filepath.Join(dir, "log")); n != 20 {
		t.Errorf("%d jobs done for 20", n)
	}
}

// TestInHand: a job that a process had in hand when it ended is handed out by the next run at once, not when its lease
// has passed.
func TestInHand(t *testing.T) {
	dir := t.TempDir()
	open := func() *Queue {
		t.Helper()
		q, err := Open(context.Background(), "", dir, "h")
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	q := open()
	if err := q.Add(context.Background(), "one", []byte("x")); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	taken := false
	err := q.Work(ctx, func(context.Context, string, []byte) ([]byte, error) {
		taken = true
		end()
		return nil, nil
	}, testFailed, true)
	if err != nil || !taken {
		t.Fatal(err, taken)
	}
	q.Close()
	q = open()
	defer q.Close()
	if err := q.Add(context.Background(), "one", []byte("x")); err != nil {
		t.Fatal(err)
	}
	take, err := q.worker(context.Background(), q.lease)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := take(context.Background()); err != nil || got == nil || string(got.job) != "x" {
		t.Errorf("%v is handed out, %v", got, err)
	}
}

// TestOneAtATime: a second process that opens the folder is told so, and takes nothing from the first.
func TestOneAtATime(t *testing.T) {
	dir := t.TempDir()
	q, err := Open(context.Background(), "", dir, "o")
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Open(context.Background(), "", dir, "o"); second != nil || err == nil || !strings.Contains(err.Error(), "another campaign is using ") {
		t.Errorf("%v %v", second, err)
	}
	q.Close()
	if q, err = Open(context.Background(), "", dir, "o"); err != nil {
		t.Fatal(err)
	}
	q.Close()
}

// TestOrder: jobs are handed out in the order in which they came, each to one worker; one that was given up comes
// back, one that has a result does not.
func TestOrder(t *testing.T) {
	ctx := context.Background()
	q, err := Open(ctx, "", t.TempDir(), "o")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for _, id := range []string{"c", "a", "b"} {
		if err := q.Add(ctx, id, []byte("job "+id)); err != nil {
			t.Fatal(err)
		}
	}
	take, err := q.worker(ctx, q.lease)
	if err != nil {
		t.Fatal(err)
	}
	next := func(want string) *task {
		t.Helper()
		got, err := take(ctx)
		if err != nil || (got == nil) != (want == "") || got != nil && (got.id != want || string(got.job) != "job "+want) {
			t.Fatalf("%+v, %v instead of %q", got, err, want)
		}
		return got
	}
	c, a := next("c"), next("a")
	if err := c.giveUp(); err != nil {
		t.Fatal(err)
	}
	c = next("c")
	b := next("b")
	next("")
	for _, x := range []*task{a, b, c} {
		if q.empty(ctx) {
			t.Errorf("nothing is left while %s is in hand", x.id)
		}
		if err := errors.Join(x.finish(ctx, []byte("did "+x.id)), x.finish(ctx, []byte("again"))); err != nil { // the first result stays
			t.Fatal(err)
		}
		if r, done, err := q.Result(ctx, x.id); string(r) != "did "+x.id || !done || err != nil {
			t.Errorf("%q %v %v", r, done, err)
		}
	}
	if err := q.Add(ctx, "a", []byte("job a")); err != nil || !q.empty(ctx) {
		t.Errorf("a job with a result came back, %v", err)
	}
	next("")
}
