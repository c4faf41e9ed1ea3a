// The receivers over HTTP: who is written to, whether that may be, and how much, are known before a body is read.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import { MailLoop, takeMail } from '../alerthub/mail/take-mail.ts';
import { mailPath, maskedToken, maskedUrl, receivePath, tokenOfAddress } from '../alerthub/slot-address.ts';
import type { FindSlot, SlotAddress } from '../alerthub/slot-directory.ts';
import type { SlotRate } from '../alerthub/slot-rate.ts';
import type { Taker } from '../alerthub/store-arrivals.ts';
import { StoreUnavailable } from '../db/unavailable.ts';
import { misdirected } from '../front-door.ts';
import type { BodyBudget } from '../http/body-budget.ts';
import { BodyBrokenOff, readBody, tooLarge } from '../http/read-body.ts';
import { errorFacts, type Log } from '../log.ts';
import type { HostedSpace } from '../space/space-directory.ts';
import { bodySizeOf, sendJson, sendProblem } from './plain-reply.ts';

/** Bytes of one webhook message. */
const messageSize = 10 << 20;

const ours = new RegExp(`^(${receivePath}|${mailPath})(?:[/?]|$)`);
const ofSlot = new RegExp(`^(?:${receivePath}|${mailPath})/([^/?]{1,512})/?(?:\\?|$)`);

/** Headers whose values are for the way here, not for the message. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie']);
/** What senders call the id of a delivery; the first that is there counts. */
const deliveryHeaders = [
  'idempotency-key',
  'webhook-id',
  'x-delivery-id',
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'x-amz-sns-message-id',
];

export interface ReceiveParts {
  slots: FindSlot;
  taker: Taker;
  rate: SlotRate;
  budget: BodyBudget;
  log: Log;
  /** The space that a request is for, by its host name. */
  spaceOf(request: IncomingMessage): HostedSpace | undefined;
  /** Bytes of one mail. */
  mailSize: number;
  /** Of every reply. */
  headers: OutgoingHttpHeaders;
}

type Kind = SlotAddress['kind'];

export class ReceiveHandler {
  private readonly parts: ReceiveParts;
  private readonly headers: OutgoingHttpHeaders;

  constructor(deps: ReceiveParts) {
    this.parts = deps;
    this.headers = {
      ...deps.headers,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      // No reply of a call is a page: whoever opens one sees nothing of it run, and no page frames it.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    };
  }

  /** Answers what is for a receiver; false for anything else. `expects` says that the sender waits for a 100. */
  take(request: IncomingMessage, response: ServerResponse, expects = false): boolean {
    const path = ours.exec(request.url ?? '')?.[1];
    if (path === undefined) return false;
    const kind = path === mailPath ? 'email' : 'webhook';
    this.answer(kind, request, response, expects).catch((error) => this.refuse(request, response, error));
    return true;
  }

  private async answer(
    kind: Kind,
    request: IncomingMessage,
    response: ServerResponse,
    expects: boolean,
  ): Promise<void> {
    const { slots, rate, budget, mailSize } = this.parts;
    const space = this.parts.spaceOf(request);
    if (!space) throw misdirected();
    const address = segmentOf(request.url!);
    if (request.method !== 'POST' || address === undefined)
      throw new Problem('not-found', { detail: 'no such call' });
    const token = kind === 'email' ? tokenOfAddress(address) : address;
    const known = slots.find(token);
    const slot = known instanceof Promise ? await known : known;
    // Mails have one domain for all spaces.
    const isHere = slot?.spaceId === space.spaceId || (kind === 'email' && space.host === null);
    if (slot?.kind !== kind || !isHere)
      throw new Problem('not-found', { detail: 'no receive slot has this address' });
    checkSlot(slot, rate);
    const limit = kind === 'email' ? mailSize : messageSize;
    if (bodySizeOf(request) > limit && request.headers['transfer-encoding'] === undefined)
      throw tooLarge(limit);
    if (expects) response.writeContinue();
    // Given back once the message is on disk, or refused.
    const lease = budget.open();
    try {
      const body = await readBody(request, { limit, declared: undefined, lease });
      const messageId = await (kind === 'email'
        ? this.takeMail(slot, address, body)
        : this.takeMessage(slot, token, space, request, body));
      sendJson(response, 202, this.headers, `{"messageId":"${messageId}"}`);
    } finally {
      lease.release();
    }
  }

  private takeMessage(
    address: SlotAddress,
    token: string,
    { origin }: HostedSpace,
    request: IncomingMessage,
    body: Buffer,
  ): Promise<string> {
    return this.parts.taker.receive({
      address,
      requestUrl: maskedUrl(origin + request.url),
      headers: headersOf(request, token),
      body,
      deliveryKey: deliveryKeyOf(request),
    });
  }

  private async takeMail(slot: SlotAddress, address: string, body: Buffer): Promise<string> {
    if (body.length === 0) throw new Problem('invalid', { detail: 'the mail is empty' });
    try {
      const [messageId] = await takeMail(this.parts.taker, body, [{ slot, address }]);
      return messageId!;
    } catch (error) {
      if (error instanceof MailLoop) throw new Problem('invalid', { detail: error.message, cause: error });
      throw error;
    }
  }

  private refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    if (error instanceof BodyBrokenOff) return void response.destroy();
    const about = { headers: this.headers, instance: '/receive' };
    sendProblem(request, response, problemOf(error, this.parts.log), about);
  }
}

function problemOf(error: unknown, log: Log): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    log({ level: 'warn', message: 'store unavailable', route: receivePath, ...errorFacts(error) });
    return new Problem('unavailable', { retryAfter: 2, cause: error });
  }
  log({
    level: 'error',
    message: 'request failed',
    method: 'POST',
    route: receivePath,
    ...errorFacts(error),
  });
  return new Problem('internal', { cause: error });
}

/** Refuses for a slot that takes nothing, or nothing now. */
function checkSlot(slot: SlotAddress, rate: SlotRate): void {
  if (slot.disabled) throw new Problem('forbidden', { detail: 'this receive slot is disabled' });
  const retryAfter = rate.take(slot.receiveSlotId);
  if (retryAfter > 0)
    throw new Problem('too-many-requests', { detail: 'too many messages for this receive slot', retryAfter });
}

function segmentOf(url: string): string | undefined {
  const segment = ofSlot.exec(url)?.[1];
  if (!segment?.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Without credentials; proxies on the way write the path into headers of theirs. */
function headersOf(request: IncomingMessage, token: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(', ') : value;
    headers[name] = secretHeaders.has(name) ? '[removed]' : text.replaceAll(token, maskedToken(token));
  }
  return headers;
}

function deliveryKeyOf(request: IncomingMessage): string | undefined {
  for (const name of deliveryHeaders) {
    const value = request.headers[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, 1024);
  }
  return undefined;
}
