// One phone that is called: waits for a trunk with room, offers audio, and reports what happens to the phone.
import type { KeySource } from '@yagura/core/pigeon/call-event';
import type { CallReason } from '@yagura/core/pigeon/result';
import type { Clock } from '../../common/clock.ts';
import { type Detail, detailOfError } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import {
  type CreateMediaSession,
  MediaRefused,
  type MediaSecurity,
  type MediaSession,
} from '../media/media-session.ts';
import type { HasAlternative, OutgoingCall, OutgoingCallEvents, UserAgent } from '../sip/user-agent.ts';
import type { TrunkNumber } from './number-rules.ts';
import type { TrunkLimits } from './trunk-limits.ts';

/** Time that a call waits for a trunk with room; less than the chain engine gives a line to begin. */
export const roomTimeoutMs = 20_000;

export interface LegDeps {
  userAgent: UserAgent;
  limits: TrunkLimits;
  clock: Clock;
  createMediaSession: CreateMediaSession;
  /** Of the sockets of the audio; a description has the address at which its trunk reaches us. */
  bindAddress: string;
  rtpPorts: { first: number; last: number } | undefined;
  securityOf(trunk: string): MediaSecurity;
  /** Begins the Call-ID, so that the logs of a trunk tell which call it was. */
  callId: string;
}

/** Exactly one of `failed` and `ended` is called, once, and nothing after it. */
export interface LegEvents {
  ringing(detail: string): void;
  /** `detail` names the trunk and the encryption. */
  answered(detail: string): void;
  failed(reason: CallReason, detail: Detail): void;
  ended(detail: Detail): void;
  key(key: string, source: KeySource): void;
}

export class CallLeg {
  /** Trunks over which the phone was called. */
  readonly attempted = new Set<string>();
  private readonly deps: LegDeps;
  private readonly numbers: readonly TrunkNumber[];
  private readonly events: LegEvents;
  private session: MediaSession | undefined;
  private call: OutgoingCall | undefined;
  private releases: (() => void)[] = [];
  private isOver = false;
  private isAnswered = false;
  /** A trunk had no room while the phone was called. */
  private wasLimited = false;
  /** Why we hang up although the phone answered. */
  private refusal: Detail | undefined;

  constructor(deps: LegDeps, numbers: readonly TrunkNumber[], events: LegEvents) {
    this.deps = deps;
    this.numbers = numbers;
    this.events = events;
  }

  /** Audio of the call; set once it was answered. */
  get media(): MediaSession {
    return this.session!;
  }

  /** Trunk that carries the call. */
  get trunk(): string {
    return this.call?.trunk ?? '';
  }

  start(): void {
    this.run().catch((error) => this.fail('lineFailed', detailOfError(error)));
  }

  hangUp(): void {
    if (this.isOver) return;
    if (this.call) this.call.hangUp();
    else this.fail('noAnswer', translatable('pigeon.detail.canceled'));
  }

  refer(number: string): Promise<boolean> {
    return this.isAnswered && !this.isOver && this.call ? this.call.refer(number) : Promise.resolve(false);
  }

  /** One session with its key is for all trunks of a group, so their encryption must be the same. */
  private async run(): Promise<void> {
    const { limits, clock } = this.deps;
    const deadline = clock.now() + roomTimeoutMs;
    /** Groups over which the phone was not called yet. */
    let left = groupBySecurity(this.numbers, (trunk) => this.deps.securityOf(trunk));
    let last: LegFailure = { reason: 'rateLimited', detail: translatable('pigeon.detail.no-room') };
    while (left.length > 0) {
      const trunks = left.flatMap(({ numbers }) => numbers.map(({ trunk }) => trunk));
      const hasRoom = await limits.waitForRoom(trunks, Math.max(0, deadline - clock.now()));
      if (this.isOver) return;
      if (!hasRoom) break;
      for (const group of left) {
        const failure = await this.callGroup(group, left);
        if (!failure) return;
        if (failure.isWithoutRoom) continue;
        last = failure;
        left = failure.mayTryOthers ? left.filter((one) => one !== group) : [];
        if (!failure.mayTryOthers) break;
      }
    }
    const reason = last.reason === 'trunkAway' && this.wasLimited ? 'rateLimited' : last.reason;
    this.fail(reason, last.detail);
  }

