import { describe, expect, it } from 'vitest';
import { findConfigs, splitConfigVariable } from '../../../src/config/find';
import { ROOMS } from '../../../src/dialects';
import { renderFinding } from '../../../src/render/findings';
import { diskOf } from './disk';

const DISK = diskOf({
  '/work/agent.yaml': '',
  '/work/team.agent.yml': '',
  '/work/notes.txt': '',
  '/work/package.json': '',
  '/work/x:y': '',
  '/work/mm:z.yaml': '',
  '/work/exit/agent.yaml': '',
  '/work/conf/b.agent.yaml': '',
  '/work/conf/a.agent.yaml': '',
  '/work/conf/agent.json': '',
  '/work/conf/.agent.yaml': '',
  '/work/conf/other.yaml': '',
  '/work/sub/agent.yaml/x': '',
  '/work/sub/b.agent.yaml': '',
  '/work/empty/readme.md': '',
  '/etc/agent.yml': '',
});

/** `shown` of each file, or what is said instead. */
function found(...names: string[]): string[] {
  const { files, findings } = findConfigs(names, '/work', DISK);
  return [...files.map(({ shown, room }) => `${room.spec.id} ${shown}`), ...findings.map(renderFinding)];
}

const AUTHORS = ROOMS.filter(({ author }) => author !== undefined).map(({ spec }) => spec.id);
const NAMES = ROOMS.flatMap(({ spec }) => spec.config?.names ?? []).map((name) =>
  name.startsWith('.') ? `*${name}` : name.replace(/^\//, ''),
);

const NO_FILE = '\n  = check the path; it is relative to the folder that hookctl was started in';
const noDialect = (id: string, meant = '') =>
  `"${id}" is no dialect that has configs (there is ${AUTHORS.join(', ')})${meant}; a path with a colon begins with ./`;

describe('CONFIG', () => {
  it.each<[string, string[], string[]]>([
    ['a file', ['agent.yaml'], ['mm agent.yaml']],
    ['a file by its absolute path', ['/work/agent.yaml'], ['mm agent.yaml']],
    ['a file elsewhere', ['/etc/agent.yml'], ['mm /etc/agent.yml']],
    ['a file further up', ['../etc/agent.yml'], ['mm /etc/agent.yml']],
    ['a file of any other name', ['notes.txt'], ['mm notes.txt']],
    ['a file with its dialect', ['mm:notes.txt'], ['mm notes.txt']],
    ['an absolute file with its dialect', ['mm:/etc/agent.yml'], ['mm /etc/agent.yml']],
    ['a file with a colon', ['./x:y'], ['mm x:y']],
    ['a file with a colon, its dialect before it', ['mm:x:y'], ['mm x:y']],
    ['a file that looks like a dialect', ['./mm:z.yaml'], ['mm mm:z.yaml']],
    ['several in the order given', ['team.agent.yml', 'agent.yaml'], ['mm team.agent.yml', 'mm agent.yaml']],
    [
      'a folder: the config files in it, by name',
      ['conf'],
      ['mm conf/.agent.yaml', 'mm conf/a.agent.yaml', 'mm conf/agent.json', 'mm conf/b.agent.yaml'],
    ],
    [
      'a folder with its dialect',
      ['mm:conf'],
      ['mm conf/.agent.yaml', 'mm conf/a.agent.yaml', 'mm conf/agent.json', 'mm conf/b.agent.yaml'],
    ],
    [
      'a folder in which a folder is called like a config',
      ['sub'],
      ['mm sub/b.agent.yaml', `sub/agent.yaml: error: cannot read sub/agent.yaml: it is a folder [HK001]${NO_FILE}`],
    ],
    ['the folder that hookctl stands in', ['.'], ['mm agent.yaml', 'mm team.agent.yml']],
    ['a folder called like a dialect', ['exit'], ['mm exit/agent.yaml']],
  ])('%s', (_, names, expected) => {
    expect(found(...names)).toEqual(expected);
  });

  it.each<[string, string[], string[]]>([
    [
      'nothing there',
      ['agnet.yaml'],
      [
        `agnet.yaml: error: cannot read agnet.yaml: there is no such file; did you mean "agent.yaml"? [HK001]${NO_FILE}`,
      ],
    ],
    [
      'nothing there and nothing near',
      ['guards.toml'],
      [`guards.toml: error: cannot read guards.toml: there is no such file [HK001]${NO_FILE}`],
    ],
    [
      'nothing there in a folder that is not there',
      ['no/agent.yaml'],
      [`no/agent.yaml: error: cannot read no/agent.yaml: there is no such file [HK001]${NO_FILE}`],
    ],
    ['an empty name', [''], [`"": error: cannot read "": the name is empty [HK001]${NO_FILE}`]],
    ['an empty name behind a dialect', ['mm:'], [`"": error: cannot read "": the name is empty [HK001]${NO_FILE}`]],
    ['an unknown dialect', ['kiro:agent.yaml'], [`kiro:agent.yaml: error: ${noDialect('kiro')} [HK016]`]],
    [
      'an unknown dialect near a known one',
      ['mn:agent.yaml'],
      [`mn:agent.yaml: error: ${noDialect('mn', '; did you mean "mm"?')} [HK016]`],
    ],
    ['a dialect without configs', ['exit:agent.yaml'], [`exit:agent.yaml: error: ${noDialect('exit')} [HK016]`]],
    ['a colon without ./', ['x:y'], [`x:y: error: ${noDialect('x')} [HK016]`]],
    [
      'a folder without a config',
      ['empty'],
      [`empty: error: the folder holds no config (${NAMES.join(', ')}) [HK016]`],
    ],
    ['an unknown dialect of a folder', ['kiro:conf'], [`kiro:conf: error: ${noDialect('kiro')} [HK016]`]],
  ])('is refused: %s', (_, names, expected) => {
    expect(found(...names)).toEqual(expected);
  });

  it('one that is not there hides no other', () => {
    expect(found('no.toml', 'agent.yaml')).toHaveLength(2);
  });
});

describe('$HOOKCTL_CONFIG', () => {
  it.each<[string, string[]]>([
    ['', []],
    [':', []],
    ['a.yaml', ['a.yaml']],
    ['a.yaml:b.yaml', ['a.yaml', 'b.yaml']],
    ['a.yaml::b.yaml:', ['a.yaml', 'b.yaml']],
    ['mm:a.yaml', ['mm:a.yaml']],
    ['mm:a.yaml:b.yaml', ['mm:a.yaml', 'b.yaml']],
    ['a.yaml:mm:b.yaml', ['a.yaml', 'mm:b.yaml']],
    ['/etc/a.yaml:mm:/work/b.yaml:exit:c', ['/etc/a.yaml', 'mm:/work/b.yaml', 'exit:c']],
    ['mm::a.yaml', ['mm:a.yaml']],
    ['mm', ['mm:']],
    ['mm:exit', ['mm:exit']],
    ['mm:mm:a.yaml', ['mm:mm', 'a.yaml']],
    ['./mm:a.yaml', ['./mm', 'a.yaml']],
    ['x:a.yaml', ['x', 'a.yaml']],
  ])('%j stands for %j', (value, items) => {
    expect(splitConfigVariable(value)).toEqual(items);
  });
});
