// Tells the notification addresses of deliveries that were given up: gathered, at most one mail an hour for one action.
import type { Translate } from '@yagura/core/words/translate';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { retryAt } from '../delivery/backoff.ts';
import type { Mailer } from '../delivery/mail.ts';
import { plainMail } from '../delivery/mail-message.ts';
import type { NextId } from '../id.ts';
import { Rounds } from '../jobs/rounds.ts';
import type { Log } from '../log.ts';
import { addNoticeMails, composeNotice, noticeAddresses } from './notice-mails.ts';

export interface FailureNoticeParts {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  /** Where people reach a space. */
  originOf(spaceId: string): string;
  mailer: Mailer;
  random: () => number;
}

const lookEvery = 10_000;
const failure = 'failures could not be told of';
/** Failures that come together go into one mail. */
const gatherFor = 30_000;
/** Further failures of an action wait this long for their mail; so do those of all actions, for a shorter time. */
const quietForAction = 3_600_000;
const quietForSpace = 300_000;
const leaseFor = 120_000;
const mailsAtOnce = 20;
const mostActions = 50;
const mostScopes = 5;

interface Failure {
  action_id: string;
  name: string | null;
  count: number;
  from_at: string;
  to_at: string;
  scopes: string[];
  reason: { word: string; params?: Record<string, unknown> } | null;
}

interface WaitingMail {
  notice_mail_id: string;
  email: string;
  subject: string;
  text: string;
  attempts: number;
  created_at: string;
}

export class FailureNotices {
  private readonly parts: FailureNoticeParts;
  private readonly rounds: Rounds;

  constructor(parts: FailureNoticeParts) {
    this.parts = parts;
    const { clock, log } = parts;
    this.rounds = new Rounds({ clock, log, every: lookEvery, failure, work: () => this.work() });
  }

  start(): void {
    this.rounds.start();
  }

  /** Gathers and sends what is due now. */
  look(): Promise<void> {
    return this.rounds.look();
  }

  close(): Promise<void> {
    return this.rounds.close();
  }

  private async work(): Promise<void> {
    const { database, clock } = this.parts;
    const { rows } = await database.query<{ space_id: string }>(
      {
        name: 'unnoticed-failures',
        text: `select distinct space_id from action_record
               where status = 'failed' and noticed_at is null and not drill and updated_at <= $1`,
      },
      [isoTime(clock.now() - gatherFor)],
    );
    for (const { space_id } of rows) {
      if (this.rounds.closed) return;
      await database.transaction((tx) => this.gather(tx, space_id));
    }
    await this.send();
  }

  /** Turns the failures of a space into mails, once over all replicas. */
  private async gather(tx: Transaction, spaceId: string): Promise<void> {
    const now = this.parts.clock.now();
    const ago = (milliseconds: number) => isoTime(now - milliseconds);
    const { rows: space } = await tx.query<{ display_name: string }>(
      `select display_name from space s where space_id = $1 and not exists (
         select 1 from failure_notice f where f.space_id = s.space_id and f.sent_at > $2
       ) for no key update skip locked`,
      [spaceId, ago(quietForSpace)],
    );
    if (!space[0]) return;
    const { rows: failures } = await tx.query<Failure>(
      `select a.action_id, r.body->>'displayName' as name, count(*)::int as count, min(a.updated_at) as from_at,
         max(a.updated_at) as to_at, array_remove(array_agg(distinct a.scope_id::text), null) as scopes,
         (array_agg(a.attempts->-1->'reason' order by a.updated_at desc))[1] as reason
       from action_record a
       left join resource r on r.space_id = a.space_id and r.kind = 'action' and r.id = a.action_id
       where a.space_id = $1 and a.status = 'failed' and a.noticed_at is null and not a.drill
         and not exists (select 1 from failure_notice f
           where f.space_id = a.space_id and f.action_id = a.action_id and f.sent_at > $2)
       group by a.action_id, r.body->>'displayName' having min(a.updated_at) <= $3
       order by min(a.updated_at), a.action_id limit ${mostActions}`,
      [spaceId, ago(quietForAction), ago(gatherFor)],
    );
    if (failures.length === 0) return;
    const actionIds = failures.map((failure) => failure.action_id);
    await tx.query(
      `update action_record set noticed_at = $3 where space_id = $1 and action_id = any($2::uuid[])
         and status = 'failed' and noticed_at is null and not drill`,
      [spaceId, actionIds, isoTime(now)],
    );
    const people = await noticeAddresses(tx, spaceId);
    // Nobody to tell: the next address is not told of what was long ago.
    if (people.length === 0) return;
    await tx.query(
      `insert into failure_notice (space_id, action_id, sent_at) select $1, unnest($2::uuid[]), $3
       on conflict (space_id, action_id) do update set sent_at = excluded.sent_at`,
      [spaceId, actionIds, isoTime(now)],
    );
    const mail = await this.compose({ spaceId, name: space[0].display_name }, failures);
    await addNoticeMails(tx, spaceId, people, { ...mail, now, nextId: this.parts.nextId });
  }

