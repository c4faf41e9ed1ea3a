// What the parts of the user agent share.
import type { Clock } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { ClientEvents, ClientTransaction } from './client-transaction.ts';
import type { Credentials } from './digest.ts';
import { numberUri, uriHost } from './header-values.ts';
import { type Header, headersOf, type SipRequest, type SipResponse } from './message.ts';
import type { Network } from './network.ts';
import type { ServerTransaction } from './server-transaction.ts';
import type { Transactions } from './transactions.ts';
import type { Flow, Transport } from './transport.ts';

/** A call in which requests of the peer arrive. */
export interface OpenSession {
  receive(transaction: ServerTransaction): void;
  acknowledged(request: SipRequest): void;
  /** The way over which the call began. */
  readonly flow: Flow;
}

export interface AgentContext {
  clock: Clock;
  log: Log;
  network: Network;
  /** IP version of the sockets: that of the local address. */
  family: 4 | 6;
  random: (size: number) => Buffer;
  transport: Transport;
  transactions: Transactions;
  /** Open dialogs by dialogKey. */
  sessions: Map<string, OpenSession>;
  /** Requests that are still to be answered before the sockets are closed. */
  finalRequests: Set<Promise<unknown>>;
}

export const allowedMethods = 'INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, PRACK, REFER, NOTIFY';
const supportedExtensions = '100rel, timer';
const agentName = 'Yagura';

export const newTag = (context: Pick<AgentContext, 'random'>): string => context.random(8).toString('hex');

/** Value of Via with a new branch. */
export function newVia(context: AgentContext, flow: Flow): string {
  const { address, port } = flow.contact;
  const branch = `z9hG4bK${context.random(12).toString('hex')}`;
  const alias = flow.transport === 'udp' ? '' : ';alias';
  return `SIP/2.0/${flow.transport.toUpperCase()} ${uriHost(address)}:${port};branch=${branch};rport${alias}`;
}

/** URI at which requests reach the user agent over that flow. */
export function contactUri(flow: Flow, user: string): string {
  const { address, port } = flow.contact;
  const transport = flow.transport === 'udp' ? '' : `;transport=${flow.transport}`;
  return `${numberUri(user, address)}:${port}${transport}`;
}

/** Headers of requests and answers that start or change a call. */
export function capabilityHeaders(flow: Flow, user: string): Header[] {
  return [
    { name: 'Contact', value: `<${contactUri(flow, user)}>` },
    { name: 'Allow', value: allowedMethods },
    { name: 'Supported', value: supportedExtensions },
    { name: 'User-Agent', value: agentName },
  ];
}

/** Extensions that a request requires and that are unknown here. */
export function unknownExtensions(request: SipRequest): string[] {
  return headersOf(request, 'Require')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '' && !supportedExtensions.split(', ').includes(value.toLowerCase()));
}

export const contentType = (type: string): Header => ({ name: 'Content-Type', value: type });
export const sdpType = contentType('application/sdp');

/** The session description of a message; empty if it has none. */
export function sdpOf(message: SipRequest | SipResponse): string {
  const [type] = (headersOf(message, 'Content-Type')[0] ?? '').split(';');
  return type!.trim().toLowerCase() === 'application/sdp' ? message.body.toString('utf8') : '';
}

export interface AuthenticatedRequest {
  /** Makes the request, again with credentials if they were asked for; each with a new branch and number. */
  build(credentials: readonly Header[]): SipRequest;
  flow: Flow;
  credentials: Credentials;
  /** The final response is never a challenge that can be answered. */
  events: ClientEvents;
}

/** The transaction that is under way, which changes when the request is sent again. */
export interface RunningRequest {
  current: ClientTransaction;
  /** Set to send no further request. */
  canceled: boolean;
}

/** Sends a request and answers challenges of servers and proxies. */
export function sendAuthenticated(context: AgentContext, options: AuthenticatedRequest): RunningRequest {
  const { build, flow, events } = options;
  const attempt = options.credentials.attempt();
  const send = (credentials: readonly Header[]): ClientTransaction => {
    const request = build(credentials);
    return context.transactions.send(request, flow, {
      response: (response) => {
        const challenged = response.status === 401 || response.status === 407;
        const answer =
          challenged && !running.canceled ? attempt.answer(response, request.method, request.uri) : undefined;
        if (answer) running.current = send(answer);
        else events.response(response);
      },
      failed: (error) => events.failed(error),
    });
  };
  const running: RunningRequest = { current: send([]), canceled: false };
  return running;
}

/** Runs a handler of the caller; an error in it is logged and does not disturb the signaling. */
export function runHandler(context: Pick<AgentContext, 'log'>, work: () => void): void {
  try {
    work();
  } catch (error) {
    context.log({ level: 'error', message: 'a call event was not processed', ...errorFields(error) });
  }
}

/** A status line as people read it, for example "486 Busy Here". */
export const statusText = (response: SipResponse): string =>
  `${response.status} ${response.reason.slice(0, 100)}`.trim();
