// Requests of ours within a call: BYE, INFO, REFER, NOTIFY, re-INVITE, UPDATE, ACK.

import type { Detail } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import {
  type AgentContext,
  capabilityHeaders,
  contentType,
  newVia,
  runHandler,
  sdpOf,
  sdpType,
  sendAuthenticated,
  statusText,
} from './agent-context.ts';
import { type ClientTransaction, timers } from './client-transaction.ts';
import { contactOf, type Dialog, dialogRequest, nextHop } from './dialog.ts';
import { numberUri, parseSeconds, parseUri } from './header-values.ts';
import {
  type Header,
  headerOf,
  printMessage,
  type SipRequest,
  type SipResponse,
  sequenceOf,
} from './message.ts';
import { resolveEndpoints } from './resolve.ts';
import {
  minSessionSeconds,
  type SessionTimer,
  sessionHeaders,
  sessionIntervalOf,
  sessionSeconds,
} from './session-timer.ts';
import type { Flow } from './transport.ts';
import type { Trunk } from './trunk.ts';
import type { AnsweredCallEvents } from './user-agent.ts';

export interface SessionOptions {
  context: AgentContext;
  trunk: Trunk;
  dialog: Dialog;
  flow: Flow;
  /** Whether we made the call, so that its Call-ID is ours. */
  caller: boolean;
  /** The description that we sent last. */
  localSdp: string;
  events: AnsweredCallEvents;
}

/** What requests need to know of their call, and change in it. */
export interface RequestingSession {
  readonly options: SessionOptions;
  readonly dialog: Dialog;
  readonly timer: SessionTimer;
  readonly peerUpdates: boolean;
  readonly ended: boolean;
  localSdp: string;
  end(by: 'us' | 'peer' | 'timer', reason: Detail, sendBye?: boolean): void;
}

interface InDialogRequest {
  method: string;
  headers?: Header[];
  body?: string;
  /** Milliseconds to wait for a final response. */
  timeoutMs?: number;
}

/** Repetitions of a change that crossed one of the peer (491). */
const maxGlares = 3;

export class SessionRequests {
  /** A re-INVITE or UPDATE of ours is not answered. */
  changing = false;
  private readonly session: RequestingSession;
  private cancelWait = () => {};

  constructor(session: RequestingSession) {
    this.session = session;
  }

  stop(): void {
    this.cancelWait();
  }

  async bye(): Promise<void> {
    await this.send({ method: 'BYE' });
  }

  async infoKey(key: string): Promise<boolean> {
    const response = await this.send({
      method: 'INFO',
      headers: [contentType('application/dtmf-relay')],
      body: `Signal=${key}\r\nDuration=160\r\n`,
    });
    return isSuccess(response);
  }

  /** Whether the peer accepted the transfer; how it goes on arrives by NOTIFY. */
  async refer(number: string): Promise<boolean> {
    const { domain, callerId } = this.session.options.trunk.options;
    const response = await this.send({
      method: 'REFER',
      headers: [
        { name: 'Refer-To', value: `<${numberUri(number, domain)}>` },
        { name: 'Referred-By', value: `<${numberUri(callerId, domain)}>` },
        ...this.capabilities(),
      ],
    });
    return isSuccess(response);
  }

  async notify(event: string, state: string, status: string): Promise<void> {
    await this.send({
      method: 'NOTIFY',
      headers: [
        { name: 'Event', value: event },
        { name: 'Subscription-State', value: state },
        contentType('message/sipfrag;version=2.0'),
        ...this.capabilities(),
      ],
      body: `${status}\r\n`,
    });
  }

  /** Offers another description; the answer, or null if it was refused. */
  async offer(sdp: string): Promise<string | null> {
    const response = await this.change('INVITE', sdp);
    if (!isSuccess(response)) return null;
    this.session.localSdp = sdp;
    return sdpOf(response!);
  }

  /** Keeps the session; ends the call if the peer does not know it any more. */
  async refresh(): Promise<void> {
    const { session } = this;
    const { events, context } = session.options;
    const method = session.peerUpdates ? 'UPDATE' : 'INVITE';
    const sdp = method === 'INVITE' ? session.localSdp : '';
    const response = await this.change(method, sdp);
    if (session.ended || !response || !isSuccess(response)) return;
    if (sdp !== '') runHandler(context, () => events.changed?.(sdpOf(response)));
  }

  /** ACK of a 2xx; the same one again for each repetition of the response. */
  acknowledge(invite: SipRequest, flow: Flow): () => void {
    const { context, dialog, trunk } = { ...this.session.options };
    let bytes: Buffer | undefined;
    let way: Promise<Flow> | undefined;
    return () => {
      way ??= dialogFlow(context, trunk, dialog, flow);
      void way
        .catch(() => flow)
        .then((found) => {
          bytes ??= printMessage(
            dialogRequest(dialog, {
              method: 'ACK',
              via: newVia(context, found),
              sequence: sequenceOf(invite).number,
              headers: invite.headers.filter(({ name }) => name.endsWith('Authorization')),
            }),
          );
          found.send(bytes, () => undefined);
        });
    };
  }

