// Sends the mails of the server itself for all spaces. The table `outgoing_mail` is the mail log; a mail to be
// sent has a job besides.
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { ServerSecret } from '../../common/secrets/server-secret.ts';
import type { Queryable } from '../../db/database.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { createPlainMail } from '../mail-message.ts';
import { Outbox, type OutboxAttempt, type OutboxDeps, type OutgoingItem } from '../outbox.ts';
import { failedResult } from '../send-result.ts';
import type { Mailer } from '../smtp-mailer.ts';

export interface ServerMailsDeps extends OutboxDeps {
  nextId: NextId;
  /** Null if there is no mail server; mails are then kept for a privileged user. */
  mailer: Pick<Mailer, 'sendMail'> | null;
  /** Secret under which the mails of a space are encrypted. */
  secretOf(space: { spaceId: string; host: string | null }): Pick<ServerSecret, 'open'>;
}

/** Refers to a row of the mail log. */
interface Payload {
  mailId: string;
}

/** A composed mail; `sealed` is its encrypted text. */
export interface NewMail {
  mailId: string;
  spaceId: string;
  kind: string;
  to: string;
  subject: string;
  sealed: Buffer;
}

const queue = 'server-mail';
const cleanupIntervalMs = 3_600_000;
const retentionMs = 30 * 86_400_000;

/** Encryption label of a mail's text. */
export const mailLabel = (mailId: string) => `mail ${mailId}`;

export class ServerMails {
  private readonly deps: ServerMailsDeps;
  private readonly outbox: Outbox<Payload>;
  private readonly cleanup: PeriodicJob;

  constructor(deps: ServerMailsDeps) {
    this.deps = deps;
    const { database, clock, log } = deps;
    this.outbox = new Outbox<Payload>(deps, {
      queue,
      maxConcurrent: 4,
      failureMessage: 'A mail was not sent',
      read: (payload) => this.read(payload),
      record: (tx, payload, attempt) => recordAttempt(tx, clock, payload, attempt),
    });
    this.cleanup = new PeriodicJob({
      ...{ clock, log },
      intervalMs: cleanupIntervalMs,
      failureMessage: 'The mail log could not be tidied',
      work: async () => {
        const before = isoTime(clock.now() - retentionMs);
        await database.query('delete from outgoing_mail where created_at < $1', [before]);
        if (this.canSend) await addMissingJobs(database);
      },
    });
  }

  /** False if there is no mail server. */
  get canSend(): boolean {
    return this.deps.mailer !== null;
  }

  /** Starts sending, if there is a mail server. */
  async start(): Promise<void> {
    this.cleanup.start();
    await this.cleanup.runNow();
    if (this.canSend) await this.outbox.start();
  }

  /** Resolves when nothing is being sent or due. */
  async idle(): Promise<void> {
    if (this.canSend) await this.outbox.idle();
  }

  async close(): Promise<void> {
    await this.cleanup.close();
    await this.outbox.close();
  }

  /** Sends what is due now instead of at the next interval. */
  wake(): void {
    if (this.canSend) this.outbox.wake();
  }

  /** Stores a mail in the mail log, with a job if there is a mail server. */
  async add(db: Queryable, { mailId, spaceId, kind, to, subject, sealed }: NewMail): Promise<void> {
    const status = this.canSend ? 'waiting' : 'stored';
    const now = isoTime(this.deps.clock.now());
    // One statement, since the caller may have no transaction.
    await db.query(
      `with mail as (
         insert into outgoing_mail (mail_id, space_id, kind, recipient, subject, sealed, status, next_attempt_at, is_queued, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $9 then $8::timestamptz end, $9, $8, $8)
         returning mail_id, space_id, is_queued, created_at
       )
       insert into job (queue, run_at, space_id, payload)
       select '${queue}', created_at, space_id, jsonb_build_object('mailId', mail_id) from mail where is_queued`,
      [mailId, spaceId, kind, to, subject, sealed, status, now, this.canSend],
    );
  }

  private async read({ mailId }: Payload): Promise<OutgoingItem | null> {
    const { database, mailer, secretOf } = this.deps;
    const { rows } = await database.query<WaitingMail>(
      `select m.space_id as "spaceId", s.host, m.recipient, m.subject, m.sealed, m.created_at as "createdAt"
       from outgoing_mail m join space s on s.space_id = m.space_id
       where m.mail_id = $1 and m.status = 'waiting'`,
      [mailId],
    );
    const [mail] = rows;
    if (!mail) return null;
    const text = mail.sealed && secretOf(mail).open(mail.sealed, mailLabel(mailId));
    return {
      id: mailId,
      createdAt: mail.createdAt,
      async send(meta) {
        if (text === null) return failedResult('mail.unreadable', {}, { retry: false });
        return mailer!.sendMail(createPlainMail([mail.recipient], { subject: mail.subject, text }), meta);
      },
    };
  }
}

/** Mails stored by a server of an earlier version that shares the database have no job. */
async function addMissingJobs(db: Queryable): Promise<void> {
  await db.query(
    `with missing as (
       update outgoing_mail set is_queued = true where status = 'waiting' and not is_queued
       returning mail_id, space_id, attempts, coalesce(next_attempt_at, created_at) as run_at
     )
     insert into job (queue, run_at, attempts, space_id, payload)
     select '${queue}', run_at, attempts, space_id, jsonb_build_object('mailId', mail_id) from missing`,
  );
}

/** Also deletes the text of a mail that has ended, which may contain a link. */
async function recordAttempt(
  tx: Queryable,
  clock: Clock,
  { mailId }: Payload,
  { number, result, nextAt }: OutboxAttempt,
): Promise<void> {
  const status = nextAt ? 'waiting' : result.outcome === 'succeeded' ? 'sent' : 'failed';
  const reason = result.outcome === 'failed' ? JSON.stringify(result.reason) : null;
  await tx.query(
    `update outgoing_mail set status = $2, attempts = $3, reason = $4, next_attempt_at = $5, updated_at = $6,
       sealed = case when $2 = 'waiting' then sealed end
     where mail_id = $1 and status = 'waiting'`,
    [mailId, status, number, reason, nextAt, isoTime(clock.now())],
  );
}

interface WaitingMail {
  spaceId: string;
  host: string | null;
  recipient: string;
  subject: string;
  sealed: Buffer | null;
  createdAt: string;
}
