// What happened in a call, in order: enough to follow it without sound.
import { z } from 'zod';
import * as field from '../resource/field.ts';

export const callEventKinds = [
  /** The line was asked to place the call. */
  'dialed',
  'ringing',
  'answered',
  /** Reading of `text` began. */
  'reading',
  /** Reading of `text` ended before its end, because a key was pressed. */
  'readingStopped',
  /** The callee pressed `key`. */
  'key',
  /** Connecting the callee to `text`, the name of the transfer destination, began or was done. */
  'transferring',
  'transferred',
  /** The call ended; `detail` says why. */
  'ended',
] as const;
export type CallEventKind = (typeof callEventKinds)[number];

/** How a key was received: RFC 4733 packets, SIP INFO, or tones in the audio. */
export const keySources = ['rtpEvent', 'info', 'tone'] as const;
export type KeySource = (typeof keySources)[number];

/** Maximum number of events stored for a call; each later one takes the place of the last. */
export const maxCallEvents = 200;

export const callEvent = z.object({
  at: field.dateTime(),
  kind: field.choice(callEventKinds),
  /** The text read. */
  text: field.longText().nullable(),
  key: field.text(1).nullable(),
  source: field.choice(keySources).nullable(),
  /**
   * Technical detail such as the SIP status of the final answer, for example "486 Busy Here"; texts that are not of a
   * protocol are in the caller's language.
   */
  detail: field.text(200).nullable(),
});
export type CallEvent = z.output<typeof callEvent>;
