package locate

import (
	"os"
	"testing"

	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main() // runs of the tests' programs begin here
	os.Exit(m.Run())
}
