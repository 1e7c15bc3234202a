/*
 * Takes all the memory that it can get.
 *
 * clang --target=wasm32-wasi -O2 -s -o hooks/greedy.wasm hooks/greedy.c
 */
#include <stdlib.h>

int main(void) {
  for (;;) {
    volatile char *mib = malloc(1 << 20);
    if (mib == NULL) abort();
    *mib = 1;
  }
}