  private compose(space: { spaceId: string; name: string }, failures: Failure[]) {
    const origin = this.parts.originOf(space.spaceId);
    const names = failures.map((failure) => failure.name ?? failure.action_id);
    return composeNotice('notice.subject', names, (t) => [
      t('notice.intro', { space: space.name }),
      ...failures.map((failure) => paragraph(failure, t, origin)),
      t('notice.outro'),
    ]);
  }

  private async send(): Promise<void> {
    const { database, clock } = this.parts;
    const { rows } = await database.query<WaitingMail>(
      {
        name: 'claim-notice-mails',
        text: `update notice_mail set next_at = $2, attempts = attempts + 1
               where notice_mail_id = any(array(select notice_mail_id from notice_mail where next_at <= $1
                 order by next_at limit ${mailsAtOnce} for update skip locked))
               returning notice_mail_id, email, subject, text, attempts, created_at`,
      },
      [isoTime(clock.now()), isoTime(clock.now() + leaseFor)],
    );
    await Promise.all(rows.map((row) => this.sendOne(row)));
  }

  private async sendOne(mail: WaitingMail): Promise<void> {
    const { database, clock, log, mailer } = this.parts;
    const request = plainMail([mail.email], mail);
    const meta = { deliveryId: mail.notice_mail_id, attempt: mail.attempts, timestamp: clock.now() };
    const result = await mailer.sendMail(request, meta);
    const again = retryAt(result, { attempt: mail.attempts, firstAt: mail.created_at }, this.parts);
    if (result.outcome === 'failed' && !again) {
      log({ level: 'warn', message: 'a notice could not be mailed', reason: result.reason.word });
    }
    await database.query(
      again
        ? 'update notice_mail set next_at = $2 where notice_mail_id = $1'
        : 'delete from notice_mail where notice_mail_id = $1',
      again ? [mail.notice_mail_id, again] : [mail.notice_mail_id],
    );
  }
}

function paragraph(failure: Failure, t: Translate, origin: string): string {
  const { action_id, name, count, from_at, to_at, scopes, reason } = failure;
  const at = (path: string) => `${origin}/apps/alerthub/${path}`;
  const more = scopes.length - mostScopes;
  return [
    t('notice.action', { name: name ?? action_id, count, from: from_at, to: to_at }),
    ...(reason ? [t('notice.reason', { reason: t(reason.word, reason.params) })] : []),
    t('notice.action-link', { url: at(`actions/${action_id}`) }),
    ...scopes.slice(0, mostScopes).map((id) => t('notice.scope-link', { url: at(`scopes/${id}`) })),
    ...(more > 0 ? [t('notice.more-scopes', { count: more })] : []),
  ].join('\n');
}
