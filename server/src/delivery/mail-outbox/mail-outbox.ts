// Mails of the server itself: queued in the transaction that causes them, sent after its commit, retried with
// backoff.

import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { mailKinds } from '@yagura/core/space/mail';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { Database, Queryable } from '../../db/database.ts';
import type { ServerSecret } from '../../identity/secrets/server-secret.ts';
import { faultText, isRowFault } from '../../jobs/poison-row-guard.ts';
import { retryAt } from '../backoff.ts';
import { createPlainMail } from '../mail-message.ts';
import type { Mailer } from '../smtp-mailer.ts';

export interface ServerMail {
  kind: (typeof mailKinds)[number];
  /** Address of the only recipient. */
  to: string;
  language: Language;
  /** Parameters of the mail's translations; a link among them is the only secret a mail may contain. */
  params: Record<string, string | number>;
}

export interface MailOutbox {
  /** Queues a mail in the caller's transaction. Call `wake` after the commit. */
  queue(db: Queryable, mail: ServerMail): Promise<void>;
  /** False if there is no mail server; mails are then kept for reading. */
  readonly canSend: boolean;
  /** Checks for due mails now instead of at the next interval. */
  wake(): void;
  /**
   * Text of a mail that was kept because there is no mail server; null for any other. Links to an account are
   * removed, since the reader could take over the account with them.
   */
  readStoredText(mailId: string): Promise<string | null>;
  start(): void;
  /** Resolves when nothing is due. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface MailOutboxOptions {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  spaceId: string;
  secret: ServerSecret;
  translators: Readonly<Record<Language, Translate>>;
  /** Null if there is no mail server; mails are then kept for a privileged user. */
  mailer: Pick<Mailer, 'sendMail'> | null;
  /** Returns a number from 0 to 1 for the jitter of retries. */
  random: () => number;
}

interface DueMail {
  mailId: string;
  recipient: string;
  subject: string;
  sealed: Buffer;
  attempts: number;
  createdAt: string;
}

const pollIntervalMs = 5_000;
/**
 * Milliseconds after which a mail of a dead sender is sent by another; longer than the mailer's total
 * timeout.
 */
const lockMs = 120_000;
const retentionMs = 30 * 86_400_000;

