// What happened in a call as sentences, shared by the console, the command line and the full-screen terminal.
import { dataKey } from '../i18n/message-key.ts';
import type { Translate } from '../i18n/translator.ts';
import type { CallEvent } from './call-event.ts';
import type { CallRecord } from './result.ts';

export interface ScriptLine {
  at: string;
  /** Time since the call was dialed, for example `0:06`. */
  elapsed: string;
  text: string;
  /** Technical detail such as the SIP status. */
  detail: string | null;
}

/** The lines of a call's script; empty for calls of earlier versions. */
export function scriptLines(
  call: Pick<CallRecord, 'script' | 'startedAt' | 'reason'>,
  t: Translate,
): ScriptLine[] {
  const start = Date.parse(call.startedAt);
  const wasRead = new Set<string>();
  return call.script.map((event) => {
    const { at, kind, text, detail } = event;
    const isRepeated = kind === 'reading' && text !== null && wasRead.has(text);
    if (kind === 'reading' && text !== null) wasRead.add(text);
    return {
      at,
      elapsed: formatElapsed((Date.parse(at) - start) / 1000),
      text: eventText(event, isRepeated, call.reason, t),
      detail,
    };
  });
}

/** Minutes and seconds like `12:05`, with hours from one hour on. */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

function eventText(
  { kind, text, key, source }: CallEvent,
  isRepeated: boolean,
  reason: CallRecord['reason'],
  t: Translate,
): string {
  if (kind === 'reading' && text !== null)
    return t(isRepeated ? 'pigeon.script.read-again' : 'pigeon.script.read', { text });
  if (kind === 'key' && key !== null)
    return source === null
      ? t('pigeon.script.key', { key })
      : t('pigeon.script.key-from', { key, source: t(`value.${source}`) });
  if (kind === 'transferring' && text !== null) return t('pigeon.script.connecting', { name: text });
  if (kind === 'transferred' && text !== null) return t('pigeon.script.connected', { name: text });
  if (kind === 'transferred') return t('pigeon.script.joined');
  if (kind === 'ended')
    return reason === null
      ? t('pigeon.script.ended')
      : t('pigeon.script.ended-because', { reason: t(`value.${reason}`) });
  return t(dataKey(`value.${kind}`));
}
