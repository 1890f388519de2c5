package blob

import (
	"crypto/rand"
	"os"
)

const fileMode = 0o600

// createTemporary creates a file with a new name among the incomplete files.
func createTemporary(root *os.Root) (*os.File, error) {
	return root.OpenFile(incoming+"/"+rand.Text(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
}
