// Keeps a trunk available: REGISTER before it expires (RFC 3261, section 10), or OPTIONS to see whether it is there.

import { type Detail, DetailedError, detailOfError, limitDetail } from '../../common/detail.ts';
import { translatable } from '../../common/translatable-text.ts';
import {
  type AgentContext,
  allowedMethods,
  contactUri,
  newTag,
  newVia,
  sendAuthenticated,
  statusText,
} from './agent-context.ts';
import { listOf, numberUri, parseNameAddress, parseSeconds, uriHost } from './header-values.ts';
import { type Header, headerOf, type SipRequest, type SipResponse } from './message.ts';
import type { Flow } from './transport.ts';
import type { Trunk } from './trunk.ts';

/** Milliseconds without a response after which a trunk counts as away; retransmissions go on for that time. */
const responseTimeoutMs = 4000;
const pingMs = 30_000;
/** Shortest and longest wait before another attempt after a failure, and the shortest after a refusal. */
const backoff = { minMs: 2000, maxMs: 300_000, refusedMs: 30_000 } as const;
/** Milliseconds between packets that keep the mapping of a NAT open. */
const keepAliveMs = 20_000;

export class Registration {
  private readonly context: AgentContext;
  private readonly trunk: Trunk;
  private readonly callId: string;
  private readonly tag: string;
  private sequence = 0;
  private failures = 0;
  private running = false;
  private again = false;
  private closed = false;
  private registeredOn: Flow | undefined;
  private expiresSeconds: number;
  private cancelNext = () => {};
  private stopKeepAlive = () => {};

  constructor(context: AgentContext, trunk: Trunk) {
    this.context = context;
    this.trunk = trunk;
    this.callId = context.random(12).toString('hex');
    this.tag = newTag(context);
    this.expiresSeconds = trunk.options.expiresSeconds;
    trunk.onFailure = () => this.later(backoff.minMs);
  }

  start(): void {
    const { clock, transport } = this.context;
    if (this.trunk.options.transport === 'udp') {
      this.stopKeepAlive = clock.every(keepAliveMs, () => {
        if (this.registeredOn) transport.keepAlive(this.registeredOn);
      });
    }
    void this.check();
  }

  /** The connection over which the trunk reaches us is gone. */
  connectionClosed(): void {
    this.registeredOn = undefined;
    if (this.closed) return;
    this.trunk.setAvailable(false, translatable('pigeon.detail.connection-closed'));
    this.later(backoff.minMs / 2);
  }

  /** Removes the registration; waits for the response for a short time. */
  async close(): Promise<void> {
    this.closed = true;
    this.cancelNext();
    this.stopKeepAlive();
    const flow = this.registeredOn;
    if (!flow?.open) return;
    await this.send(flow, (credentials) => this.registerRequest(flow, credentials, 0), 2000).catch(
      () => undefined,
    );
  }

  private later(milliseconds: number): void {
    this.cancelNext();
    if (!this.closed) this.cancelNext = this.context.clock.after(milliseconds, () => void this.check());
  }

  /** One attempt, and when the next one follows. Never rejects. */
  private async check(): Promise<void> {
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = true;
    const { registers } = this.trunk.options;
    let flow: Flow | undefined;
    let next: number;
    try {
      flow = await this.trunk.flow();
      next = registers ? await this.register(flow) : await this.ping(flow);
    } catch (error) {
      next = this.away(flow, detailOfError(error));
    }
    this.running = false;
    this.later(this.again ? backoff.minMs : next);
    this.again = false;
  }

  private away(flow: Flow | undefined, reason: Detail, minMs: number = backoff.minMs): number {
    this.registeredOn = undefined;
    if (!this.closed) this.trunk.setAvailable(false, limitDetail(reason));
    this.trunk.forget(flow);
    this.failures += 1;
    const wait = Math.min(minMs * 2 ** Math.min(this.failures - 1, 10), backoff.maxMs);
    // Spread, so that many do not come back at once.
    return wait * (0.75 + (this.context.random(1)[0]! / 255) * 0.25);
  }

