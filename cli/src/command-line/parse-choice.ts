// Checks arguments and flags that take one of a few words.
import { UsageError } from './usage-error.ts';

/** The error for a text that is none of the words; `flag` is the flag, or the argument in capitals. */
export function choiceError(flag: string, values: readonly string[]): UsageError {
  return new UsageError('cli.usage.choice', { flag, values: values.join(', ') });
}

/** Returns the text as one of the words. Throws a usage error that names the flag and the words. */
export function parseChoice<T extends string>(flag: string, text: string, values: readonly T[]): T {
  if (!(values as readonly string[]).includes(text)) throw choiceError(flag, values);
  return text as T;
}
