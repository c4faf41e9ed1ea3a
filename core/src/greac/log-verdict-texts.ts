// Texts of the verdicts on logs and on their parts.
import type { MessageKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';
import type { LogJudgement } from './log-judgement.ts';
import type { LogVerdict } from './session.ts';

export const logVerdictTexts: Record<LogVerdict, MessageKey> = {
  open: 'recording.open',
  complete: 'recording.complete',
  cut: 'recording.cut',
  altered: 'recording.altered',
  unverified: 'recording.unverified',
};

/** A longer list ends with an ellipsis. */
const maxRanges = 10;

/** What is to be said of a log as a whole. */
export function logJudgementText({ verdict, fault, parts }: LogJudgement, t: Translate): string {
  if (verdict === 'open') return t('recording.log-open');
  if (verdict === 'complete') return t('recording.log-complete', { count: parts.length });
  return t(`recording.log-${verdict}-${fault ?? 'end'}`, { parts: numberRanges(parts) });
}

/** Ascending numbers as `1, 3–5`. */
function numberRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range?.last === number - 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  return [...texts.slice(0, maxRanges), ...(texts.length > maxRanges ? ['…'] : [])].join(', ');
}
