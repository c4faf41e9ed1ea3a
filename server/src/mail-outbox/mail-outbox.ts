// The mails of the server itself: queued in the store with the change that causes them, sent once it is committed, tried again with backoff.

import type { Language, Translate } from '@yagura/core/i18n/translator';
import type { mailKinds } from '@yagura/core/space/mail';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { Database, Queryable } from '../db/database.ts';
import { retryAt } from '../delivery/backoff.ts';
import { createPlainMail } from '../delivery/mail-message.ts';
import type { Mailer } from '../delivery/smtp-mailer.ts';
import type { ServerSecret } from '../identity/secrets/server-secret.ts';
import { faultText, isRowFault } from '../jobs/poison-row-guard.ts';

export interface ServerMail {
  kind: (typeof mailKinds)[number];
  /** Address of the one recipient. */
  to: string;
  language: Language;
  /** What the words of the mail name; a link in here is the only secret that a mail may hold. */
  params: Record<string, string | number>;
}

export interface MailOutbox {
  /** Adds a mail within the caller's transaction. Call `wake` once it is committed. */
  queue(db: Queryable, mail: ServerMail): Promise<void>;
  /** False: there is no mail server, and mails are kept to be read. */
  readonly canSend: boolean;
  /** Looks for what is due now instead of at the next beat. */
  wake(): void;
  /**
   * The text of a mail that was kept because nothing can send it; null for any other. A link to somebody's account is left
   * out: whoever reads it could take the account over.
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
  /** Null: nothing can send mails, they are kept to be read by a privileged person. */
  mailer: Pick<Mailer, 'sendMail'> | null;
  /** Number from 0 to 1 that spreads retries. */
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
/** A sender that died leaves its mail to another after this long; longer than the mailer's whole timeout. */
const lockMs = 120_000;
const retentionMs = 30 * 86_400_000;

export function createMailOutbox(options: MailOutboxOptions): MailOutbox {
  const { database, clock, nextId, log, spaceId, secret, translators, mailer } = options;
  const labelOf = (mailId: string) => `mail ${mailId}`;
  let working: Promise<void> | undefined;
  let again = false;
  let closed = false;
  let stop = () => {};

  /** Takes one due mail, so that no other replica sends it too. */
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

  /** A mail that throws ends as failed, and the ones behind it are sent. */
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
      // One that cannot even be ended stays locked for a while.
      await settle(mail, 'failed', { word: 'delivery.threw', params: { detail: faultText(error) } }).catch(
        (second: unknown) => {
          if (!isRowFault(second)) throw second;
        },
      );
    }
  }

  /** The end of a mail; its text, which may hold a link, goes with it. */
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
      const text = t(`mail.${kind}.text`, params);
      await db.query(
        `insert into outgoing_mail (mail_id, space_id, kind, recipient, subject, sealed, status, next_attempt_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
        [
          mailId,
          spaceId,
          kind,
          to,
          t(`mail.${kind}.subject`, params),
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

/** An invitation's link makes an account and opens none; without a mail server it is handed on by whoever invited. */
function redactLink(kind: string, text: string): string {
  return kind === 'invitation' ? text : text.replace(/([?&]token=)[\w-]+/g, '$1***');
}
