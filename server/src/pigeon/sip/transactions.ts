// Finds the transaction of each message; new requests go to the user agent.
import type { Clock } from '../../common/clock.ts';
import { translatable } from '../../common/translatable-text.ts';
import { type ClientEvents, ClientTransaction } from './client-transaction.ts';
import { parseVia, tagOf } from './header-values.ts';
import {
  headerOf,
  headersOf,
  printMessage,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  sequenceOf,
} from './message.ts';
import { responseTo, ServerTransaction } from './server-transaction.ts';
import type { Flow } from './transport.ts';

export interface TransactionEvents {
  /** A new request that is no ACK and no CANCEL. */
  request(transaction: ServerTransaction): void;
  /** An ACK of a 2xx. */
  ack(request: SipRequest): void;
}

/** Above this number new requests are refused with 503. */
const maxServerTransactions = 1000;

export class Transactions {
  private readonly clock: Clock;
  private readonly newTag: () => string;
  private readonly events: TransactionEvents;
  private readonly clients = new Map<string, ClientTransaction>();
  private readonly servers = new Map<string, ServerTransaction>();
  /** Open INVITEs by what stays the same when one arrives over two paths. */
  private readonly calls = new Map<string, ServerTransaction>();

  private closed = false;

  constructor(clock: Clock, newTag: () => string, events: TransactionEvents) {
    this.clock = clock;
    this.newTag = newTag;
    this.events = events;
  }

  /** Sends a request. `response` and `failed` are not called before this returns. */
  send(request: SipRequest, flow: Flow, events: ClientEvents): ClientTransaction {
    const key = `${branchOf(request)} ${request.method}`;
    const transaction = new ClientTransaction({
      ...{ request, flow, events, clock: this.clock },
      onEnd: () => this.clients.delete(key),
    });
    this.clients.set(key, transaction);
    queueMicrotask(() => {
      if (this.closed) transaction.abort(translatable('pigeon.detail.closed'));
      else transaction.start();
    });
    return transaction;
  }

  receiveResponse(response: SipResponse): void {
    const key = `${branchOf(response)} ${sequenceOf(response).method}`;
    this.clients.get(key)?.receive(response);
  }

  receiveRequest(request: SipRequest, flow: Flow): void {
    noteSource(request, flow);
    const key = serverKey(request, request.method === 'ACK' ? 'INVITE' : request.method);
    const existing = this.servers.get(key);
    if (existing) {
      existing.receive(request);
      return;
    }
    if (request.method === 'ACK') {
      this.events.ack(request);
      return;
    }
    const call = request.method === 'INVITE' ? callKey(request) : undefined;
    const transaction = new ServerTransaction({
      ...{ request, flow, clock: this.clock },
      onEnd: () => {
        this.servers.delete(key);
        if (call && this.calls.get(call) === transaction) this.calls.delete(call);
      },
    });
    if (this.servers.size >= maxServerTransactions) {
      flow.send(printMessage(responseTo(request, 503, { tag: this.newTag() })), () => undefined);
      return;
    }
    this.servers.set(key, transaction);
    if (call) {
      if (this.calls.has(call)) {
        transaction.respond(responseTo(request, 482, { tag: this.newTag() }));
        return;
      }
      this.calls.set(call, transaction);
    }
    if (request.method === 'CANCEL') this.cancel(transaction);
    else this.events.request(transaction);
  }

  /** Whether a response is awaited over that flow. */
  isWaitingOn(flow: Flow): boolean {
    return [...this.clients.values()].some((transaction) => transaction.flow === flow);
  }

  /** No response can arrive over a closed connection. */
  connectionClosed(flow: Flow): void {
    for (const transaction of [...this.clients.values()]) {
      if (transaction.flow === flow) transaction.abort(translatable('pigeon.detail.connection-closed'));
    }
  }

  close(): void {
    this.closed = true;
    for (const transaction of [...this.clients.values()])
      transaction.abort(translatable('pigeon.detail.closed'));
    for (const transaction of [...this.servers.values()]) transaction.end();
  }

  private cancel(transaction: ServerTransaction): void {
    const canceled = this.servers.get(serverKey(transaction.request, 'INVITE'));
    transaction.respond(responseTo(transaction.request, canceled ? 200 : 481, { tag: this.newTag() }));
    if (canceled && !canceled.answered) canceled.onCancel();
  }
}

const branchOf = (message: SipMessage) => parseVia(topVia(message))?.params.get('branch') ?? '';

/** The first value of Via; several can be in one header. */
function topVia(message: SipMessage): string {
  return headersOf(message, 'Via')[0]?.split(',', 1)[0] ?? '';
}

function serverKey(request: SipRequest, method: string): string {
  const via = parseVia(topVia(request));
  return [
    via?.params.get('branch') ?? '',
    `${via?.host}:${via?.port ?? ''}`,
    headerOf(request, 'Call-ID'),
    sequenceOf(request).number,
    tagOf(request, 'From'),
    method,
  ].join(' ');
}

/** Only of an INVITE outside a dialog. */
function callKey(request: SipRequest): string | undefined {
  if (tagOf(request, 'To') !== '') return undefined;
  return [headerOf(request, 'Call-ID'), sequenceOf(request).number, tagOf(request, 'From')].join(' ');
}

/** Notes in Via where the request came from (RFC 3261, section 18.2.1; RFC 3581). */
function noteSource(request: SipRequest, flow: Flow): void {
  const header = request.headers.find(({ name }) => name === 'Via');
  if (!header) return;
  const [top, ...others] = header.value.split(',');
  const rport = /;\s*rport\s*(?=;|$)/i;
  const received = `;received=${flow.remote.address}`;
  const noted = rport.test(top!)
    ? top!.replace(rport, `;rport=${flow.remote.port}`) + received
    : parseVia(top!)?.host === flow.remote.address
      ? top!
      : top! + received;
  header.value = [noted, ...others].join(',');
}

/** The other end of the flow, as far as Via asks for another port than that of the source. */
export function responsePort(request: SipRequest, flow: Flow): number {
  const via = parseVia(topVia(request));
  return !via || via.params.has('rport') ? flow.remote.port : (via.port ?? 5060);
}
