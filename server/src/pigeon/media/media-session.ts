// Interface of the audio of one call: RTP with G.711 (RFC 3550, 3551) and telephone events (RFC 4733).
import type { KeySource } from '@yagura/core/pigeon/call-event';
import { type Detail, DetailedError } from '../../common/detail.ts';
import type { PacketScheduler } from './packet-scheduler.ts';

/** Samples per second of all audio here: 16-bit linear, mono. */
export const sampleRate = 8000;

export interface MediaEvents {
  /** A key was pressed: once per press, however it was sent. Called at the beginning of the press. */
  key(key: string, source: Exclude<KeySource, 'info'>): void;
  /** Decoded audio of the other party, 20 ms each; the array is reused after the call. */
  audio?(samples: Int16Array): void;
}

/**
 * Encryption of the audio (SRTP with keys in the session description, RFC 4568). `offered`: encrypted where the other
 * party takes it. `required`: a description without a key is refused.
 */
export type MediaSecurity = 'never' | 'offered' | 'required';

export interface MediaOptions {
  /** Address of the sockets; its family is the only one used. */
  bindAddress: string;
  /**
   * Address written into session descriptions: the one under which the other party reaches us. That of the sockets if
   * left out; required for sockets of any address ("0.0.0.0"), here or in the first offer.
   */
  publicAddress?: string;
  /** Ports to use, both included; an even one and the next are taken. Any free ports without it. */
  ports?: { first: number; last: number };
  security: MediaSecurity;
  events: MediaEvents;
  /**
   * Whether audio of the other party may come from that address instead of the announced one, if that is not public:
   * behind network address translation, a party may announce an address that means nothing here.
   */
  acceptsFrom?(address: string): boolean;
  /** Paces the packets; that of the process (worker) if left out. */
  scheduler?: PacketScheduler;
  /** Source of keys and identifiers; for tests. */
  randomBytes?: (size: number) => Buffer;
}

/** Why there is no audio with the other party. */
export type MediaRefusal =
  /** The description breaks the grammar, or exceeds a limit. */
  | 'malformed'
  /** The description has no audio, or refuses it (port 0). */
  | 'noAudio'
  | 'noCommonCodec'
  /** The description has no numeric unicast address of our family. */
  | 'noAddress'
  /** Encryption is required here or there and not possible with the other. */
  | 'security'
  /** All ports of the range are in use. */
  | 'noPort';

export class MediaRefused extends DetailedError {
  override readonly name = 'MediaRefused';
  readonly reason: MediaRefusal;

  constructor(reason: MediaRefusal, detail: Detail) {
    super(detail);
    this.reason = reason;
  }
}

export interface MediaStatistics {
  /** Packets sent and received. */
  sent: number;
  received: number;
  /** Packets missing in the sequence of the received ones. */
  lost: number;
  /** Datagrams thrown away: not from the announced address, not RTP, or not authentic. */
  ignored: number;
  /** Packets that the system refused to send. */
  failed: number;
  /** Mean deviation of the distance between received packets (RFC 3550, 6.4.1). */
  jitterMs: number;
  /** Packets of ours that the other party reported as lost. */
  lostByPeer: number;
  /** The most by which a packet was sent after its time. */
  worstLatenessMs: number;
}

export interface MediaSession {
  /** Whether the audio is encrypted, once the description of the other party is known. */
  readonly isEncrypted: boolean;
  /** The local session description to offer; `publicAddress` replaces that of the options from then on. */
  offer(publicAddress?: string): string;
  /** Applies the answer of the other party. Throws MediaRefused, and then changes nothing. */
  accept(remoteSdp: string): void;
  /**
   * Answers an offer of the other party (incoming call, re-INVITE, hold). Throws MediaRefused, and then changes
   * nothing. While the other party holds the call, nothing is sent and the reading waits.
   */
  answer(remoteSdp: string): string;
  /**
   * Plays samples; resolves true at the end, false when stopped. Starting another reading stops the first. Begins
   * once the description of the other party is known.
   */
  play(samples: Int16Array): Promise<boolean>;
  /** Stops the reading and the ringing tone: the next packet is without them. */
  stopPlaying(): void;
  /** Sends audio of another call, any number of samples; for joining two calls. A reading goes before it. */
  send(samples: Int16Array): void;
  /** Plays a ringing tone until stopPlaying or the next reading. */
  playRingingTone(): void;
  /**
   * Sends a key as telephone event, or as tone when the other party takes no events; resolves when it is sent. Keys
   * are sent one after the other.
   */
  sendKey(key: string): Promise<void>;
  /** Gives what is received to one more listener, or to none. */
  listen(listener: Partial<MediaEvents> | null): void;
  statistics(): MediaStatistics;
  /** Says goodbye and closes the sockets; a reading resolves false. */
  close(): void;
}

/** Opens the sockets. Throws MediaRefused (noPort) when all ports of the range are in use. */
export type CreateMediaSession = (options: MediaOptions) => Promise<MediaSession>;
