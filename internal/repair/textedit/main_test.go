package textedit

import (
	"os"
	"testing"

	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}