  /** Sends a PRACK for a provisional response (RFC 3262). */
  async acknowledgeProvisional(response: SipResponse): Promise<void> {
    const rack = `${headerOf(response, 'RSeq')} ${headerOf(response, 'CSeq')}`;
    await this.send({ method: 'PRACK', headers: [{ name: 'RAck', value: rack }] });
  }

  private capabilities(): Header[] {
    return capabilityHeaders(this.session.options.flow, this.session.options.trunk.user);
  }

  /** Sends a re-INVITE or UPDATE, again after one that crossed it. */
  private async change(method: 'INVITE' | 'UPDATE', sdp: string): Promise<SipResponse | undefined> {
    const { session } = this;
    if (this.changing) return undefined;
    for (let glares = 0; ; glares += 1) {
      this.changing = true;
      const { seconds, weRefresh } = session.timer;
      const interval = seconds ?? sessionSeconds;
      // The roles of the timer stay as they are (RFC 4028, section 7.4).
      const refresher = seconds === undefined ? undefined : weRefresh ? 'uac' : 'uas';
      const response = await this.send({
        method,
        headers: [
          ...this.capabilities(),
          ...sessionHeaders(interval, minSessionSeconds, refresher),
          ...(sdp === '' ? [] : [sdpType]),
        ],
        body: sdp,
      });
      this.changing = false;
      if (session.ended) return undefined;
      if (!response || response.status === 408 || response.status === 481) {
        session.end(
          'peer',
          response ? statusText(response) : translatable('pigeon.detail.no-response'),
          true,
        );
        return undefined;
      }
      if (isSuccess(response)) {
        session.dialog.target = contactOf(response) ?? session.dialog.target;
        session.timer.restart(sessionIntervalOf(response), 'uac');
      }
      if (response.status === 422 && glares < maxGlares) {
        const minimum = parseSeconds(headerOf(response, 'Min-SE'));
        if (minimum !== undefined && minimum > interval && minimum <= 86_400) {
          session.timer.seconds = minimum;
          continue;
        }
      }
      if (response.status !== 491 || glares >= maxGlares) return response;
      await this.waitAfterGlare();
      if (session.ended) return undefined;
    }
  }

  /** The side that owns the Call-ID waits longer (RFC 3261, section 14.1). */
  private waitAfterGlare(): Promise<void> {
    const { context, caller } = this.session.options;
    const fraction = context.random(1)[0]! / 255;
    const wait = caller ? 2100 + fraction * 1900 : fraction * 2000;
    return new Promise((resolve) => {
      const stop = context.clock.after(wait, resolve);
      this.cancelWait = () => {
        stop();
        resolve();
      };
    });
  }

  /** The final response; undefined without one. Never rejects. */
  private async send({
    method,
    headers = [],
    body = '',
    timeoutMs = timers.timeout,
  }: InDialogRequest): Promise<SipResponse | undefined> {
    const { context, trunk, dialog, flow: first } = this.session.options;
    let flow = first;
    try {
      flow = await dialogFlow(context, trunk, dialog, first);
    } catch {
      // The next hop is unknown; use the flow of the first request.
    }
    return new Promise((resolve) => {
      let acknowledge: (() => void) | undefined;
      const stop = context.clock.after(timeoutMs, () => {
        running.canceled = true;
        running.current.end();
        resolve(undefined);
      });
      const running: { canceled: boolean; current: ClientTransaction } = sendAuthenticated(context, {
        flow,
        credentials: trunk.credentials,
        build: (credentials) =>
          dialogRequest(dialog, {
            ...{ method, body },
            via: newVia(context, flow),
            headers: [...headers, ...credentials],
          }),
        events: {
          response: (response) => {
            if (response.status < 200) return;
            if (method === 'INVITE' && isSuccess(response)) {
              // Each repetition of the response wants its ACK.
              acknowledge ??= this.acknowledge(running.current.request, flow);
              acknowledge();
            }
            stop();
            resolve(response);
          },
          failed: () => {
            stop();
            resolve(undefined);
          },
        },
      });
    });
  }
}

const isSuccess = (response: SipResponse | undefined): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300;

/** Where requests of a dialog go. Connections are used in both directions; UDP goes to the next hop. */
async function dialogFlow(context: AgentContext, trunk: Trunk, dialog: Dialog, flow: Flow): Promise<Flow> {
  if (flow.transport !== 'udp') return flow.open ? flow : trunk.flow();
  if (trunk.options.outboundProxy !== undefined) return flow;
  const uri = parseUri(nextHop(dialog));
  if (!uri) return flow;
  const [endpoint] = await resolveEndpoints(context, 'udp', uri.host, uri.port);
  const { address, port } = endpoint!;
  if (address === flow.remote.address && port === flow.remote.port) return flow;
  return context.transport.datagramFlow(endpoint!);
}
