/*
 * Does nothing, for ever.
 *
 * clang --target=wasm32-wasi -O2 -s -o hooks/never-ends.wasm hooks/never-ends.c
 */
int main(void) {
  for (volatile int turns = 0;; turns++) continue;
}
