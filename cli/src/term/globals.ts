// Options that every command takes wherever they stand.
import { isLanguage } from '@yagura/core/words/language';
import { Usage } from './usage.ts';

export interface Globals {
  language: string | undefined;
  profile: string | undefined;
  /** Problems go out as JSON, since data was asked for as JSON. */
  machine: boolean;
  /** The arguments without the global ones. */
  rest: string[];
  problem: Usage | undefined;
}

const takes: Record<string, 'language' | 'profile'> = { '--lang': 'language', '--profile': 'profile' };

/** Takes the global options out of the arguments, up to a `--`. */
export function readGlobals(argv: readonly string[]): Globals {
  const globals: Globals = {
    language: undefined,
    profile: undefined,
    machine: false,
    rest: [],
    problem: undefined,
  };
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index]!;
    if (argument === '--') {
      globals.rest.push(...argv.slice(index));
      break;
    }
    const [flag = '', inline] = argument.startsWith('--') ? splitFlag(argument) : [argument, undefined];
    const name = Object.hasOwn(takes, flag) ? takes[flag] : undefined;
    if (name) {
      const value = inline ?? argv[++index];
      if (!value) globals.problem ??= new Usage('cli.usage.missing-value', { flag });
      globals[name] = value;
      continue;
    }
    const output =
      flag === '--output' || flag === '-o' ? (inline ?? argv[index + 1]) : flag.replace(/^-o=?(?=.)/, '');
    if (flag === '--json' || flag === '--jq' || /^(nd)?json$/.test(output ?? '')) globals.machine = true;
    globals.rest.push(argument);
  }
  if (globals.language !== undefined && !isLanguage(globals.language)) {
    globals.problem ??= new Usage('cli.usage.choice', { flag: '--lang', values: 'en, ja' });
  }
  return globals;
}

function splitFlag(argument: string): [string, string | undefined] {
  const equals = argument.indexOf('=');
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}
