/**
 * What `hookctl init` writes.
 */

export type Guard = {
  /** Name in `hooks/` → content. */
  readonly files: Readonly<Record<string, string>>;
  /** The hook, as it stands in the agent file. */
  readonly entry: Readonly<Record<string, string>>;
  /** Command lines of which one has to be run before, from the folder of the agent file. */
  readonly builds?: readonly string[];
};

const REASON = 'force-push is not allowed in this project';

function guard(name: string, program: string, content: string): Guard {
  return { files: { [name]: content }, entry: entryOf({ command: `${program} "$MM_CONFIG_DIR/hooks/${name}"` }) };
}

function entryOf(run: Readonly<Record<string, string>>): Guard['entry'] {
  return { name: 'no-force-push', matcher: '^bash$', ...run, onError: 'fail', timeout: '10s' };
}

const MODULE = 'hooks/no-force-push.wasm';
const BUILD_C = `clang --target=wasm32-wasi -O2 -s -o ${MODULE} hooks/no-force-push.c`;
const BUILD_RUST = `rustc --target wasm32-wasip1 -O -C strip=symbols -o ${MODULE} hooks/no-force-push.rs`;

/** Language → guard. */
export const GUARDS: Readonly<Record<string, Guard>> = {
  node: guard(
    'no-force-push.cjs',
    'node',
    `// Reads one event on stdin. Prints a decision, or nothing: no opinion.
const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const { command } = event.tool.input;

if (typeof command !== 'string') throw new Error('the command is no text'); // a failure: "onError: fail" blocks
if (/\\bgit\\b.*\\bpush\\b.*(\\s--force\\b|\\s-\\w*f)/s.test(command)) {
  console.log(JSON.stringify({ action: 'deny', reason: '${REASON}' }));
}
`,
  ),
  python: guard(
    'no-force-push.py',
    'python3',
    `# Reads one event on stdin. Prints a decision, or nothing: no opinion.
import json
import re
import sys

command = json.load(sys.stdin)["tool"]["input"]["command"]  # a missing one is a failure: "onError: fail" blocks

if re.search(r"\\bgit\\b.*\\bpush\\b.*(\\s--force\\b|\\s-\\w*f)", command, re.S):
    print(json.dumps({"action": "deny", "reason": "${REASON}"}))
`,
  ),
  sh: guard(
    'no-force-push.sh',
    'sh',
    `#!/bin/sh
# Reads one event on stdin. Exit 2 is a deny with the reason on stderr; exit 0 without output is no opinion.
# The event is looked at as text: in doubt it denies.
set -eu
event=$(cat)

if printf '%s\\n' "$event" | grep -Eq 'git.*push.*[[:space:]](--force|-[[:alpha:]]*f)'; then
  echo '${REASON}' >&2
  exit 2
fi
`,
  ),
  wasm: {
    entry: entryOf({ wasm: MODULE }),
    builds: [BUILD_C, BUILD_RUST],
    files: {
      'no-force-push.c': `/*
 * Reads one event on stdin. Prints a decision, or nothing: no opinion. The event is looked at as text: in doubt it denies.
 *
 * ${BUILD_C}
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
    if (c == '\\\\' && from[1] != 0) {
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
      puts("{\\"action\\":\\"deny\\",\\"reason\\":\\"${REASON}\\"}");
      break;
    }
  }
  return 0;
}
`,
      'no-force-push.rs': `//! Reads one event on stdin. Prints a decision, or nothing: no opinion. The event is looked at as text: in doubt it denies.
//!
//! ${BUILD_RUST}
//! (rustup target add wasm32-wasip1; before Rust 1.78 the target is called wasm32-wasi)

use std::io::Read;
use std::str::Chars;

fn main() {
    let mut event = String::new();
    // A panic is a failure: "onError: fail" blocks.
    std::io::stdin().read_to_string(&mut event).expect("the event cannot be read");
    if forces_a_push(&unescaped(&event)) {
        println!(r#"{{"action":"deny","reason":"${REASON}"}}"#);
    }
}

fn forces_a_push(text: &str) -> bool {
    let push = text.find("git").and_then(|git| text[git..].find("push").map(|push| git + push));
    match push {
        Some(push) => text[push..].split(' ').any(forces),
        None => false,
    }
}

/// \`--force\` and the like, or letters with an f behind one dash.
fn forces(word: &str) -> bool {
    match word.strip_prefix('-') {
        Some(option) => {
            let letters = option.chars().take_while(|c| c.is_ascii_alphabetic());
            option.starts_with("-force") || letters.into_iter().any(|c| c == 'f')
        }
        None => false,
    }
}

/// Without the escapes of JSON; every control character becomes a blank.
fn unescaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        let c = if c == '\\\\' { escape(&mut chars) } else { c };
        text.push(if c.is_control() { ' ' } else { c });
    }
    text
}

fn escape(chars: &mut Chars) -> char {
    match chars.next() {
        Some('u') => {
            let hex: String = chars.take(4).collect();
            u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32).unwrap_or(' ')
        }
        Some('b' | 'f' | 'n' | 'r' | 't') | None => ' ',
        Some(c) => c,
    }
}
`,
    },
  },
};

/** The suite of the guard; `alone`: no other hook stands beside it. */
export function suiteOf(alone: boolean): string {
  return alone ? SUITE : SUITE.replace(/, (?:ran|skipped): \[[\w-]+\]/g, '');
}

const SUITE = `# yaml-language-server: $schema=node_modules/hookctl/schemas/suite.json
config: agent.yaml
cases:
  - name: a force-push is denied
    event: preToolCall
    tool: { name: bash, input: { command: git push } }
    expect: { action: deny, reason: /force-push/, ran: [no-force-push] }
    each:
      - { tool.input.command: git push --force }
      - { tool.input.command: git push -f origin main }
      - { tool.input.command: git -C app push --force-with-lease }
  - name: a plain push passes
    event: preToolCall
    tool: { name: bash, input: { command: git push origin main } }
    expect: { action: none, ran: [no-force-push] }
  - name: another tool is not looked at
    event: preToolCall
    tool: { name: read, input: { file_path: README.md } }
    expect: { action: none, skipped: [no-force-push] }
`;
