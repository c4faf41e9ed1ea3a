/** Sends mails through one outgoing SMTP server over a few pooled connections. */
import { connect as dial, type LookupFunction } from 'node:net';
import {
  createTransport,
  type NodemailerError,
  type SMTPPoolOptions,
  type SMTPPoolSentMessageInfo,
} from 'nodemailer';
import { type AddressGuard, BlockedAddress } from './address-guard.ts';
import {
  isMailAddress,
  type Mailbox,
  type MailRequest,
  parseMailbox,
  toMailMessage,
} from './mail-message.ts';
import {
  type DeliveryMeta,
  errorChain,
  failedResult,
  failureCode,
  replyExcerpt,
  type SendResult,
} from './send-result.ts';
import { parseSmtpUrl, type SmtpServerSettings } from './smtp-url.ts';

export interface SmtpMailerOptions {
  /**
   * See `parseSmtpUrl`. Without it, or without a sender, every mail fails permanently with
   * `delivery.noSender`.
   */
  smtpUrl?: string;
  /** Alternative to the URL. */
  server?: SmtpServerSettings;
  /** `address` or `Name <address>`. */
  from?: string | Mailbox;
  /** Blocks servers in internal networks; omit it if the operator of this server chose the URL. */
  guard?: AddressGuard;
  /** Milliseconds; by default 10 s to connect and receive the greeting, 60 s in total. */
  timeouts?: { connect?: number; whole?: number };
  /** Maximum connections to the server; by default 4. */
  connections?: number;
  /** PEM certificates to trust instead of the built-in ones. */
  authorities?: string[];
}

export interface Mailer {
  /**
   * Never rejects. Recipients rejected by a server that accepted the mail for others are named in the reason.
   */
  sendMail(request: MailRequest, meta: DeliveryMeta): Promise<SendResult>;
  /** Closes all connections; mails being sent fail and may be retried. */
  close(): void;
}

const maxDetailLength = 300;

/** Creates a mailer for one server; it owns the connections. Throws if the URL or the sender is invalid. */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const server = options.server ?? (options.smtpUrl ? parseSmtpUrl(options.smtpUrl) : null);
  const from = typeof options.from === 'string' ? parseMailbox(options.from) : (options.from ?? null);
  if (options.from && !from)
    throw new Error('The sender of mails must be an address, or a name and an <address>');
  const { connect = 10_000, whole = 60_000 } = options.timeouts ?? {};
  if (!server || !from) {
    return {
      sendMail: async () => failedResult('delivery.noSender', {}, { retry: false }),
      close: () => {},
    };
  }
  const transport = createTransport({ ...poolOptions(server, options, { connect, whole }), pool: true });

  async function sendMail(request: MailRequest, meta: DeliveryMeta): Promise<SendResult> {
    const recipients = [...request.to, ...request.cc, ...request.bcc].map((mailbox) => mailbox.email);
    if (recipients.length === 0) return failedResult('delivery.noRecipient', {}, { retry: false });
    const unreadable = recipients.find((address) => !isMailAddress(address));
    if (unreadable !== undefined) {
      const address = replyExcerpt(unreadable).slice(0, maxDetailLength);
      return failedResult('delivery.invalidRecipient', { address }, { retry: false });
    }
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), whole);
    try {
      const message = toMailMessage(request, meta, from!);
      return toSendResult(await transport.sendMail({ ...message, signal: deadline.signal }));
    } catch (error) {
      return refusal(error as NodemailerError);
    } finally {
      clearTimeout(timer);
    }
  }

  function refusal(error: NodemailerError): SendResult {
    const blocked = errorChain(error).find((cause) => cause instanceof BlockedAddress);
    if (blocked)
      return failedResult('delivery.blockedAddress', { address: blocked.address }, { retry: false });
    if (error.code === 'EABORT')
      return failedResult('delivery.timeout', { seconds: whole / 1000 }, { retry: true });
    const { responseCode: statusCode, response } = error;
    if (statusCode && response) {
      const reply = redactCredentials(replyExcerpt(response), server!);
      return {
        outcome: 'failed',
        // A failed authentication or STARTTLS is not caused by the mail: a retry may succeed once the
        // settings are fixed.
        retry: statusCode < 500 || (error.code !== 'EENVELOPE' && error.code !== 'EMESSAGE'),
        statusCode,
        reason: { word: 'delivery.mailRefused', params: { detail: reply.slice(0, maxDetailLength) } },
        reply,
      };
    }
    if (error.code === 'ETIMEDOUT')
      return failedResult('delivery.timeout', { seconds: connect / 1000 }, { retry: true });
    return failedResult('delivery.connection', { detail: networkCode(error) }, { retry: true });
  }

  return { sendMail, close: () => transport.close({ force: true }) };
}

