// A call of ours over the first trunk that takes it.

import { type Detail, detailText } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import { type AgentContext, runHandler } from './agent-context.ts';
import { failureOf, triesNextTrunk } from './failure.ts';
import { isCallable } from './header-values.ts';
import { InviteLeg, type LegResult } from './invite-leg.ts';
import type { Session } from './session.ts';
import type { Trunk } from './trunk.ts';
import type { CallFailure, HasAlternative, OutgoingCall, OutgoingCallEvents } from './user-agent.ts';

export interface Attempt {
  trunk: Trunk;
  /** Number to dial; null if the trunk must not carry the call. Requested when its turn comes. */
  number: () => string | null;
}

/** Seconds for which a trunk that took a call and did nothing is tried last. */
const stalledSkipSeconds = 60;

export interface TrunkCallOptions {
  attempts: readonly Attempt[];
  /** The description to offer, given the address at which the trunk reaches us. */
  describe: (contactAddress: string) => string;
  /** Begins the Call-ID of each attempt, unless it is empty. */
  id: string;
  hasAlternative?: HasAlternative | undefined;
}

export class TrunkCall implements OutgoingCall {
  private readonly context: AgentContext;
  private readonly attempts: readonly Attempt[];
  private readonly describe: TrunkCallOptions['describe'];
  private readonly id: string;
  private readonly hasAlternative: HasAlternative;
  private readonly events: OutgoingCallEvents;
  private readonly onEnd: () => void;
  private index = 0;
  private leg: InviteLeg | undefined;
  private session: Session | undefined;
  private hungUp = false;
  /** Of the last trunk tried, in case the others must not carry the call. */
  private lastFailure: [CallFailure, Detail] | undefined;
  private done = false;

  constructor(
    context: AgentContext,
    { attempts, describe, id, hasAlternative }: TrunkCallOptions,
    events: OutgoingCallEvents,
    onEnd: () => void,
  ) {
    this.context = context;
    this.attempts = attempts;
    this.describe = describe;
    this.id = id;
    this.hasAlternative = hasAlternative ?? ((ahead) => ahead.length > 0);
    this.events = events;
    this.onEnd = onEnd;
  }

  get trunk(): string {
    return this.attempts[this.index]?.trunk.options.name ?? '';
  }

  start(): void {
    queueMicrotask(() => this.tryNext());
  }

  hangUp(): void {
    this.hungUp = true;
    if (this.session) this.session.hangUp();
    else this.leg?.cancel();
  }

  async refer(number: string): Promise<boolean> {
    return (isCallable(number) && (await this.session?.refer(number))) || false;
  }

  async offer(sdp: string): Promise<string | null> {
    return (await this.session?.offer(sdp)) ?? null;
  }

  async sendInfoKey(key: string): Promise<boolean> {
    return (await this.session?.sendInfoKey(key)) ?? false;
  }

  private tryNext(): void {
    if (this.hungUp) {
      this.fail('noAnswer', translatable('pigeon.detail.canceled'), false);
      return;
    }
    const attempt = this.attempts[this.index];
    if (!attempt) {
      const [failure, detail] = this.lastFailure ?? ['trunkAway', translatable('pigeon.detail.no-trunk')];
      this.fail(failure, detail, true);
      return;
    }
    const number = attempt.number();
    if (number === null) {
      this.index += 1;
      this.tryNext();
      return;
    }
    if (!isCallable(number)) {
      this.fail('wrongNumber', translatable('pigeon.detail.invalid-number'), false);
      return;
    }
    const { events, describe, id } = this;
    const { index } = this;
    const hasAlternative = () =>
      this.hasAlternative(availableNames(this.attempts.slice(index + 1)), availableNames(this.attempts));
    this.leg = new InviteLeg(
      this.context,
      attempt.trunk,
      { number, describe, id, hasAlternative },
      {
        progress: (status, sdp) => this.report(() => events.progress(status, sdp)),
        answered: (session, sdp) => {
          this.session = session;
          this.report(() => events.answered(sdp));
        },
        failed: (result) => this.legFailed(attempt.trunk, result),
        ended: (by, reason) => {
          this.done = true;
          this.onEnd();
          runHandler(this.context, () => events.ended(by, reason));
        },
        infoKey: (key) => this.report(() => events.infoKey(key)),
        offered: (sdp) => events.offered(sdp),
        changed: (sdp) => this.report(() => events.changed?.(sdp)),
        ...(events.referred ? { referred: (number) => events.referred!(number) } : {}),
      },
    );
    void this.leg.start();
  }

  private legFailed(trunk: Trunk, result: LegResult): void {
    if (this.hungUp) {
      this.fail('noAnswer', result.detail, false);
      return;
    }
    if (result.stalled) trunk.skipFor(stalledSkipSeconds);
    else if (result.status === undefined && !result.progressed) trunk.failed(result.detail, result.flow);
    if (result.status === 503 && result.retryAfterSeconds) trunk.skipFor(result.retryAfterSeconds);
    const failure = failureOf(result);
    const next = this.index + 1;
    const mayTryOthers = triesNextTrunk(result);
    if (!mayTryOthers || next >= this.attempts.length) {
      this.fail(failure, result.detail, mayTryOthers);
      return;
    }
    this.lastFailure = [failure, result.detail];
    this.context.log({
      level: 'warn',
      message: 'next SIP trunk tried',
      trunk: this.trunk,
      detail: detailText(result.detail),
    });
    this.index = next;
    this.tryNext();
  }

  private fail(failure: CallFailure, reason: Detail, mayTryOthers: boolean): void {
    if (this.done) return;
    this.done = true;
    this.onEnd();
    runHandler(this.context, () => this.events.failed(failure, reason, mayTryOthers));
  }

  private report(work: () => void): void {
    if (!this.done) runHandler(this.context, work);
  }
}

function availableNames(attempts: readonly Attempt[]): string[] {
  return attempts.filter(({ trunk }) => trunk.available).map(({ trunk }) => trunk.options.name);
}
