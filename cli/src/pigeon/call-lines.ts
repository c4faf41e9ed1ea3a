// The calls of a result as lines: a summary of each call and its script.
import type { Translate } from '@yagura/core/i18n/translator';
import { scriptLines } from '@yagura/core/pigeon/call-script';
import type { CallRecord } from '@yagura/core/pigeon/result';

interface CallLine {
  /** The same for the same event when the call has gone on. */
  key: string;
  /** 0 for the summary of a call, 1 for its script. */
  depth: 0 | 1;
  text: string;
}

export function callLines(calls: readonly CallRecord[], t: Translate): CallLine[] {
  return calls.flatMap((call) => [
    { key: call.callId, depth: 0 as const, text: callSummary(call, t) },
    ...scriptLines(call, t).map(({ elapsed, text, detail }, index) => ({
      key: `${call.callId}:${index}`,
      depth: 1 as const,
      text: [elapsed, text, detail ?? ''].filter(Boolean).join('  '),
    })),
  ]);
}

function callSummary(call: CallRecord, t: Translate): string {
  const parts = [
    call.contact.displayName,
    call.phoneNumber,
    t(`value.${call.status}`),
    call.keyInput === null ? '' : `${t('label.keyInput')} ${call.keyInput}`,
    call.reason === null ? '' : t(`value.${call.reason}`),
  ];
  return `${call.loop}: ${parts.filter(Boolean).join('  ')}`;
}
