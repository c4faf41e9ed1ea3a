// Line that calls over SIP trunks. This side decides which trunks may carry a call and renders what is said; a
// worker thread places the call.
import type { VoiceLanguage } from '@yagura/core/speech/spoken-text';
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Queryable } from '../../db/database.ts';
import type { CallReport } from '../call-report.ts';
import type { CallOrder, LineStatus, PhoneLine } from '../line.ts';
import type { SpeechRenderer } from '../voice/speech-renderer.ts';
import { renderKeys, renderPrompts } from './call-prompts.ts';
import { DialPlan, type TrunkNumber } from './number-rules.ts';
import { RecentSpeech } from './recent-speech.ts';
import type { SipSettings } from './sip-settings.ts';
import { SipThread } from './sip-thread.ts';
import { deleteOldUsage, releaseCalls, reserveCalls } from './trunk-usage.ts';
import type { WorkerCall, WorkerMessage } from './worker-messages.ts';

export interface SipLineDeps {
  settings: SipSettings;
  clock: Clock;
  log: Log;
  database: Queryable;
  speech: SpeechRenderer;
  /** Replaces the worker in tests. */
  createThread?: (
    settings: SipSettings,
  ) => Pick<SipThread, 'start' | 'post' | 'trunks' | 'close' | 'onMessage' | 'onLost'>;
}

interface LineCall {
  onReport(report: CallReport): void;
  /** Trunks on which the call and its transfer are counted for the day. */
  reserved: string[];
  transferReserved: string[];
  reservedAt: number;
  isPosted: boolean;
}

/** Milliseconds between reports of a call that waits for its voice; less than the chain engine gives a line to begin. */
const renderingReportMs = 10_000;

type Thread = ReturnType<NonNullable<SipLineDeps['createThread']>>;

export class SipLine implements PhoneLine {
  readonly kind = 'sip';
  readonly outlives = false;
  readonly needsSpeech = true;
  private readonly deps: SipLineDeps;
  private readonly dialPlan: DialPlan;
  private readonly thread: Thread;
  private readonly speech: RecentSpeech;
  private readonly calls = new Map<string, LineCall>();
  /** Languages whose keys the worker has. */
  private readonly keysPosted = new Map<VoiceLanguage, Promise<void>>();

  constructor(deps: SipLineDeps) {
    const { settings, clock, log } = deps;
    this.deps = deps;
    this.speech = new RecentSpeech(deps.speech);
    this.dialPlan = new DialPlan(settings.trunks);
    this.thread = deps.createThread?.(settings) ?? new SipThread({ settings, clock, log });
    this.thread.onMessage = (message) => this.handleMessage(message);
    this.thread.onLost = () => this.loseCalls();
  }

  async start(): Promise<void> {
    this.thread.start();
    await deleteOldUsage(this.deps.database, this.deps.clock.now());
  }

  dial(order: CallOrder, onReport: (report: CallReport) => void): void {
    const call: LineCall = {
      onReport,
      reserved: [],
      transferReserved: [],
      reservedAt: this.deps.clock.now(),
      isPosted: false,
    };
    this.calls.set(order.callId, call);
    this.place(order, call).catch((error) => {
      this.deps.log({ level: 'warn', message: 'a call could not be placed', ...errorFields(error) });
      this.end(order.callId, {
        kind: 'ended',
        reason: 'lineFailed',
        detail: translatable('pigeon.detail.voice-or-database'),
      });
    });
  }

  hangUp({ callId }: { callId: string }): void {
    const call = this.calls.get(callId);
    if (!call) return;
    if (call.isPosted) this.thread.post({ kind: 'hangUp', callId });
    else this.end(callId, { kind: 'ended', detail: translatable('pigeon.detail.canceled') });
  }

