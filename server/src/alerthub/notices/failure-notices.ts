// Mails digests of failures to the notification addresses, at most one per subject and hour, and the other mails
// to them.
import { isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import { errorFields } from '../../common/log.ts';
import type { Transaction } from '../../db/database.ts';
import { createPlainMail, type MailRequest } from '../../delivery/mail-message.ts';
import { Outbox, type OutboxDeps } from '../../delivery/outbox.ts';
import type { DeliveryMeta, SendResult } from '../../delivery/send-result.ts';
import { PeriodicJob } from '../../jobs/periodic-job.ts';
import { isRowFault } from '../../jobs/poison-row-guard.ts';
import {
  addNoticeMails,
  composeNotice,
  type NoticeMail,
  noticeAddresses,
  noticeQueue,
} from './notice-mails.ts';
import {
  claimSubjects,
  deleteOldNotices,
  formatParagraph,
  type NoticeKind,
  type NoticeSubject,
  noticeKinds,
  spacesWithFailures,
} from './notice-subjects.ts';

export interface FailureNoticeDeps extends OutboxDeps {
  nextId: NextId;
  /** Returns the public origin of a space. */
  originOf(spaceId: string): string;
  /** Sends a system mail to addresses of a space. Never rejects. */
  sendMail(spaceId: string, request: MailRequest, meta: DeliveryMeta): Promise<SendResult>;
}

const pollIntervalMs = 10_000;
const failureMessage = 'failures could not be told of';
/** Milliseconds: failures within this time go into one mail. */
const collectWindowMs = 30_000;
/** Minimum milliseconds between two mails about one subject, and between two mails of a space. */
const subjectCooldownMs = 3_600_000;
const spaceCooldownMs = 300_000;
const retentionMs = 30 * 86_400_000;
const maxConcurrentMails = 20;

export class FailureNotices {
  private readonly deps: FailureNoticeDeps;
  private readonly job: PeriodicJob;
  private readonly mails: Outbox<NoticeMail>;

  constructor(deps: FailureNoticeDeps) {
    this.deps = deps;
    const { clock, log, sendMail } = deps;
    this.mails = new Outbox<NoticeMail>(deps, {
      queue: noticeQueue,
      maxConcurrent: maxConcurrentMails,
      failureMessage: 'a notice could not be mailed',
      async read(mail) {
        const { noticeMailId: id, spaceId, createdAt } = mail;
        const request = createPlainMail([mail.email], mail);
        return { id, createdAt, send: (meta) => sendMail(spaceId, request, meta) };
      },
    });
    this.job = new PeriodicJob({
      clock,
      log,
      intervalMs: pollIntervalMs,
      failureMessage,
      work: () => this.work(),
    });
  }

  async start(): Promise<void> {
    await this.mails.start();
    this.job.start();
  }

  /** Collects and sends the mails that are due. */
  async runNow(): Promise<void> {
    await this.job.runNow();
    await this.mails.idle();
  }

  async close(): Promise<void> {
    await this.job.close();
    await this.mails.close();
  }

  private async work(): Promise<void> {
    const { database, clock, log } = this.deps;
    for (const spaceId of await spacesWithFailures(database, isoTime(clock.now() - collectWindowMs))) {
      if (this.job.closed) return;
      try {
        await database.transaction((tx) => this.collect(tx, spaceId));
      } catch (error) {
        if (!isRowFault(error)) throw error;
        // Continue with the other spaces.
        log({
          level: 'error',
          message: 'failures of a space could not be told of',
          spaceId,
          ...errorFields(error),
        });
      }
    }
    this.mails.wake();
    await deleteOldNotices(database, isoTime(clock.now() - retentionMs));
  }

  /** Turns the failures of a space into mails; a lock ensures that only one replica does. */
  private async collect(tx: Transaction, spaceId: string): Promise<void> {
    const now = this.deps.clock.now();
    const ago = (milliseconds: number) => isoTime(now - milliseconds);
    const { rows: space } = await tx.query<{ display_name: string }>(
      `select display_name from space s where space_id = $1 and not exists (
         select 1 from failure_notice f where f.space_id = s.space_id and f.sent_at > $2
       ) for no key update skip locked`,
      [spaceId, ago(spaceCooldownMs)],
    );
    if (!space[0]) return;
    const times = { now: isoTime(now), cooldownSince: ago(subjectCooldownMs), before: ago(collectWindowMs) };
    const subjects = await claimSubjects(tx, spaceId, times);
    if (subjects.length === 0) return;
    const emails = await noticeAddresses(tx, spaceId);
    // No addresses: discard the failures, so that an address added later gets no old ones.
    if (emails.length === 0) return;
    await tx.query(
      `insert into failure_notice (space_id, action_id, sent_at) select $1, unnest($2::uuid[]), $3
       on conflict (space_id, action_id) do update set sent_at = excluded.sent_at`,
      [spaceId, [...new Set(subjects.map(({ subjectId }) => subjectId))], isoTime(now)],
    );
    const mail = await this.composeMail({ spaceId, name: space[0].display_name }, subjects);
    await addNoticeMails(tx, spaceId, emails, { ...mail, now, nextId: this.deps.nextId });
  }

  private composeMail(space: { spaceId: string; name: string }, subjects: NoticeSubject[]) {
    const origin = this.deps.originOf(space.spaceId);
    const kinds = noticeKinds.filter((kind) => subjects.some((subject) => subject.kind === kind));
    const ordered = kinds.flatMap((kind) => subjects.filter((subject) => subject.kind === kind));
    const names = ordered.map(({ name, subjectId }) => name ?? subjectId);
    const keyOf = <Key extends 'notice.subject' | 'notice.intro'>(key: Key, kind: NoticeKind) =>
      kind === 'failed' ? key : (`${key}-${kind}` as const);
    return composeNotice(keyOf('notice.subject', kinds[0]!), [...new Set(names)], (t) => [
      ...kinds.flatMap((kind) => [
        t(keyOf('notice.intro', kind), { space: space.name }),
        ...subjects.filter((one) => one.kind === kind).map((one) => formatParagraph(one, t, origin)),
      ]),
      t('notice.outro'),
    ]);
  }
}
