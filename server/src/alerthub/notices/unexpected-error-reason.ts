// The reason stored with work that failed for an unexpected error.
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { faultText } from '../../jobs/poison-row-guard.ts';

/** Shown in decisions, records and notices. */
export function unexpectedErrorReason(error: unknown): Reason {
  return { word: 'why.threw', params: { detail: faultText(error) } };
}
