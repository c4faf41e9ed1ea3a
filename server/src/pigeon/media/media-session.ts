// Interface of the audio of one call: RTP with G.711 (RFC 3550, 3551) and telephone events (RFC 4733).
import type { KeySource } from '@yagura/core/pigeon/call-event';

/** Samples per second of all audio here: 16-bit linear, mono. */
export const sampleRate = 8000;

export interface MediaEvents {
  /** A key was pressed: once per press, however it was sent. */
  key(key: string, source: Exclude<KeySource, 'info'>): void;
  /** Decoded audio of the other party, 20 ms each; for joining two calls. */
  audio?(samples: Int16Array): void;
}

export interface MediaSession {
  /** The local session description to offer. */
  offer(): string;
  /** Applies the description of the other party. Throws MediaRefused when there is no common codec or address. */
  accept(remoteSdp: string): void;
  /** Answers an offer of the other party (re-INVITE, hold). */
  answer(remoteSdp: string): string;
  /** Plays samples; resolves true at the end, false when stopped. Starting another reading stops the first. */
  play(samples: Int16Array): Promise<boolean>;
  stopPlaying(): void;
  /** Sends audio of another call; for joining two calls. */
  send(samples: Int16Array): void;
  /** Plays a ringing tone until stopped. */
  playRingingTone(): void;
  /** Sends keys as telephone events; used by the mock phone. */
  sendKey(key: string): Promise<void>;
  statistics(): { sent: number; received: number; lost: number; worstLatenessMs: number };
  close(): void;
}
