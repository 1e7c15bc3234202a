/*
 * Reads one event on stdin. Prints a decision, or nothing: no opinion. The event is looked at as text: in doubt it denies.
 *
 * clang --target=wasm32-wasi -O2 -s -o hooks/no-force-push.wasm hooks/no-force-push.c
 * (clang and lld with wasi-libc and the compiler's runtime for wasm32, or the clang of the WASI SDK)
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of stdin, with a NUL behind it. Without memory for it the guard fails: "onError: fail" blocks. */
static char *read_all(void) {
  size_t size = 65536, used = 0;
  char *text = malloc(size);
  while (text != NULL) {
    used += fread(text + used, 1, size - used - 1, stdin);
    if (used < size - 1) break;
    text = realloc(text, size *= 2);
  }
  if (text == NULL) exit(1);
  text[used] = 0;
  return text;
}

/* Takes the escapes of JSON out; every control character becomes a blank. */
static void unescape(char *text) {
  char *to = text;
  for (char *from = text; *from != 0; from++) {
    unsigned int c = (unsigned char)*from;
    if (c == '\\' && from[1] != 0) {
      c = (unsigned char)*++from;
      if (c == 'u') {
        char hex[5] = "";
        strncpy(hex, from + 1, 4);
        from += strlen(hex);
        c = (unsigned int)strtoul(hex, NULL, 16);
      } else if (strchr("bfnrt", (int)c) != NULL) {
        c = ' ';
      }
    }
    *to++ = c < 128 && iscntrl((int)c) ? ' ' : (char)c;
  }
  *to = 0;
}

/* "--force" and the like, or letters with an f behind one dash. */
static int forces(const char *option) {
  if (strncmp(option, "--force", 7) == 0) return 1;
  for (option++; isalpha((unsigned char)*option); option++)
    if (*option == 'f') return 1;
  return 0;
}

int main(void) {
  char *event = read_all();
  unescape(event);
  char *at = strstr(event, "git");
  if (at != NULL) at = strstr(at, "push");
  while (at != NULL && (at = strstr(at, " -")) != NULL) {
    if (forces(++at)) {
      puts("{\"action\":\"deny\",\"reason\":\"force-push is not allowed in this project\"}");
      break;
    }
  }
  return 0;
}
