// HTTP handler of the receivers: resolves the slot, and checks permission and size, before a body is read.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import type { ArrivalSink } from '../alerthub/arrivals/arrival.ts';
import { readDeliveryId } from '../alerthub/slots/delivery-id.ts';
import { handshakeOf } from '../alerthub/slots/handshake.ts';
import type { RefusalReason, RefusedSender } from '../alerthub/slots/refusal.ts';
import type { KnownSlot, SlotAddress, SlotFinder } from '../alerthub/slots/slot-directory.ts';
import type { SlotRateLimiter } from '../alerthub/slots/slot-rate-limiter.ts';
import {
  decodeSegment,
  mailPath,
  maskedToken,
  maskedUrl,
  receivePath,
  tokenOfAddress,
} from '../alerthub/slots/slot-token.ts';
import { systemClock } from '../common/clock.ts';
import { FailureLog } from '../common/failure-log.ts';
import { errorFields, type Log } from '../common/log.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';
import type { BodyBudget } from '../http/body/body-budget.ts';
import { BodyBrokenOff, readBody, tooLarge } from '../http/body/read-body.ts';
import { callHeaders } from '../http/call-headers.ts';
import { misdirectedProblem } from '../space/host-router.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { contentLengthOf, sendEmpty, sendProblem, sendShortJson, toHeaderList } from './http-reply.ts';
import { ingestMail, MailLoopError } from './ingest-mail.ts';
import type { RefusalLog } from './refusal-log.ts';

/** Maximum bytes of a webhook message. */
const maxMessageBytes = 10 << 20;

const receivePattern = new RegExp(`^(${receivePath}|${mailPath})(?:[/?]|$)`);
const slotPattern = new RegExp(`^(?:${receivePath}|${mailPath})/([^/?]{1,512})/?(?:\\?|$)`);

/** Headers with credentials for the transport, which are not stored with the message. */
const redactedHeaders = new Set(['authorization', 'proxy-authorization', 'cookie']);
/** Headers that senders use for a delivery id; the first one present counts. */
const deliveryIdHeaders = [
  'idempotency-key',
  'webhook-id',
  'x-delivery-id',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'x-amz-sns-message-id',
];

export interface ReceiveHandlerDeps {
  slots: SlotFinder;
  sink: ArrivalSink;
  rateLimiter: SlotRateLimiter;
  budget: BodyBudget;
  refusals: RefusalLog;
  log: Log;
  /** Returns the network address of the sender. */
  addressOf(request: IncomingMessage): string;
  /** Returns the space of a request, by its host name. */
  spaceOf(request: IncomingMessage): HostedSpace | undefined;
  /** Maximum bytes of a mail. */
  maxMailBytes: number;
  /** Added to every response. */
  headers: OutgoingHttpHeaders;
}

type SlotKind = SlotAddress['kind'];

export class ReceiveHandler {
  private readonly deps: ReceiveHandlerDeps;
  private readonly failures: FailureLog;
  private readonly headers: OutgoingHttpHeaders;
  /** The same, for messages that are received. */
  private readonly headerList: readonly string[];

  constructor(deps: ReceiveHandlerDeps) {
    this.deps = deps;
    this.failures = new FailureLog({ clock: systemClock, log: deps.log });
    this.headers = {
      ...deps.headers,
      ...callHeaders,
      'content-type': 'application/json; charset=utf-8',
    };
    this.headerList = toHeaderList(this.headers);
  }

  /**
   * Handles requests for a receiver; false for any other, and for handshakes, which the application answers. `expects` means that the sender waits for a 100.
   */
  handle(request: IncomingMessage, response: ServerResponse, expects = false): boolean {
    const path = receivePattern.exec(request.url ?? '')?.[1];
    if (path === undefined || this.isHandshake(request)) return false;
    const kind = path === mailPath ? 'email' : 'webhook';
    this.receive(kind, request, response, expects).catch((error) =>
      this.replyWithProblem(request, response, error),
    );
    return true;
  }

