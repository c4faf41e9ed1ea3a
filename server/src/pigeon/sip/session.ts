// A call within its dialog: requests of the peer, and the end.

import type { Detail } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import {
  capabilityHeaders,
  type OpenSession,
  runHandler,
  sdpOf,
  sdpType,
  unknownExtensions,
} from './agent-context.ts';
import { acceptSequence, contactOf, type Dialog, dialogKey } from './dialog.ts';
import { type Header, headerOf, type SipRequest, sequenceOf } from './message.ts';
import { infoKeyOf, isReferEvent, referredNumber, transferResult } from './refer.ts';
import { responseTo, type ServerTransaction } from './server-transaction.ts';
import { type RequestingSession, type SessionOptions, SessionRequests } from './session-requests.ts';
import {
  answeredInterval,
  isIntervalTooSmall,
  minSessionSeconds,
  type SessionInterval,
  SessionTimer,
} from './session-timer.ts';
import type { Flow } from './transport.ts';
import type { OutgoingCall } from './user-agent.ts';

/** Milliseconds after which a transfer without a result has failed. */
const transferTimeoutMs = 60_000;

export class Session implements OutgoingCall, OpenSession, RequestingSession {
  readonly dialog: Dialog;
  readonly options: SessionOptions;
  readonly requests: SessionRequests;
  readonly timer: SessionTimer;
  /** The peer understands UPDATE. */
  peerUpdates = false;
  /** Early until the call is answered. */
  confirmed = false;
  ended = false;
  localSdp: string;
  /** A PRACK arrived; returns whether it belongs to a response of ours. */
  onAcknowledgedProvisional: (request: SipRequest) => boolean = () => false;
  /** The caller said BYE instead of CANCEL. */
  onEarlyBye: () => void = () => {};
  /** Our last answer to an INVITE, until its ACK arrives. */
  private unacknowledged: { transaction: ServerTransaction; offered: boolean } | undefined;
  /** Set while BYE waits for the ACK. */
  private byeAfterAck: (() => void) | undefined;
  private finishTransfer: ((success: boolean) => void) | undefined;

  constructor(options: SessionOptions) {
    const { context, dialog, localSdp } = options;
    this.options = options;
    this.dialog = dialog;
    this.localSdp = localSdp;
    this.requests = new SessionRequests(this);
    this.timer = new SessionTimer(context.clock, {
      refresh: () => void this.requests.refresh(),
      expire: () => this.end('timer', translatable('pigeon.detail.session-expired')),
    });
    context.sessions.set(this.key, this);
  }

  get trunk(): string {
    return this.options.trunk.options.name;
  }

  get flow(): Flow {
    return this.options.flow;
  }

  /** The call was answered. */
  confirm(interval: SessionInterval | undefined): void {
    this.confirmed = true;
    this.timer.restart(interval, this.options.caller ? 'uac' : 'uas');
  }

  hangUp(): void {
    this.end('us', 'BYE');
  }

  async refer(number: string): Promise<boolean> {
    if (!this.open || this.finishTransfer || !this.options.trunk.options.referAllowed) return false;
    return new Promise((resolve) => {
      const stop = this.options.context.clock.after(transferTimeoutMs, () => this.finishTransfer?.(false));
      this.finishTransfer = (success) => {
        stop();
        this.finishTransfer = undefined;
        resolve(success);
      };
      void this.requests.refer(number).then((accepted) => {
        if (!accepted) this.finishTransfer?.(false);
      });
    });
  }

  async offer(sdp: string): Promise<string | null> {
    return this.open ? this.requests.offer(sdp) : null;
  }

