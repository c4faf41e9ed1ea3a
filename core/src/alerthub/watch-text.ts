// What is expected of a receive slot and why, as a sentence.
import { formatDuration } from '../format/duration.ts';
import type { Translate } from '../words/translate.ts';
import type { Reason } from './why.ts';

/** Parameters that are lengths of time, in seconds. */
const lengths = new Set(['interval', 'usual', 'longest', 'window']);

/** `overdue` adds that nothing has come. */
export function watchText({ word, params = {} }: Reason, overdue: boolean, t: Translate): string {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    lengths.has(name) ? formatDuration(Number(value), t) : value,
  ]);
  const reason = t(word, Object.fromEntries(said));
  return overdue ? t('watch.overdue', { reason }) : reason;
}
