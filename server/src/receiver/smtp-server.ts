// SMTP server that receives mails for receive slots; a 250 response after the data means that the mail is
// durable.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerAddress } from 'smtp-server';
import type { ArrivalSink } from '../alerthub/arrivals/arrival.ts';
import type { SlotFinder } from '../alerthub/slots/slot-directory.ts';
import type { SlotRateLimiter } from '../alerthub/slots/slot-rate-limiter.ts';
import { tokenOfAddress } from '../alerthub/slots/slot-token.ts';
import { systemClock } from '../common/clock.ts';
import { FailureLog } from '../common/failure-log.ts';
import type { Log } from '../common/log.ts';
import { networkPrefixOf } from '../common/network-prefix.ts';
import type { BodyBudget } from '../http/body/body-budget.ts';
import { isTemporary } from '../http/temporary-error.ts';
import { ingestMail, MailLoopError, type Recipient } from './ingest-mail.ts';
import type { RefusalLog } from './refusal-log.ts';

export interface SmtpServerOptions {
  host: string;
  port: number;
  /** Host name in the greeting. */
  name: string;
  /** PEM-encoded; without them STARTTLS is not offered. */
  tls: { key: string; cert: string } | undefined;
  /** Maximum bytes of one mail. */
  size: number;
  connections: number;
  connectionsPerAddress: number;
}

export interface SmtpServerDeps {
  slots: SlotFinder;
  sink: ArrivalSink;
  rateLimiter: SlotRateLimiter;
  log: Log;
  refusals: RefusalLog;
  /** Limits the total memory of mails being received. */
  budget: BodyBudget;
}

export interface SmtpServerHandle {
  port: number;
  close(): Promise<void>;
}

type SmtpSession = Parameters<SMTPServer['onData']>[1];
type SmtpCallback = (error?: Error | null, message?: string) => void;

/** Rejected recipients after which the client is assumed to be guessing addresses. */
const maxUnknownRecipients = 20;
const maxRecipients = 100;
/** Idle timeout of a connection in milliseconds. */
const idleTimeoutMs = 120_000;

