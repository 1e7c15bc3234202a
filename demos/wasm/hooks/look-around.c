/*
 * Looks for what a hook could do with your rights, and says what it found.
 *
 * clang --target=wasm32-wasi -O2 -s -o hooks/look-around.wasm hooks/look-around.c
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

static const char *opened(const char *path, int flags) {
  return open(path, flags, 0644) < 0 ? "no" : "YES";
}

int main(void) {
  int variables = 0;
  while (environ != NULL && environ[variables] != NULL) variables++;
  fprintf(stderr, "variables of the environment: %d\n", variables);
  fprintf(stderr, "read /etc/passwd: %s\n", opened("/etc/passwd", O_RDONLY));
  fprintf(stderr, "read the folder /: %s\n", opened("/", O_RDONLY | O_DIRECTORY));
  fprintf(stderr, "write /tmp/left-behind: %s\n", opened("/tmp/left-behind", O_WRONLY | O_CREAT));
  fprintf(stderr, "a descriptor beyond stderr: %s\n", write(3, "x", 1) < 0 ? "no" : "YES");
  return 0;
}