  /** Whether a sender wants to verify the address of a slot that confirms this. */
  private isHandshake(request: IncomingMessage): boolean {
    if (handshakeOf(request) === undefined) return false;
    const address = slotSegmentOf(request.url!);
    const space = this.deps.spaceOf(request);
    try {
      const slot = address === undefined ? null : this.deps.slots.find(address);
      if (!slot || slot instanceof Promise || slot.kind !== 'webhook' || slot.spaceId !== space?.spaceId)
        return false;
      return (
        slot.options.confirmSubscriptions &&
        !slot.disabled &&
        this.deps.rateLimiter.take(slot.receiveSlotId) === 0
      );
    } catch {
      // The slot is looked up again, and the request refused with the reason.
      return false;
    }
  }

  private async receive(
    kind: SlotKind,
    request: IncomingMessage,
    response: ServerResponse,
    expects: boolean,
  ): Promise<void> {
    const { slots, refusals } = this.deps;
    const space = this.deps.spaceOf(request);
    if (!space) throw misdirectedProblem();
    const address = slotSegmentOf(request.url!);
    if (address === undefined) throw new Problem('not-found', { detail: 'no such call' });
    const token = kind === 'email' ? tokenOfAddress(address) : address;
    const known = slots.find(token);
    const slot = known instanceof Promise ? await known : known;
    // Mails have one domain for all spaces.
    const isHere = slot?.spaceId === space.spaceId || (kind === 'email' && space.host === null);
    const sender = this.senderOf(request);
    if (slot?.kind !== kind || !isHere) {
      refusals.recordUnknown(sender);
      throw new Problem('not-found', { detail: 'no receive slot has this address' });
    }
    try {
      await this.receiveAt(slot, { address, token, space, request, response, expects });
    } catch (error) {
      refusals.record(slot, refusalReasonOf(error), sender);
      throw error;
    }
  }

  private async receiveAt(
    slot: KnownSlot,
    { address, token, space, request, response, expects }: SlotRequest,
  ): Promise<void> {
    const { rateLimiter, budget, maxMailBytes } = this.deps;
    const { kind, options } = slot;
    const methods = methodsOf(slot);
    if (request.method === 'OPTIONS' || request.method === 'HEAD') {
      sendEmpty(response, 204, { ...this.headers, allow: methods.join(', ') });
      return;
    }
    if (!methods.includes(request.method!)) throw new MethodNotAllowed(methods);
    assertAccepting(slot, rateLimiter);
    const limit = kind === 'email' ? maxMailBytes : maxMessageBytes;
    if (contentLengthOf(request) > limit && request.headers['transfer-encoding'] === undefined)
      throw tooLarge(limit);
    if (expects) response.writeContinue();
    // Released once the message is on disk or rejected.
    const reservation = budget.openReservation(slot.spaceId);
    try {
      const body = await readBody(request, { limit, declared: undefined, reservation });
      const messageId = await (kind === 'email'
        ? this.receiveMail(slot, address, body)
        : this.receiveMessage(slot, token, space, request, body));
      sendShortJson(
        response,
        options.answer === 'ok' ? 200 : 202,
        this.headerList,
        `{"messageId":"${messageId}"}`,
      );
    } finally {
      reservation.release();
    }
  }

  private receiveMessage(
    address: KnownSlot,
    token: string,
    { origin }: HostedSpace,
    request: IncomingMessage,
    sent: Buffer,
  ): Promise<string> {
    const { deliveryIdPath } = address.options;
    const requestUrl = maskedUrl(origin + request.url);
    const headers = headersOf(request, token);
    const body = request.method === 'GET' ? queryOf(request.url!) : sent;
    if (request.method === 'GET') headers['content-type'] = 'application/x-www-form-urlencoded';
    const ownKey =
      deliveryIdPath === null ? undefined : readDeliveryId(deliveryIdPath, { body, headers, requestUrl });
    const deliveryKey = ownKey ?? deliveryKeyOf(request);
    return this.deps.sink.receive({ address, requestUrl, headers, body, deliveryKey });
  }

  private senderOf(request: IncomingMessage): RefusedSender {
    return {
      method: request.method ?? '',
      sender: this.deps.addressOf(request),
      userAgent: request.headers['user-agent'] ?? '',
    };
  }