function toSendResult(info: SMTPPoolSentMessageInfo): SendResult {
  const reply = replyExcerpt(info.response ?? '');
  const statusCode = Number(/^\d{3}/.exec(reply)?.[0] ?? 250);
  const refused = info.rejected ?? [];
  if (refused.length === 0) {
    const reason: SendResult['reason'] = { word: 'delivery.sent', params: { statusCode } };
    return { outcome: 'succeeded', retry: false, statusCode, reason, reply };
  }
  // Not retried: the accepted recipients would get the mail twice.
  return {
    outcome: 'failed',
    retry: false,
    statusCode: info.rejectedErrors?.[0]?.responseCode ?? statusCode,
    reason: { word: 'delivery.recipientsRefused', params: { addresses: refused.join(', ') } },
    reply,
  };
}

function poolOptions(
  server: SmtpServerSettings,
  options: SmtpMailerOptions,
  timeouts: { connect: number; whole: number },
): SMTPPoolOptions {
  const { guard } = options;
  const { connect: connectMs, whole } = timeouts;
  return {
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.starttls === 'required' && !server.secure,
    ignoreTLS: server.starttls === 'never',
    auth: server.auth ?? undefined,
    authMethod: server.method,
    tls: options.authorities ? { ca: options.authorities } : undefined,
    maxConnections: options.connections ?? 4,
    maxRequeues: 1,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: whole,
    allowInternalNetworkInterfaces: true,
    getSocket: guard && ((_, callback) => dialGuarded(server, guard, connectMs, callback)),
  };
}

type SocketCallback = Parameters<NonNullable<SMTPPoolOptions['getSocket']>>[1];

/** Connects only to permitted addresses; the transport adds TLS for the host name. */
function dialGuarded(
  server: SmtpServerSettings,
  guard: AddressGuard,
  connectMs: number,
  callback: SocketCallback,
): void {
  try {
    guard.check(server.host, server.port);
  } catch (error) {
    callback(error as Error);
    return;
  }
  const lookup: LookupFunction = guard.lookup(server.port);
  const socket = dial({ host: server.host, port: server.port, lookup, autoSelectFamily: true });
  const timer = setTimeout(
    () => socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' })),
    connectMs,
  );
  const failed = (error: Error) => {
    clearTimeout(timer);
    callback(error);
  };
  socket.once('error', failed);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('error', failed);
    callback(null, { connection: socket });
  });
}

/**
 * Returns the system's error code, such as ECONNREFUSED or a certificate error; nodemailer replaces it with
 * the stage.
 */
function networkCode(error: NodemailerError): string {
  const original = 'originalCode' in error ? Object.assign(new Error(), { code: error.originalCode }) : error;
  return failureCode(original);
}

/** Removes credentials: some servers repeat the user name, or even the command, in error replies. */
function redactCredentials(reply: string, server: SmtpServerSettings): string {
  if (!server.auth) return reply;
  const { user, pass } = server.auth;
  const secrets = [pass, user, `\0${user}\0${pass}`].flatMap((one) => [
    one,
    Buffer.from(one).toString('base64'),
  ]);
  return secrets
    .filter((one) => one.length > 2)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), reply);
}