/** Starts listening. Throws errors of `listen`. */
export async function startSmtpServer(
  deps: SmtpServerDeps,
  options: SmtpServerOptions,
): Promise<SmtpServerHandle> {
  const door = new SmtpListener(deps, options);
  const server = new PromptServer({
    name: options.name,
    banner: 'Yagura',
    size: options.size,
    authOptional: true,
    disabledCommands: options.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...(options.tls ?? {}),
    // The replies to rejected recipients contain more specific codes than the generated ones.
    hideENHANCEDSTATUSCODES: true,
    hideDSN: true,
    disableReverseLookup: true,
    maxClients: options.connections,
    maxRecipients: maxRecipients,
    socketTimeout: idleTimeoutMs,
    closeTimeout: 5000,
    logger: false,
    onConnect: (session, answer) => door.connect(session, answer),
    onClose: (session) => door.disconnect(session),
    onRcptTo: (address, session, answer) => void door.recipient(address, session, answer),
    onData: (stream, session, answer) => door.data(stream, session, answer),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  // Errors of a connection (a reset, a failed handshake) need no handling.
  server.on('error', () => undefined);
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * Sends the greeting at once: the library waits 100 ms to detect early talkers (spam), but spammers do not
 * know slot addresses. When all places are taken, the oldest connection without a mail gives way.
 */
class PromptServer extends SMTPServer {
  override connect(...given: Parameters<SMTPServer['connect']>): void {
    if (this.connections.size >= this.options.maxClients!) this.closeOldestIdle();
    super.connect(...given);
    const connection = [...this.connections].at(-1)!;
    // The library's own refusal of a declared size has neither the code nor the text of the one after the data.
    const send = connection.send.bind(connection);
    connection.send = (code, text, context) =>
      send(code, context === 'MESSAGE_TOO_BIG' ? tooLargeText(this.options.size!) : text, context);
    const isFull = this.connections.size > this.options.maxClients!;
    if (isFull) return;
    connection.connectionReady();
    connection.connectionReady = () => undefined;
  }

  private closeOldestIdle(): void {
    for (const connection of this.connections) {
      if (connection.session.envelope.mailFrom) continue;
      connection.send(421, '4.4.2 other clients need the connection');
      connection.close();
      return;
    }
  }
}

class SmtpListener {
  private readonly deps: SmtpServerDeps;
  private readonly failures: FailureLog;
  private readonly options: SmtpServerOptions;
  /** Open connections by the network of the client. */
  private readonly perNetwork = new Map<string, number>();
  /** Keyed by the recipient object in the accepted envelope. */
  private readonly accepted = new WeakMap<object, Recipient>();
  private readonly unknownRecipients = new Map<string, number>();

  constructor(deps: SmtpServerDeps, options: SmtpServerOptions) {
    this.deps = deps;
    this.failures = new FailureLog({ clock: systemClock, log: deps.log });
    this.options = options;
  }

  connect({ remoteAddress }: SmtpSession, answer: SmtpCallback): void {
    const network = networkPrefixOf(remoteAddress);
    const count = (this.perNetwork.get(network) ?? 0) + 1;
    this.perNetwork.set(network, count);
    const isTooMany = count > this.options.connectionsPerAddress;
    answer(isTooMany ? smtpError(421, '4.7.0 too many connections from your address') : null);
  }

  disconnect({ id, remoteAddress }: SmtpSession): void {
    const network = networkPrefixOf(remoteAddress);
    const count = (this.perNetwork.get(network) ?? 1) - 1;
    if (count > 0) this.perNetwork.set(network, count);
    else this.perNetwork.delete(network);
    this.unknownRecipients.delete(id);
  }

  async recipient(to: SMTPServerAddress, session: SmtpSession, answer: SmtpCallback): Promise<void> {
    const { slots, rateLimiter, refusals } = this.deps;
    try {
      const slot = await slots.find(tokenOfAddress(to.address));
      if (slot?.kind !== 'email') return answer(this.rejectUnknown(session.id));
      const sender = { method: 'SMTP', sender: session.remoteAddress, userAgent: '' };
      if (slot.disabled) {
        refusals.record(slot, 'slot-disabled', sender);
        return answer(smtpError(550, '5.2.1 this receive slot is disabled'));
      }
      const wait = rateLimiter.take(slot.receiveSlotId);
      if (wait > 0) refusals.record(slot, 'rate-limit', sender);
      if (wait > 0) return answer(smtpError(450, `4.7.1 too many messages, try again in ${wait} seconds`));
      this.accepted.set(to, { slot, address: to.address });
      answer();
    } catch (error) {
      answer(this.failure(error));
    }
  }

  data(stream: Parameters<SMTPServer['onData']>[0], session: SmtpSession, answer: SmtpCallback): void {
    const recipients = session.envelope.rcptTo.map((to) => this.accepted.get(to)!);
    let chunks: Buffer[] = [];
    let isFull = false;
    const { budget, sink } = this.deps;
    // A mail counts for the space of its first recipient.
    const reservation = budget.openReservation(recipients[0]!.slot.spaceId);
    const drop = () => {
      reservation.release();
      chunks = [];
    };
    stream.on('data', (chunk: Buffer) => {
      if (stream.sizeExceeded || isFull) return;
      try {
        reservation.reserve(chunk.length);
        chunks.push(chunk);
      } catch {
        isFull = true;
      }
    });
    stream.once('close', () => {
      if (!stream.readableEnded) drop();
    });
    stream.once('end', () => {
      if (stream.sizeExceeded) {
        drop();
        answer(smtpError(552, tooLargeText(this.options.size)));
        return;
      }
      if (isFull) {
        drop();
        answer(smtpError(452, '4.3.1 too much is being received, try again later'));
        return;
      }
      // As over HTTP: most likely a broken script of the sender, which should learn of it.
      if (chunks.length === 0) {
        drop();
        answer(smtpError(554, '5.6.0 the mail is empty'));
        return;
      }
      ingestMail(sink, Buffer.concat(chunks), recipients)
        .finally(drop)
        .then(
          (ids) => answer(null, `2.6.0 stored as ${ids[0]}`),
          (error: unknown) => answer(this.failure(error)),
        );
    });
  }

  /** Same response for all unknown addresses, whether they never existed or were replaced. */
  private rejectUnknown(sessionId: string): Error {
    const count = (this.unknownRecipients.get(sessionId) ?? 0) + 1;
    this.unknownRecipients.set(sessionId, count);
    if (count > maxUnknownRecipients) return smtpError(421, '4.7.0 too many unknown addresses');
    return smtpError(550, '5.1.1 no receive slot has this address');
  }

  private failure(error: unknown): Error {
    if (error instanceof MailLoopError) return smtpError(554, `5.4.6 ${error.message}`);
    const level = isTemporary(error) ? 'warn' : 'error';
    this.failures.failed({ level, message: 'a mail could not be stored' }, error);
    return smtpError(451, '4.3.0 the mail could not be stored, try again later');
  }
}

const tooLargeText = (maxBytes: number) =>
  `5.3.4 a mail may have at most ${Math.floor(maxBytes / (1 << 20))} MB`;

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