  private async register(flow: Flow): Promise<number> {
    let response = await this.send(flow, (credentials) => this.registerRequest(flow, credentials));
    const minExpires = parseSeconds(headerOf(response, 'Min-Expires'));
    if (response.status === 423 && minExpires !== undefined && minExpires > this.expiresSeconds) {
      this.expiresSeconds = Math.min(minExpires, 86_400);
      response = await this.send(flow, (credentials) => this.registerRequest(flow, credentials));
    }
    if (response.status >= 300) {
      const wait = this.away(flow, statusText(response), backoff.refusedMs);
      const asked = parseSeconds(headerOf(response, 'Retry-After')) ?? 0;
      return Math.max(wait, Math.min(asked * 1000, backoff.maxMs));
    }
    this.failures = 0;
    this.registeredOn = flow;
    if (!this.closed) this.trunk.setAvailable(true, statusText(response));
    return this.grantedSeconds(response, flow) * 500;
  }

  /** Seconds for which the registration lasts. */
  private grantedSeconds(response: SipResponse, flow: Flow): number {
    const own = contactUri(flow, this.trunk.user);
    const contacts = listOf(response, 'Contact').map(parseNameAddress);
    const contact =
      contacts.find((one) => one?.uri === own) ?? (contacts.length === 1 ? contacts[0] : undefined);
    const granted =
      parseSeconds(contact?.params.get('expires')) ??
      parseSeconds(headerOf(response, 'Expires')) ??
      this.expiresSeconds;
    // A server that grants nothing must not be asked without pause.
    return Math.min(Math.max(granted, 10), 86_400);
  }

  private async ping(flow: Flow): Promise<number> {
    const response = await this.send(flow, (credentials) =>
      this.request(flow, 'OPTIONS', `sip:${uriHost(this.trunk.options.domain)}`, [
        { name: 'Contact', value: `<${contactUri(flow, this.trunk.user)}>` },
        { name: 'Accept', value: 'application/sdp' },
        ...credentials,
      ]),
    );
    // Any other refusal shows that the trunk is reachable.
    if (response.status === 408 || response.status === 503) return this.away(flow, statusText(response));
    this.failures = 0;
    if (!this.closed) this.trunk.setAvailable(true, statusText(response));
    return pingMs;
  }

  private registerRequest(
    flow: Flow,
    credentials: readonly Header[],
    expires = this.expiresSeconds,
  ): SipRequest {
    return this.request(flow, 'REGISTER', `sip:${uriHost(this.trunk.options.domain)}`, [
      { name: 'Contact', value: `<${contactUri(flow, this.trunk.user)}>;expires=${expires}` },
      { name: 'Expires', value: String(expires) },
      { name: 'Allow', value: allowedMethods },
      ...credentials,
    ]);
  }

  private request(flow: Flow, method: string, uri: string, headers: readonly Header[]): SipRequest {
    const { domain } = this.trunk.options;
    const own = numberUri(this.trunk.user, domain);
    this.sequence += 1;
    return {
      method,
      uri,
      headers: [
        { name: 'Via', value: newVia(this.context, flow) },
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: `<${own}>;tag=${this.tag}` },
        { name: 'To', value: method === 'REGISTER' ? `<${own}>` : `<${uri}>` },
        { name: 'Call-ID', value: this.callId },
        { name: 'CSeq', value: `${this.sequence} ${method}` },
        ...headers,
      ],
      body: Buffer.alloc(0),
    };
  }

  /** The final response; rejects without one. */
  private send(
    flow: Flow,
    build: (credentials: readonly Header[]) => SipRequest,
    timeoutMs: number = responseTimeoutMs,
  ): Promise<SipResponse> {
    return new Promise((resolve, reject) => {
      const stop = this.context.clock.after(timeoutMs, () => {
        running.canceled = true;
        running.current.end();
        reject(new DetailedError(translatable('pigeon.detail.no-response')));
      });
      const running = sendAuthenticated(this.context, {
        ...{ build, flow, credentials: this.trunk.credentials },
        events: {
          response: (response) => {
            if (response.status < 200) return;
            stop();
            resolve(response);
          },
          failed: (error) => {
            stop();
            reject(error);
          },
        },
      });
    });
  }
}