  async status(): Promise<LineStatus> {
    return { trunks: await this.thread.trunks(), voices: this.deps.speech.languages() };
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async place(order: CallOrder, call: LineCall): Promise<void> {
    const { callId, language, transferTo } = order;
    const numbers = this.dialPlan.numbersFor(order.phoneNumber);
    if (numbers.length === 0) {
      this.end(callId, { kind: 'ended', reason: 'notAllowed' });
      return;
    }
    const rendering = Promise.all([renderPrompts(this.speech, order, this.deps.log), this.postKeys(order)]);
    const [prompts] = await this.reportWhile(rendering, call);
    const transferNumbers = transferTo === null ? [] : this.dialPlan.numbersFor(transferTo);
    call.reservedAt = this.deps.clock.now();
    call.reserved = await this.reserve(numbers);
    call.transferReserved = await this.reserve(transferNumbers);
    if (this.calls.get(callId) !== call) {
      // Hung up meanwhile.
      this.release(call, [], []);
      return;
    }
    if (call.reserved.length === 0) {
      this.end(callId, {
        kind: 'ended',
        reason: 'rateLimited',
        detail: translatable('pigeon.detail.daily-limit'),
      });
      return;
    }
    const { transferFailed, ...spoken } = prompts;
    call.isPosted = true;
    this.thread.post({
      kind: 'dial',
      call: {
        callId,
        language,
        numbers: onTrunks(numbers, call.reserved),
        prompts: spoken,
        transfer: transferFailed && {
          name: order.transferName ?? '',
          numbers: onTrunks(transferNumbers, call.transferReserved),
          failed: transferFailed,
        },
      } satisfies WorkerCall,
    });
  }

  /** The time to begin is for the trunks: a voice that many calls wait for must not use it up. */
  private async reportWhile<T>(rendering: Promise<T>, call: LineCall): Promise<T> {
    let isLate = false;
    const report = () => {
      isLate = true;
      call.onReport({ kind: 'accepted' });
    };
    const stop = this.deps.clock.every(renderingReportMs, report);
    const rendered = await rendering.finally(stop);
    if (isLate) report();
    return rendered;
  }

  /** Gives the worker the audio of the keys once for each language. */
  private postKeys(order: CallOrder): Promise<void> {
    const { language } = order;
    const posted = this.keysPosted.get(language);
    if (posted) return posted;
    const posting = renderKeys(this.speech, order).then((keys) =>
      this.thread.post({ kind: 'keys', language, keys }),
    );
    this.keysPosted.set(language, posting);
    posting.catch(() => this.keysPosted.delete(language));
    return posting;
  }

  private async reserve(numbers: readonly TrunkNumber[]): Promise<string[]> {
    if (numbers.length === 0) return [];
    const { settings, database, clock } = this.deps;
    const names = new Set(numbers.map(({ trunk }) => trunk));
    const limits = settings.trunks
      .filter(({ name }) => names.has(name))
      .map(({ name, limits: { callsPerDay } }) => ({ name, callsPerDay }));
    return [...(await reserveCalls(database, limits, clock.now()))];
  }

  /** Takes back the reservations of trunks over which nothing was tried. */
  private release(call: LineCall, attempted: readonly string[], transferAttempted: readonly string[]): void {
    const { database, log } = this.deps;
    const unused = (reserved: readonly string[], used: readonly string[]) =>
      reserved.filter((name) => !used.includes(name));
    const releaseAll = async () => {
      await releaseCalls(database, unused(call.reserved, attempted), call.reservedAt);
      await releaseCalls(database, unused(call.transferReserved, transferAttempted), call.reservedAt);
    };
    releaseAll().catch((error) =>
      log({ level: 'warn', message: 'a call is counted although it was not made', ...errorFields(error) }),
    );
  }

  private handleMessage(message: WorkerMessage): void {
    if (message.kind === 'report') {
      const { callId, report } = message;
      this.calls.get(callId)?.onReport(report);
    } else if (message.kind === 'finished') {
      const call = this.calls.get(message.callId);
      this.calls.delete(message.callId);
      if (call) this.release(call, message.attempted, message.transferAttempted);
    }
  }

  /** The worker has ended: its calls are over. Their reservations stay, they may have been made. */
  private loseCalls(): void {
    this.keysPosted.clear();
    for (const [callId, { isPosted }] of [...this.calls])
      if (isPosted)
        this.end(callId, {
          kind: 'ended',
          reason: 'lineFailed',
          detail: translatable('pigeon.detail.thread-ended'),
        });
  }

  private end(callId: string, report: CallReport): void {
    const call = this.calls.get(callId);
    this.calls.delete(callId);
    call?.onReport(report);
    if (call && !call.isPosted) this.release(call, [], []);
  }
}

function onTrunks(numbers: readonly TrunkNumber[], trunks: readonly string[]): TrunkNumber[] {
  return numbers.filter(({ trunk }) => trunks.includes(trunk));
}