export function createMailOutbox(options: MailOutboxOptions): MailOutbox {
  const { database, clock, nextId, log, spaceId, secret, translators, mailer } = options;
  const labelOf = (mailId: string) => `mail ${mailId}`;
  let working: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let stop = () => {};

  /** Claims one due mail, so that no other replica sends it too. */
  async function claimDue(): Promise<DueMail | undefined> {
    const now = clock.now();
    const { rows } = await database.query<DueMail>(
      `update outgoing_mail set locked_until = $3, attempts = attempts + 1
       where mail_id = (
         select mail_id from outgoing_mail
         where space_id = $1 and status = 'waiting' and next_attempt_at <= $2
           and (locked_until is null or locked_until < $2)
         order by next_attempt_at limit 1 for update skip locked)
       returning mail_id as "mailId", recipient, subject, sealed, attempts, created_at as "createdAt"`,
      [spaceId, isoTime(now), isoTime(now + lockMs)],
    );
    return rows[0];
  }

  async function deliver(mail: DueMail): Promise<void> {
    const text = secret.open(mail.sealed, labelOf(mail.mailId));
    if (text === null) return settle(mail, 'failed', { word: 'mail.unreadable', params: {} });
    const result = await mailer!.sendMail(
      createPlainMail([mail.recipient], { subject: mail.subject, text }),
      {
        deliveryId: mail.mailId,
        attempt: mail.attempts,
        timestamp: clock.now(),
      },
    );
    if (result.outcome === 'succeeded') return settle(mail, 'sent', null);
    const next = retryAt(result, { attempt: mail.attempts, firstAt: mail.createdAt }, options);
    log({ level: 'warn', message: 'A mail was not sent', mailId: mail.mailId, reason: result.reason.word });
    if (next === null) return settle(mail, 'failed', result.reason);
    await database.query(
      `update outgoing_mail set next_attempt_at = $3, locked_until = null, reason = $4, updated_at = $5
       where space_id = $1 and mail_id = $2`,
      [spaceId, mail.mailId, next, JSON.stringify(result.reason), isoTime(clock.now())],
    );
  }

  /** A mail that throws ends as failed, so that the following ones are sent. */
  async function deliverOrFail(mail: DueMail): Promise<void> {
    try {
      await deliver(mail);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      log({
        level: 'error',
        message: 'A mail could not be sent',
        mailId: mail.mailId,
        ...errorFields(error),
      });
      // If even that fails, the mail stays locked for a while.
      await settle(mail, 'failed', { word: 'delivery.threw', params: { detail: faultText(error) } }).catch(
        (second: unknown) => {
          if (!isRowFault(second)) throw second;
        },
      );
    }
  }

  /** Ends a mail and deletes its text, which may contain a link. */
  async function settle(mail: DueMail, status: 'sent' | 'failed', reason: object | null): Promise<void> {
    await database.query(
      `update outgoing_mail set status = $3, reason = $4, sealed = null, locked_until = null, next_attempt_at = null,
         updated_at = $5
       where space_id = $1 and mail_id = $2`,
      [spaceId, mail.mailId, status, reason && JSON.stringify(reason), isoTime(clock.now())],
    );
  }

  async function work(): Promise<void> {
    do {
      again = false;
      while (!closed) {
        const mail = await claimDue();
        if (!mail) break;
        await deliverOrFail(mail);
      }
      await database.query('delete from outgoing_mail where space_id = $1 and created_at < $2', [
        spaceId,
        isoTime(clock.now() - retentionMs),
      ]);
    } while (again && !closed);
  }

  function wake(): void {
    if (!mailer || closed) return;
    again = true;
    working ??= work()
      .catch((error: unknown) => log({ level: 'warn', message: 'Mails wait', ...errorFields(error) }))
      .finally(() => {
        working = undefined;
        if (again) wake();
      });
  }

  return {
    canSend: mailer !== null,
    async queue(db, { kind, to, language, params }) {
      const mailId = nextId();
      const now = isoTime(clock.now());
      const t = translators[language];
      const status = mailer ? 'waiting' : 'stored';
      const subjectKey = `mail.${kind}.subject` as MessageKey;
      const textKey = `mail.${kind}.text` as MessageKey;
      const text = t(textKey, params);
      await db.query(
        `insert into outgoing_mail (mail_id, space_id, kind, recipient, subject, sealed, status, next_attempt_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
        [
          mailId,
          spaceId,
          kind,
          to,
          t(subjectKey, params),
          secret.seal(mailer ? text : redactLink(kind, text), labelOf(mailId)),
          status,
          now,
        ],
      );
      if (!mailer)
        log({
          level: 'info',
          message: 'No mail server is set: a mail was kept in the mail log',
          mailId,
          kind,
        });
    },
    wake,
    async readStoredText(mailId) {
      const { rows } = await database.query<{ kind: string; sealed: Buffer | null }>(
        `select kind, sealed from outgoing_mail where space_id = $1 and mail_id = $2 and status = 'stored'`,
        [spaceId, mailId],
      );
      const [row] = rows;
      const text = row?.sealed ? secret.open(row.sealed, labelOf(mailId)) : null;
      return row && text !== null ? redactLink(row.kind, text) : null;
    },
    start() {
      stop = clock.every(pollIntervalMs, wake);
      wake();
    },
    async idle() {
      while (working) await working;
    },
    async close() {
      closed = true;
      stop();
      await working;
    },
  };
}

/**
 * An invitation link creates an account and opens no existing one; without a mail server, the inviting user
 * passes it on.
 */
function redactLink(kind: string, text: string): string {
  return kind === 'invitation' ? text : text.replace(/([?&]token=)[\w-]+/g, '$1***');
}
