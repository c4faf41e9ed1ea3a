// Explains in a sentence what is expected of a receive slot and why.

import { formatDuration } from '../format/duration.ts';
import { storedKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';
import type { Reason } from './decision-log.ts';

/** Parameters that are durations in seconds. */
const durationParams = new Set(['interval', 'usual', 'longest', 'window']);

/** With `overdue`, adds that nothing has arrived. */
export function slotWatchText({ word, params = {} }: Reason, overdue: boolean, t: Translate): string {
  const said = Object.entries(params).map(([name, value]) => [
    name,
    durationParams.has(name) ? formatDuration(Number(value), t) : value,
  ]);
  const reason = t(storedKey(word), Object.fromEntries(said));
  return overdue ? t('watch.overdue', { reason }) : reason;
}
