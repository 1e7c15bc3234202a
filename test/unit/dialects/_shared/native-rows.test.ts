/**
 * The table of native events, written here a second time from the contract: a row that changes must be changed twice.
 */
import { describe, expect, it } from 'vitest';
import type { Action, Carried, Row } from '../../../../src/core/model';
import { NATIVE_ROWS, SLIPS } from '../../../../src/dialects/_shared/native-rows';
import { rowNamed } from '../sample';

/** event | before or after the fact | what is taken | exit 2 | synthetic | has a tool */
const CONTRACT = `
preToolCall        | before | allow deny ask defer stop input context | deny         | deny    | tool
preGeneration      | before | stop prompt context                     | stop         | stop    |
permissionRequest  | before | allow deny                              | deny         | deny    | tool
taskStart          | before | deny context                            | deny         | deny    |
postToolCall       | after  | deny context                            | deny         | warning | tool
postGeneration     | after  | deny                                    | deny if said | warning |
subagentStop       | after  | deny                                    | deny if said | warning |
taskEnd            | after  | context                                 | failure      | warning |
sessionStart       | after  | context                                 | failure      | warning |
subagentStart      | after  | context                                 | failure      | warning |
instructionsLoaded | after  | context                                 | failure      | warning |
fileCreated        | after  | context                                 | failure      | warning |
fileSaved          | after  | context                                 | failure      | warning |
fileDeleted        | after  | context                                 | failure      | warning |
manual             | after  | context                                 | failure      | warning |
sessionEnd         | after  |                                         | failure      | warning |
preCompact         | after  |                                         | failure      | warning |
postCompact        | after  |                                         | failure      | warning |
notification       | after  |                                         | failure      | warning |
permissionDenied   | after  |                                         | failure      | warning | tool
modelRequest       | after  |                                         | failure      | warning |
modelResponse      | after  |                                         | failure      | warning |
turnStart          | after  |                                         | failure      | warning |
turnEnd            | after  |                                         | failure      | warning |
error              | after  |                                         | failure      | warning |`;

const LINES = CONTRACT.trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

const TAKEN = ['allow', 'deny', 'ask', 'defer', 'stop', 'input', 'prompt', 'context'] as const satisfies readonly (
  | Action
  | Carried
)[];

function lineOf(row: Row): string[] {
  const taken = TAKEN.filter((one) => row.can[one] === 'yes').join(' ');
  return [row.canonical, row.phase, taken, row.exit2, row.synthetic, row.matches === 'tool' ? 'tool' : ''];
}

describe('the native events', () => {
  it.each(LINES.map((line): [string, string[]] => [line[0] ?? '', line]))(
    '%s takes what the contract says',
    (name, line) => {
      expect(lineOf(rowNamed(name))).toEqual([...line, '', ''].slice(0, 6));
    },
  );

  it('are these 25 and no more', () => {
    expect(NATIVE_ROWS.map((row) => row.canonical).toSorted()).toEqual(LINES.map(([name]) => name).toSorted());
  });

  it('have one name, native and canonical', () => {
    expect(NATIVE_ROWS.filter((row) => row.native !== row.canonical)).toEqual([]);
  });

  it('read the likeliest slips towards safety: these and no more', () => {
    expect(SLIPS).toEqual({
      preGeneration: { deny: 'stop', ask: 'stop', defer: 'stop' },
      permissionRequest: { stop: 'deny', ask: 'nothing', defer: 'nothing' },
      taskStart: { stop: 'deny', ask: 'deny', defer: 'deny' },
    });
  });

  it('never let a synthetic block or a bare exit 2 land where blocking means "keep working"', () => {
    const ends = ['postGeneration', 'subagentStop'].map(rowNamed);
    expect(ends.map(({ exit2, synthetic }) => `${exit2}, ${synthetic}`)).toEqual([
      'deny if said, warning',
      'deny if said, warning',
    ]);
  });
});
