// Parses the options that every command accepts at any position.
import { isLanguage, languages } from '@yagura/core/i18n/language';
import { choiceError } from './parse-choice.ts';
import { UsageError } from './usage-error.ts';

export interface GlobalOptions {
  language: string | undefined;
  profile: string | undefined;
  /** Print problems as JSON because JSON output was requested. */
  jsonErrors: boolean;
  /** The arguments without the global options. */
  rest: string[];
  problem: UsageError | undefined;
}

const valueFlags: Record<string, 'language' | 'profile'> = { '--lang': 'language', '--profile': 'profile' };

/** Extracts the global options from the arguments, up to a `--`. */
export function parseGlobalOptions(argv: readonly string[]): GlobalOptions {
  const globals: GlobalOptions = {
    language: undefined,
    profile: undefined,
    jsonErrors: false,
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
    const name = Object.hasOwn(valueFlags, flag) ? valueFlags[flag] : undefined;
    if (name) {
      const value = inline ?? argv[++index];
      if (!value) globals.problem ??= new UsageError('cli.usage.missing-value', { flag });
      globals[name] = value;
      continue;
    }
    const output =
      flag === '--output' || flag === '-o' ? (inline ?? argv[index + 1]) : flag.replace(/^-o=?(?=.)/, '');
    if (flag === '--json' || flag === '--jq' || /^(nd)?json$/.test(output ?? '')) globals.jsonErrors = true;
    globals.rest.push(argument);
  }
  if (globals.language !== undefined && !isLanguage(globals.language)) {
    globals.problem ??= choiceError('--lang', languages);
  }
  return globals;
}

function splitFlag(argument: string): [string, string | undefined] {
  const equals = argument.indexOf('=');
  return equals < 0 ? [argument, undefined] : [argument.slice(0, equals), argument.slice(equals + 1)];
}
