/**
 * What a component may import: a log, its own configuration, and WASI 0.2 with nothing in it. All else is not granted.
 */
import { LOG_LEVELS, type LogLevel } from '../core/sandbox';
import { load } from './load';
import { tell } from './report';

type Interface = Readonly<Record<string, unknown>>;
/** The part of `@bytecodealliance/preview2-shim/instantiation` that is used. */
type Shim = {
  readonly WASIShim: new (options: {
    readonly sandbox: Readonly<Record<string, unknown>>;
  }) => { readonly getImportObject: () => Readonly<Record<string, Interface>> };
};

/** Without it the shim would hand on the whole environment. */
const NOTHING = { preopens: {}, env: {}, args: [], enableNetwork: false };
const LOG_CHARS = 4_096;
/** Of all that is logged in one call. */
const MAX_LOG_CHARS = 32_768;

/** Interface → functions, under any version of the interface. `shim`: the path of WASI's, where that is imported. */
export async function hostImports(
  config: Readonly<Record<string, string>>,
  shim: string | undefined,
): Promise<unknown> {
  const own: Readonly<Record<string, Interface>> = {
    ...(shim === undefined ? {} : await wasi(shim)),
    'prx:host/log': logInterface(),
    'prx:host/config': {
      get: (key: string) => (Object.hasOwn(config, key) ? config[key] : undefined),
      getAll: () => Object.entries(config),
    },
    // What these answer has no room for an error.
    'prx:host/kv': notGranted({ get: () => undefined, listKeys: () => [] }),
  };
  return new Proxy(own, {
    get: (_, name) => own[String(name).replace(/@[^/]*$/, '')] ?? notGranted({}),
    has: () => true,
  });
}

/** Every other function answers `err("not granted")`, which is thrown as a bare text. */
function notGranted(functions: Interface): Interface {
  const refuse = () => {
    throw 'not granted';
  };
  return new Proxy(functions, { get: (own, name) => own[String(name)] ?? refuse, has: () => true });
}

function logInterface(): Interface {
  let left = MAX_LOG_CHARS;
  const log = (level: LogLevel, message: string) => {
    if (left <= 0) return;
    const text = message.slice(0, Math.min(LOG_CHARS, left));
    left -= Math.max(1, text.length);
    tell({ kind: 'log', level, message: text });
    if (left <= 0) tell({ kind: 'log', level: 'warn', message: 'it logs too much: the rest is left out' });
  };
  const named = LOG_LEVELS.map((level) => [level, (message: string) => log(level, message)] as const);
  return { log, ...Object.fromEntries(named) };
}

/** An end of the process would be none that is reported. */
async function wasi(shim: string): Promise<Readonly<Record<string, Interface>>> {
  const { WASIShim } = await load<Shim>(shim);
  const exit = () => {
    throw new Error('it ended itself');
  };
  return { ...new WASIShim({ sandbox: NOTHING }).getImportObject(), 'wasi:cli/exit': { exit, exitWithCode: exit } };
}