  /** Resolves null once answered or over, otherwise with why the phone was not reached. */
  private async callGroup(group: SecurityGroup, left: readonly SecurityGroup[]): Promise<LegFailure | null> {
    const { userAgent } = this.deps;
    const session = await this.openSession(group.security);
    if (this.isOver) {
      session.close();
      return null;
    }
    this.session = session;
    const attemptedBefore = this.attempted.size;
    let earlySdp = '';
    return new Promise((resolve) => {
      const events: OutgoingCallEvents = {
        progress: (status, sdp) => {
          earlySdp = sdp ?? earlySdp;
          if (status >= 180 && !this.isAnswered) this.events.ringing(`${status} ${this.trunk}`);
        },
        answered: (sdp) => {
          this.answered(session, sdp || earlySdp);
          resolve(null);
        },
        failed: (reason, why, mayTryOthers) => {
          this.call = undefined;
          this.release();
          session.close();
          const isWithoutRoom = this.wasLimited && this.attempted.size === attemptedBefore;
          const isRoomMissing = isWithoutRoom && reason === 'trunkAway';
          resolve({ reason, detail: why, mayTryOthers, isWithoutRoom: isRoomMissing });
        },
        ended: (by, why) => {
          const text = translatable(`pigeon.detail.ended-by-${by}`, { detail: why });
          if (this.refusal !== undefined) this.fail('lineFailed', this.refusal);
          else this.end(() => this.events.ended(text));
        },
        infoKey: (key) => this.key(key, 'info'),
        offered: (sdp) => (sdp ? session.answer(sdp) : session.offer()),
        changed: (sdp) => session.accept(sdp),
      };
      const number = (trunk: string) => this.numberOn(group, trunk);
      const offer = (contactAddress: string) => session.offer(contactAddress);
      const hasAlternative: HasAlternative = (ahead, available) => {
        const here = group.numbers.filter(({ trunk }) => ahead.includes(trunk));
        const others = left.filter((one) => one !== group).flatMap(({ numbers }) => numbers);
        const elsewhere = others.filter(({ trunk }) => available.includes(trunk));
        return [...here, ...elsewhere].some(({ trunk }) => this.deps.limits.mayTake(trunk));
      };
      this.call = userAgent.call(number, offer, events, this.deps.callId, hasAlternative);
    });
  }

  private numberOn({ numbers }: SecurityGroup, trunk: string): string | null {
    const number = numbers.find((one) => one.trunk === trunk)?.number;
    if (number === undefined) return null;
    const release = this.deps.limits.take(trunk);
    if (!release) {
      this.wasLimited = true;
      return null;
    }
    this.releases.push(release);
    this.attempted.add(trunk);
    return number;
  }

  private answered(session: MediaSession, sdp: string): void {
    try {
      if (!sdp) throw new MediaRefused('noAudio', translatable('pigeon.detail.media.no-answer'));
      session.accept(sdp);
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      this.refusal = error.detail;
      this.call?.hangUp();
      return;
    }
    this.isAnswered = true;
    this.events.answered(session.isEncrypted ? `${this.trunk}, SRTP` : this.trunk);
  }

  private openSession(security: MediaSecurity): Promise<MediaSession> {
    const { createMediaSession, bindAddress, rtpPorts } = this.deps;
    return createMediaSession({
      bindAddress,
      ...(rtpPorts ? { ports: rtpPorts } : {}),
      security,
      acceptsFrom: (address) => this.deps.userAgent.isAddressOf(this.trunk, address),
      events: { key: (key, source) => this.key(key, source) },
    });
  }

  private key(key: string, source: KeySource): void {
    if (this.isAnswered && !this.isOver) this.events.key(key, source);
  }

  private fail(reason: CallReason, why: Detail): void {
    this.end(() => this.events.failed(reason, why));
  }

  private end(notify: () => void): void {
    if (this.isOver) return;
    this.isOver = true;
    this.release();
    this.session?.close();
    notify();
  }

  private release(): void {
    for (const release of this.releases.splice(0)) release();
  }
}

interface LegFailure {
  reason: CallReason;
  detail: Detail;
  /** The phone may be called over the next group. */
  mayTryOthers?: boolean;
  /** No trunk was tried because none had room. */
  isWithoutRoom?: boolean;
}

interface SecurityGroup {
  security: MediaSecurity;
  numbers: TrunkNumber[];
}

/** Neighboring trunks with the same encryption. */
function groupBySecurity(
  numbers: readonly TrunkNumber[],
  securityOf: (trunk: string) => MediaSecurity,
): SecurityGroup[] {
  const groups: SecurityGroup[] = [];
  for (const number of numbers) {
    const security = securityOf(number.trunk);
    const last = groups.at(-1);
    if (last?.security === security) last.numbers.push(number);
    else groups.push({ security, numbers: [number] });
  }
  return groups;
}