  async sendInfoKey(key: string): Promise<boolean> {
    return this.open && /^[0-9*#A-D]$/.test(key) ? this.requests.infoKey(key) : false;
  }

  get open(): boolean {
    return this.confirmed && !this.ended;
  }

  /** Ends the call once; sends BYE unless the peer ended it. */
  end(by: 'us' | 'peer' | 'timer', reason: Detail, sendBye = by !== 'peer'): void {
    if (this.ended) return;
    const { events, context } = this.options;
    const confirmed = this.confirmed;
    this.close();
    if (!sendBye) this.forget();
    else this.sendBye();
    if (confirmed) runHandler(context, () => events.ended(by, reason));
  }

  /** Ends without a request, such as an early dialog of another branch. */
  discard(): void {
    this.close();
    this.forget();
  }

  /** Sends BYE in this dialog, even if the call was never confirmed or has ended. */
  sendBye(): void {
    // A callee sends BYE only after the ACK (RFC 3261, section 15).
    const acknowledged =
      this.unacknowledged && !this.options.caller
        ? new Promise<void>((resolve) => {
            this.byeAfterAck = resolve;
          })
        : Promise.resolve();
    const bye = acknowledged.then(() => this.requests.bye()).finally(() => this.forget());
    const { finalRequests } = this.options.context;
    finalRequests.add(bye);
    void bye.finally(() => finalRequests.delete(bye));
  }

  /** Answers a call: keeps the transaction until its ACK. */
  answered(transaction: ServerTransaction, offered: boolean): void {
    this.unacknowledged = { transaction, offered };
    transaction.onUnacknowledged = () => {
      this.unacknowledged = undefined;
      if (this.byeAfterAck) this.byeAfterAck();
      else this.end('timer', translatable('pigeon.detail.no-ack'), true);
    };
  }

  acknowledged(ack: SipRequest): void {
    const { unacknowledged } = this;
    if (!unacknowledged || sequenceOf(ack).number !== sequenceOf(unacknowledged.transaction.request).number)
      return;
    this.unacknowledged = undefined;
    unacknowledged.transaction.acknowledged();
    if (this.byeAfterAck) this.byeAfterAck();
    else if (unacknowledged.offered) {
      const { events, context } = this.options;
      runHandler(context, () => events.changed?.(sdpOf(ack)));
    }
  }

  /** Takes a request of the peer. */
  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const reply = (status: number, headers: Header[] = [], body = '') =>
      transaction.respond(responseTo(request, status, { tag: this.dialog.localTag, headers, body }));
    if (!acceptSequence(this.dialog, request)) {
      reply(500);
      return;
    }
    if (this.ended && request.method !== 'BYE') {
      reply(481);
      return;
    }
    const unknown = unknownExtensions(request);
    if (unknown.length > 0) {
      reply(420, [{ name: 'Unsupported', value: unknown.join(', ') }]);
      return;
    }
    switch (request.method) {
      case 'BYE':
        reply(200);
        if (!this.confirmed) this.onEarlyBye();
        this.end('peer', (headerOf(request, 'Reason') ?? 'BYE').slice(0, 200));
        return;
      case 'INVITE':
      case 'UPDATE':
        this.changeSession(transaction, reply);
        return;
      case 'INFO':
        this.takeInfo(request, reply);
        return;
      case 'OPTIONS':
        reply(200, this.capabilities());
        return;
      case 'PRACK':
        reply(this.onAcknowledgedProvisional(request) ? 200 : 481);
        return;
      case 'REFER':
        this.takeRefer(request, reply);
        return;
      case 'NOTIFY':
        this.takeNotify(request, reply);
        return;
      default:
        reply(
          405,
          this.capabilities().filter(({ name }) => name === 'Allow'),
        );
        return;
    }
  }

  private get key(): string {
    return dialogKey(this.dialog.callId, this.dialog.localTag, this.dialog.remoteTag);
  }

  private close(): void {
    this.ended = true;
    this.timer.stop();
    this.finishTransfer?.(false);
    this.requests.stop();
  }

  private forget(): void {
    const { sessions } = this.options.context;
    if (sessions.get(this.key) === this) sessions.delete(this.key);
  }

  private capabilities(): Header[] {
    return capabilityHeaders(this.options.flow, this.options.trunk.user);
  }

  private changeSession(transaction: ServerTransaction, reply: Reply): void {
    const { request } = transaction;
    const { events, context } = this.options;
    const invite = request.method === 'INVITE';
    if (this.requests.changing || this.unacknowledged || (invite && !this.confirmed)) {
      reply(491);
      return;
    }
    if (isIntervalTooSmall(request)) {
      reply(422, [{ name: 'Min-SE', value: String(minSessionSeconds) }]);
      return;
    }
    const sdp = sdpOf(request);
    // An UPDATE without a description only refreshes the session.
    const answers = invite || sdp !== '';
    // An early call has an offer of ours that is not answered.
    if (!this.confirmed && answers) {
      reply(491);
      return;
    }
    let answer = '';
    if (answers) {
      try {
        answer = events.offered(sdp);
      } catch (error) {
        context.log({ level: 'info', message: 'change of a call refused', error: (error as Error).message });
        reply(488);
        return;
      }
      if (this.ended) {
        reply(481);
        return;
      }
      this.localSdp = answer;
    }
    this.dialog.target = contactOf(request) ?? this.dialog.target;
    const timer = answeredInterval(request);
    if (invite) this.answered(transaction, sdp === '');
    reply(200, [...this.capabilities(), ...(timer?.headers ?? []), ...(answers ? [sdpType] : [])], answer);
    if (this.confirmed) this.timer.restart(timer?.interval, 'uas');
  }

  private takeInfo(request: SipRequest, reply: Reply): void {
    const key = infoKeyOf(request);
    if (key === undefined) {
      reply(request.body.length === 0 ? 200 : 415);
      return;
    }
    reply(200);
    const { events, context } = this.options;
    if (this.confirmed) runHandler(context, () => events.infoKey(key));
  }

  private takeRefer(request: SipRequest, reply: Reply): void {
    const { events, context, trunk } = this.options;
    const number = referredNumber(request);
    if (number === undefined) {
      reply(400);
      return;
    }
    const { referred } = events;
    if (!this.confirmed || !referred || !trunk.options.referAllowed) {
      reply(603);
      return;
    }
    reply(202, this.capabilities());
    const event = `refer;id=${sequenceOf(request).number}`;
    void this.requests.notify(event, 'active;expires=60', 'SIP/2.0 100 Trying');
    runHandler(context, () => {
      void referred(number)
        .catch(() => false)
        .then((success) =>
          this.requests.notify(
            event,
            'terminated;reason=noresource',
            success ? 'SIP/2.0 200 OK' : 'SIP/2.0 503 Service Unavailable',
          ),
        );
    });
  }

  private takeNotify(request: SipRequest, reply: Reply): void {
    if (!isReferEvent(request)) {
      reply(489);
      return;
    }
    if (!this.finishTransfer) {
      reply(481);
      return;
    }
    reply(200);
    const result = transferResult(request);
    if (result !== undefined) this.finishTransfer(result);
  }
}

type Reply = (status: number, headers?: Header[], body?: string) => void;
