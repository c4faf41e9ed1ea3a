// Client transactions (RFC 3261, section 17.1; RFC 6026): one request, its retransmissions and its responses.
import type { Clock } from '../../common/clock.ts';
import { type Detail, DetailedError } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import { headersOf, printMessage, type SipRequest, type SipResponse } from './message.ts';
import type { Flow } from './transport.ts';

/** Round-trip estimate, longest retransmission interval, and lifetime of a message in the network; milliseconds. */
export const timers = { t1: 500, t2: 4000, t4: 5000, timeout: 32_000 } as const;

export interface ClientEvents {
  /** Each provisional response, the final one, and for INVITE each further 2xx. */
  response(response: SipResponse): void;
  /** No final response came, or the request could not be sent. */
  failed(error: Error): void;
}

export interface ClientOptions {
  request: SipRequest;
  flow: Flow;
  clock: Clock;
  events: ClientEvents;
  /** The transaction takes no more responses. */
  onEnd: () => void;
}

export class ClientTransaction {
  readonly request: SipRequest;
  readonly flow: Flow;
  private readonly options: ClientOptions;
  private readonly invite: boolean;
  private readonly bytes: Buffer;
  private state: 'trying' | 'proceeding' | 'accepted' | 'completed' | 'ended' = 'trying';
  private stopRetransmitting = () => {};
  private stopTimeout = () => {};

  constructor(options: ClientOptions) {
    const { request, flow } = options;
    this.options = options;
    this.request = request;
    this.flow = flow;
    this.invite = request.method === 'INVITE';
    this.bytes = printMessage(request);
  }

  start(): void {
    this.send(this.bytes);
    if (this.state === 'ended') return;
    if (this.flow.transport === 'udp') this.retransmitAfter(timers.t1);
    // Timers B and F.
    this.endAfter(timers.timeout, new DetailedError(translatable('pigeon.detail.no-response')));
  }

  /** Sends no more retransmissions of an INVITE, but takes late responses. */
  stopSending(): void {
    this.stopRetransmitting();
  }

  /** The ACK of a final response that is no 2xx belongs to the transaction. */
  receive(response: SipResponse): void {
    if (this.state === 'ended') return;
    const { status } = response;
    if (this.state === 'completed') {
      if (this.invite && status >= 300) this.acknowledge(response);
      return;
    }
    if (this.state === 'accepted') {
      if (status >= 200 && status < 300) this.options.events.response(response);
      return;
    }
    if (status < 200) {
      this.state = 'proceeding';
      if (this.invite) {
        this.stopRetransmitting();
        // The caller decides how long it rings.
        this.stopTimeout();
      }
    } else if (this.invite && status < 300) this.finish('accepted', timers.timeout);
    else if (this.invite) {
      this.acknowledge(response);
      this.finish('completed', this.flow.transport === 'udp' ? timers.timeout : 0);
    } else this.finish('completed', this.flow.transport === 'udp' ? timers.t4 : 0);
    this.options.events.response(response);
  }

  /** Waits no longer than that for the final response. */
  endWithin(milliseconds: number): void {
    if (this.state !== 'trying' && this.state !== 'proceeding') return;
    this.stopTimeout();
    this.endAfter(milliseconds, new DetailedError(translatable('pigeon.detail.no-response')));
  }

  /** Ends at once; a final response that is still awaited counts as failed. */
  abort(reason: Detail): void {
    this.fail(new DetailedError(reason));
    this.end();
  }

  end(): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    this.stopRetransmitting();
    this.stopTimeout();
    this.options.onEnd();
  }

  private finish(state: 'accepted' | 'completed', lingerMs: number): void {
    this.state = state;
    this.stopRetransmitting();
    this.stopTimeout();
    // Timers D, K and M.
    if (lingerMs > 0) this.stopTimeout = this.options.clock.after(lingerMs, () => this.end());
    else this.end();
  }

  /** Timers A and E. */
  private retransmitAfter(delay: number): void {
    this.stopRetransmitting = this.options.clock.after(delay, () => {
      this.send(this.bytes);
      if (this.state === 'ended') return;
      const next = this.invite ? delay * 2 : Math.min(delay * 2, timers.t2);
      this.retransmitAfter(this.state === 'proceeding' ? timers.t2 : next);
    });
  }

  private endAfter(delay: number, error: Error): void {
    this.stopTimeout = this.options.clock.after(delay, () => this.fail(error));
  }

  private fail(error: Error): void {
    if (this.state !== 'trying' && this.state !== 'proceeding') return;
    this.end();
    this.options.events.failed(error);
  }

  private send(bytes: Buffer): void {
    this.flow.send(bytes, (error) => this.fail(error));
  }

  private acknowledge(response: SipResponse): void {
    const { request } = this;
    const ack: SipRequest = {
      method: 'ACK',
      uri: request.uri,
      headers: [
        { name: 'Via', value: headersOf(request, 'Via')[0]! },
        { name: 'Max-Forwards', value: '70' },
        ...request.headers.filter(({ name }) => ['From', 'Call-ID', 'Route'].includes(name)),
        ...response.headers.filter(({ name }) => name === 'To').slice(0, 1),
        { name: 'CSeq', value: headersOf(request, 'CSeq')[0]!.replace('INVITE', 'ACK') },
      ],
      body: Buffer.alloc(0),
    };
    this.flow.send(printMessage(ack), () => undefined);
  }
}
