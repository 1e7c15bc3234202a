import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Program } from './harness/box';
import { type Case, findCaseFiles, readCases, titleOf } from './harness/cases';
import { limited } from './harness/limit';
import { runCase, wanted } from './harness/run';
import { updateCase } from './harness/update';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM: Program = [process.execPath, join(ROOT, 'bin/hookctl.js')];
const UPDATE = process.env['UPDATE'] === '1';
const atMostFour = limited(4);

if (!existsSync(join(ROOT, 'dist'))) throw new Error('run npm run build first');

for (const path of findCaseFiles(join(ROOT, 'test/cases'))) describe.concurrent(titleOf(path), () => addTests(path));

/** Files run beside each other, the cases of one file in turn. */
function addTests(path: string): void {
  let cases: readonly Case[];
  try {
    cases = readCases(path, { missing: UPDATE ? 'fill' : 'error' });
  } catch (error) {
    // A test that fails, so that the other files run all the same.
    it.sequential(`${titleOf(path)}: can be read`, () => {
      throw error;
    });
    return;
  }
  for (const one of cases) it.sequential(`${titleOf(path)}: ${one.name}`, () => check(one), timeout(one));
}

async function check(one: Case): Promise<void> {
  const seen = await atMostFour(() => runCase(one, PROGRAM));
  const now = UPDATE && seen.problems.length === 0 ? updateCase(one, seen) : one;
  expect(seen).toEqual(wanted(now, seen));
}

/** Milliseconds, with time to wait for a place and for processes to go: the case's own bound speaks first. */
function timeout(one: Case): number {
  return one.seconds * 1_000 + 60_000;
}
