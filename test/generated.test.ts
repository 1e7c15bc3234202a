/**
 * Facts that stand in more than one place, held against their one source.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  actionTable,
  capabilityTable,
  chainTable,
  endingTable,
  eventTable,
  findingsPage,
  findingTable,
  meaningTable,
  runOptionTable,
} from '../scripts/reference.mjs';
import { EMIT_OPTIONS } from '../src/cli/emit';
import { LISTEN_OPTIONS } from '../src/cli/listen';
import { RUN_OPTIONS } from '../src/cli/run-options';
import { SERVE_OPTIONS } from '../src/cli/serve';
import { TEST_OPTIONS } from '../src/cli/test';
import { TRIGGER_OPTIONS } from '../src/cli/trigger';
import { VALIDATE_OPTIONS } from '../src/cli/validate';
import { WATCH_OPTIONS } from '../src/cli/watch';
import { EXAMPLES } from '../src/core/examples';
import { CATALOGUE } from '../src/core/finding';
import { fold } from '../src/core/fold';
import { NATIVE_ROWS, SLIPS } from '../src/dialects/_shared/native-rows';
import { spec as claude } from '../src/dialects/claude/spec';
import { spec as kiroAgent } from '../src/dialects/kiro-agent/spec';
import { spec as kiroHook } from '../src/dialects/kiro-hook/spec';
import { spec as kiroV1 } from '../src/dialects/kiro-v1/spec';
import { ANSWER_FIELDS } from '../src/dialects/mm/answer';
import { spec as mm } from '../src/dialects/mm/spec';
import { ENVIRONMENT } from '../src/dialects/mm/wire';
import { ENVIRONMENT as PRX_ENVIRONMENT } from '../src/dialects/prx/wire';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('derived facts', () => {
  it('bin lists the events on which a failure of hookctl must not block', () => {
    const [, list = ''] = /OBSERVED = \[([^\]]*)\]/.exec(read('bin/hookctl.js')) ?? [];
    const observed = NATIVE_ROWS.filter((row) => row.synthetic === 'warning').map((row) => row.canonical);
    expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort()).toEqual(observed.sort());
  });

  it('bin lists the guarding events of Claude Code', () => {
    const [, list = ''] = /CLAUDE_GUARDING = \[([^\]]*)\]/.exec(read('bin/hookctl.js')) ?? [];
    const guarding = claude.rows.filter((row) => row.synthetic !== 'warning').map((row) => row.native);
    expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort()).toEqual(guarding.sort());
  });

  it('bin lists the guarding events of Kiro, by every name', () => {
    const [, list = ''] = /KIRO_GUARDING = \[([^\]]*)\]/.exec(read('bin/hookctl.js')) ?? [];
    const rows = [kiroAgent, kiroHook, kiroV1].flatMap(({ rows }) => rows).filter((row) => row.synthetic !== 'warning');
    const names = new Set(rows.flatMap(({ native, canonical }) => [native, canonical]));
    expect([...list.matchAll(/'(\w+)'/g)].map(([, name]) => name).sort()).toEqual([...names].sort());
  });

  it('the schema of agent files lists the native events', () => {
    const schema = JSON.parse(read('schemas/agent.json'));
    expect(Object.keys(schema.$defs.hooks.properties).sort()).toEqual(NATIVE_ROWS.map((row) => row.canonical).sort());
  });

  it.each([
    ['events', eventTable(NATIVE_ROWS)],
    ['actions', actionTable(NATIVE_ROWS, SLIPS)],
    ['chains', chainTable(fold, NATIVE_ROWS[0])],
    ['environment', meaningTable('variable', ENVIRONMENT)],
    ['answer', meaningTable('field', ANSWER_FIELDS)],
    ['findings', findingTable(CATALOGUE)],
    ['claude can', capabilityTable(claude.rows)],
    ['kiro-agent can', capabilityTable(kiroAgent.rows)],
    ['kiro-hook can', capabilityTable(kiroHook.rows)],
    ['kiro-v1 can', capabilityTable(kiroV1.rows)],
    ['kiro-agent ends', endingTable(kiroAgent)],
    ['kiro-hook ends', endingTable(kiroHook)],
    ['kiro-v1 ends', endingTable(kiroV1)],
    ['options', runOptionTable(RUN_OPTIONS)],
    ['validate options', runOptionTable(VALIDATE_OPTIONS)],
    ['test options', runOptionTable(TEST_OPTIONS)],
    ['watch options', runOptionTable(WATCH_OPTIONS)],
    ['trigger options', runOptionTable(TRIGGER_OPTIONS)],
    ['prx environment', meaningTable('variable', PRX_ENVIRONMENT)],
    ['emit options', runOptionTable(EMIT_OPTIONS)],
    ['listen options', runOptionTable(LISTEN_OPTIONS)],
    ['serve options', runOptionTable(SERVE_OPTIONS)],
  ])('the reference has the table of %s (npm run reference)', (name, table) => {
    const [, written = ''] =
      new RegExp(`<!-- ${name} -->\n(.*?)<!-- /${name} -->`, 's').exec(read('schemas/README.md')) ?? [];
    expect(written).toBe(`\n${table}\n\n`);
  });

  it('the page of findings has every one (npm run reference)', () => {
    expect(read('schemas/findings.md')).toBe(findingsPage(CATALOGUE, EXAMPLES, mm.failing));
  });

  it('the hook for pre-commit takes what validate looks for', () => {
    const [, pattern = ''] = /files: '(.*)'/.exec(read('.pre-commit-hooks.yaml')) ?? [];
    const taken = ['agent.yaml', 'a/agent.yml', 'team.agent.json', '.agent.yaml', 'x/guards.hooktest.yaml'];
    const left = ['myagent.yaml', 'agent.yaml.bak', 'agents.yaml', 'hooktest.yaml', 'agent.toml'];
    expect([...taken, ...left].filter((name) => new RegExp(pattern).test(name))).toEqual(taken);
  });

  it('the reference has every key of a suite, a case and an expectation', () => {
    const { $defs, properties } = JSON.parse(read('schemas/suite.json'));
    const keys = [properties, $defs.case.properties, $defs.expect.properties].flatMap((one) => Object.keys(one));
    const section = read('schemas/README.md').split('## Testing hooks')[1] ?? '';
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([]);
  });
});
