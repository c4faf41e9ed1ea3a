// A call of a trunk to us, before it is answered.
import { type AgentContext, capabilityHeaders, newTag, sdpOf, sdpType } from './agent-context.ts';
import { timers } from './client-transaction.ts';
import { calleeDialog, type Dialog } from './dialog.ts';
import { lists, parseNameAddress, parseUri } from './header-values.ts';
import { headerOf, headersOf, type SipRequest, sequenceOf } from './message.ts';
import { responseTo, type ServerTransaction } from './server-transaction.ts';
import { Session } from './session.ts';
import { answeredInterval } from './session-timer.ts';
import type { Trunk } from './trunk.ts';
import type { AnsweredCallEvents, IncomingCall, OutgoingCall } from './user-agent.ts';

/** Milliseconds after which an unanswered call is given up. */
const ringMs = 180_000;

const noEvents: AnsweredCallEvents = {
  ended: () => {},
  infoKey: () => {},
  offered: () => {
    throw new Error('not answered');
  },
};

export class TrunkIncomingCall implements IncomingCall {
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly sdp: string;
  private readonly context: AgentContext;
  private readonly trunk: Trunk;
  private readonly transaction: ServerTransaction;
  private readonly dialog: Dialog;
  private readonly session: Session;
  private events = noEvents;
  private canceled = () => {};
  private reliableSequence = 0;
  private stopReliable = () => {};
  private stopRinging = () => {};
  private done = false;
  private readonly onEnd: () => void;

  /** Undefined, after an answer, for an INVITE without a usable Contact. */
  static from(
    context: AgentContext,
    trunk: Trunk,
    transaction: ServerTransaction,
    onEnd: (call: TrunkIncomingCall) => void,
  ): TrunkIncomingCall | undefined {
    const dialog = calleeDialog(transaction.request, newTag(context));
    if (dialog) return new TrunkIncomingCall(context, trunk, transaction, dialog, onEnd);
    transaction.respond(responseTo(transaction.request, 400, { tag: newTag(context) }));
    return undefined;
  }

  private constructor(
    context: AgentContext,
    trunk: Trunk,
    transaction: ServerTransaction,
    dialog: Dialog,
    onEnd: (call: TrunkIncomingCall) => void,
  ) {
    const { request, flow } = transaction;
    this.context = context;
    this.trunk = trunk;
    this.transaction = transaction;
    this.dialog = dialog;
    this.onEnd = () => onEnd(this);
    this.from = userOf(request, 'From');
    this.to = userOf(request, 'To');
    this.callId = dialog.callId;
    this.sdp = sdpOf(request);
    const current = () => this.events;
    this.session = new Session({
      ...{ context, trunk, dialog, flow },
      caller: false,
      localSdp: '',
      events: {
        ended: (by, detail) => {
          this.onEnd();
          current().ended(by, detail);
        },
        infoKey: (key) => current().infoKey(key),
        offered: (sdp) => current().offered(sdp),
        changed: (sdp) => current().changed?.(sdp),
        get referred() {
          return current().referred;
        },
      },
    });
    this.session.peerUpdates = headersOf(request, 'Allow').some((value) => /\bUPDATE\b/i.test(value));
    transaction.onCancel = () => this.giveUp(487);
    this.session.onEarlyBye = () => this.giveUp(487);
    this.stopRinging = context.clock.after(ringMs, () => this.giveUp(480));
    transaction.respond(responseTo(request, 100));
  }

  onCancel(work: () => void): void {
    this.canceled = work;
  }

  ring(sdp = ''): void {
    if (this.done) return;
    const { request, flow } = this.transaction;
    const status = sdp === '' ? 180 : 183;
    const reliable =
      lists(request, 'Require', '100rel') || (sdp !== '' && lists(request, 'Supported', '100rel'));
    if (reliable && this.reliableSequence > 0) return;
    if (reliable) this.reliableSequence = 1 + (this.context.random(3).readUIntBE(0, 3) % 0x7fffff);
    const response = responseTo(request, status, {
      tag: this.dialog.localTag,
      headers: [
        ...this.recordRoutes(),
        ...capabilityHeaders(flow, this.trunk.user),
        ...(sdp === '' ? [] : [sdpType]),
        ...(reliable
          ? [
              { name: 'Require', value: '100rel' },
              { name: 'RSeq', value: String(this.reliableSequence) },
            ]
          : []),
      ],
      body: sdp,
    });
    this.transaction.respond(response);
    if (reliable) this.repeatUntilAcknowledged(() => this.transaction.respond(response));
  }

  answer(sdp: string, events: AnsweredCallEvents): OutgoingCall {
    if (this.done) return this.session;
    this.finish();
    const { request, flow } = this.transaction;
    const timer = answeredInterval(request);
    this.events = events;
    this.session.localSdp = sdp;
    this.session.answered(this.transaction, this.sdp === '');
    this.transaction.respond(
      responseTo(request, 200, {
        tag: this.dialog.localTag,
        headers: [
          ...this.recordRoutes(),
          ...capabilityHeaders(flow, this.trunk.user),
          ...(timer?.headers ?? []),
          sdpType,
        ],
        body: sdp,
      }),
    );
    this.session.confirm(timer?.interval);
    return this.session;
  }

  reject(status: number): void {
    if (this.done || status < 300 || status > 699) return;
    this.finish();
    this.transaction.respond(responseTo(this.transaction.request, status, { tag: this.dialog.localTag }));
    this.session.discard();
    this.onEnd();
  }

  /** Ends the call before its answer, or after it. */
  close(): void {
    if (this.done) this.session.hangUp();
    else this.reject(480);
  }

  private giveUp(status: number): void {
    if (this.done) return;
    this.reject(status);
    this.canceled();
  }

  private finish(): void {
    this.done = true;
    this.stopReliable();
    this.stopRinging();
  }

  /** Sends a reliable provisional response again until its PRACK arrives (RFC 3262, section 3). */
  private repeatUntilAcknowledged(send: () => void): void {
    const { clock } = this.context;
    const { request } = this.transaction;
    const repeatAfter = (delay: number) => {
      this.stopReliable = clock.after(delay, () => {
        // 64 times T1.
        if (delay * 2 > timers.timeout) return this.reject(500);
        send();
        repeatAfter(delay * 2);
      });
    };
    repeatAfter(timers.t1);
    this.session.onAcknowledgedProvisional = (prack) => {
      const expected = `${this.reliableSequence} ${sequenceOf(request).number} INVITE`;
      if (headerOf(prack, 'RAck')?.split(/\s+/).join(' ') !== expected) return false;
      this.stopReliable();
      this.session.onAcknowledgedProvisional = () => false;
      return true;
    };
  }

  private recordRoutes() {
    return headersOf(this.transaction.request, 'Record-Route').map((value) => ({
      name: 'Record-Route',
      value,
    }));
  }
}

/** User of an address, such as the number of the caller; the address itself if it has none. */
function userOf(request: SipRequest, name: 'From' | 'To'): string {
  const uri = parseNameAddress(headerOf(request, name) ?? '')?.uri ?? '';
  return parseUri(uri)?.user || uri;
}
