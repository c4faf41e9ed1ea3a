// Server transactions (RFC 3261, section 17.2; RFC 6026): one received request, its repetitions and the responses.
import type { Clock } from '../../common/clock.ts';
import { timers } from './client-transaction.ts';
import {
  type Header,
  headerOf,
  headersOf,
  printMessage,
  type SipRequest,
  type SipResponse,
} from './message.ts';
import type { Flow } from './transport.ts';

/** Standard texts of the responses that are sent. */
const reasons: Record<number, string> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  600: 'Busy Everywhere',
  603: 'Decline',
};

export const reasonOf = (status: number): string => reasons[status] ?? 'Unknown';

/** A response with the headers that it repeats from the request. */
export function responseTo(
  request: SipRequest,
  status: number,
  { tag, headers = [], body = '' }: { tag?: string; headers?: Header[]; body?: string } = {},
): SipResponse {
  const to = headerOf(request, 'To') ?? '';
  const tagged = tag === undefined || /;\s*tag\s*=/i.test(to) ? to : `${to};tag=${tag}`;
  return {
    status,
    reason: reasonOf(status),
    headers: [
      ...headersOf(request, 'Via').map((value) => ({ name: 'Via', value })),
      { name: 'From', value: headerOf(request, 'From') ?? '' },
      { name: 'To', value: tagged },
      { name: 'Call-ID', value: headerOf(request, 'Call-ID') ?? '' },
      { name: 'CSeq', value: headerOf(request, 'CSeq') ?? '' },
      ...headers,
    ],
    body: Buffer.from(body),
  };
}

export interface ServerOptions {
  request: SipRequest;
  flow: Flow;
  clock: Clock;
  /** The transaction takes no more repetitions. */
  onEnd: () => void;
}

export class ServerTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  /** The caller canceled an INVITE that has no final response yet. */
  onCancel: () => void = () => {};
  /** No ACK arrived for the final response. */
  onUnacknowledged: () => void = () => {};
  private readonly options: ServerOptions;
  private readonly invite: boolean;
  private state: 'proceeding' | 'accepted' | 'completed' | 'confirmed' | 'ended' = 'proceeding';
  private last: Buffer | undefined;
  private stopRetransmitting = () => {};
  private stopTimeout = () => {};

  constructor(options: ServerOptions) {
    this.options = options;
    this.request = options.request;
    this.flow = options.flow;
    this.invite = options.request.method === 'INVITE';
  }

  get answered(): boolean {
    return this.state !== 'proceeding';
  }

  /** Sends a response; a second final one is ignored. */
  respond(response: SipResponse): void {
    if (this.state !== 'proceeding') return;
    this.last = printMessage(response);
    this.flow.send(this.last, () => undefined);
    if (response.status < 200) return;
    const { clock } = this.options;
    const reliable = this.flow.transport !== 'udp';
    if (!this.invite) {
      this.state = 'completed';
      // Timer J.
      if (reliable) this.end();
      else this.stopTimeout = clock.after(timers.timeout, () => this.end());
      return;
    }
    this.state = response.status < 300 ? 'accepted' : 'completed';
    // Timer G; a 2xx is repeated over streams too, because it travels from end to end.
    if (!reliable || this.state === 'accepted') this.retransmitAfter(timers.t1);
    // Timers H and L.
    this.stopTimeout = clock.after(timers.timeout, () => {
      const acknowledged = this.state === 'confirmed';
      this.end();
      if (!acknowledged) this.onUnacknowledged();
    });
  }

  /** The request or the ACK of its refusal arrived, maybe again. */
  receive(request: SipRequest): void {
    if (request.method === 'ACK') this.acknowledged();
    else if (this.last && (this.state === 'proceeding' || this.state === 'completed')) {
      this.flow.send(this.last, () => undefined);
    }
  }

  /** The ACK arrived: of a refusal here, of a 2xx in the dialog. */
  acknowledged(): void {
    if (this.state !== 'completed' && this.state !== 'accepted') return;
    this.state = 'confirmed';
    this.stopRetransmitting();
    this.stopTimeout();
    // Timer I; also takes late repetitions of an answered INVITE.
    this.stopTimeout = this.options.clock.after(timers.t4, () => this.end());
  }

  end(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.stopRetransmitting();
    this.stopTimeout();
    this.options.onEnd();
  }

  private retransmitAfter(delay: number): void {
    this.stopRetransmitting = this.options.clock.after(delay, () => {
      if (this.last) this.flow.send(this.last, () => undefined);
      this.retransmitAfter(Math.min(delay * 2, timers.t2));
    });
  }
}