  private async receiveMail(slot: SlotAddress, address: string, body: Buffer): Promise<string> {
    if (body.length === 0) throw new Problem('invalid', { detail: 'the mail is empty' });
    try {
      const [messageId] = await ingestMail(this.deps.sink, body, [{ slot, address }]);
      return messageId!;
    } catch (error) {
      if (error instanceof MailLoopError)
        throw new Problem('invalid', { detail: error.message, cause: error });
      throw error;
    }
  }

  private replyWithProblem(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof BodyBrokenOff) return void response.destroy();
    const headers =
      error instanceof MethodNotAllowed ? { ...this.headers, allow: error.methods.join(', ') } : this.headers;
    const about = { headers, instance: '/receive' };
    sendProblem(request, response, this.toProblem(error), about);
  }

  private toProblem(error: unknown): Problem {
    if (error instanceof Problem) return error;
    if (error instanceof StoreUnavailable) {
      this.failures.failed({ level: 'warn', message: 'store unavailable', route: receivePath }, error);
      return new Problem('unavailable', { retryAfter: 2, cause: error });
    }
    const about = { method: 'POST', route: receivePath };
    this.deps.log({ level: 'error', message: 'request failed', ...about, ...errorFields(error) });
    return new Problem('internal', { cause: error });
  }
}

/** A request to the address of a known slot. */
interface SlotRequest {
  address: string;
  token: string;
  space: HostedSpace;
  request: IncomingMessage;
  response: ServerResponse;
  expects: boolean;
}

class MethodNotAllowed extends Problem {
  readonly methods: readonly string[];

  constructor(methods: readonly string[]) {
    super('method-not-allowed', { detail: `this receive slot accepts ${methods.join(', ')}` });
    this.methods = methods;
  }
}

/** Methods that a slot accepts; HEAD and OPTIONS store nothing. */
function methodsOf({ kind, options }: KnownSlot): string[] {
  const isWebhook = kind === 'webhook';
  return [
    'POST',
    ...(isWebhook && options.allowPut ? ['PUT'] : []),
    ...(isWebhook && options.allowGet ? ['GET'] : []),
    'HEAD',
    'OPTIONS',
  ];
}

const refusalReasonByStatus: Record<number, RefusalReason> = {
  400: 'unusable',
  403: 'slot-disabled',
  405: 'method-not-allowed',
  413: 'too-large',
  429: 'rate-limit',
};

function refusalReasonOf(error: unknown): RefusalReason {
  if (error instanceof BodyBrokenOff) return 'disconnected';
  return (error instanceof Problem && refusalReasonByStatus[error.status]) || 'unavailable';
}

/** The query as it was sent. */
function queryOf(url: string): Buffer {
  const at = url.indexOf('?');
  return Buffer.from(at < 0 ? '' : url.slice(at + 1));
}

/** Rejects messages to a slot that is disabled or over its rate limit. */
function assertAccepting(slot: SlotAddress, rate: SlotRateLimiter): void {
  if (slot.disabled) throw new Problem('forbidden', { detail: 'this receive slot is disabled' });
  const retryAfter = rate.take(slot.receiveSlotId);
  if (retryAfter > 0)
    throw new Problem('too-many-requests', { detail: 'too many messages for this receive slot', retryAfter });
}

function slotSegmentOf(url: string): string | undefined {
  const segment = slotPattern.exec(url)?.[1];
  return segment === undefined ? undefined : decodeSegment(segment);
}

/**
 * Headers without credentials; the token is masked too, since proxies copy the path to headers of their own.
 */
function headersOf(request: IncomingMessage, token: string): Record<string, string> {
  const headers: Record<string, string> = {};
  const masked = maskedToken(token);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    if (redactedHeaders.has(name)) headers[name] = '[removed]';
    else headers[name] = text.includes(token) ? text.replaceAll(token, masked) : text;
  }
  return headers;
}

function deliveryKeyOf(request: IncomingMessage): string | undefined {
  for (const name of deliveryIdHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, 1024);
  }
  return undefined;
}
