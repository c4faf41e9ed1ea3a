// Mails to the notification addresses: stored together with what they report, and sent by `FailureNotices`
// with retries.

import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { Transaction } from '../../db/database.ts';
import { addJobs } from '../../jobs/job-queue.ts';

export const noticeQueue = 'notice-mail';

/** A mail to one notification address. */
export interface NoticeMail {
  noticeMailId: string;
  spaceId: string;
  email: string;
  subject: string;
  text: string;
  /** ISO 8601. */
  createdAt: string;
}

const maxSubjectLength = 200;

/** Enabled notification addresses of a space. */
export async function noticeAddresses(tx: Transaction, spaceId: string): Promise<string[]> {
  const { rows } = await tx.query<{ email: string }>(
    `select distinct body->>'email' as email from resource
     where space_id = $1 and kind = 'notification-setting-email' and not (body->>'disabled')::boolean order by 1`,
    [spaceId],
  );
  return rows.map(({ email }) => email);
}

/**
 * Composes a mail in both languages, since the language of an address is unknown. `body` returns its
 * paragraphs.
 */
export async function composeNotice(
  subjectKey: MessageKey,
  names: readonly string[],
  body: (t: Translate) => string[],
): Promise<{ subject: string; text: string }> {
  const [ja, en] = await Promise.all([loadTranslator('ja'), loadTranslator('en')]);
  const texts = [ja, en].map((t) => body(t).join('\n\n'));
  return {
    subject: `[Yagura] ${ja(subjectKey)} / ${en(subjectKey)}: ${names.join(', ')}`,
    text: `${texts.join('\n\n--\n\n')}\n`,
  };
}

/** Queues one mail per address. */
export async function addNoticeMails(
  tx: Transaction,
  spaceId: string,
  emails: readonly string[],
  { subject, text, now, nextId }: { subject: string; text: string; now: number; nextId: NextId },
): Promise<void> {
  const createdAt = isoTime(now);
  const mail = { spaceId, subject: subject.slice(0, maxSubjectLength), text, createdAt };
  const payloads: NoticeMail[] = emails.map((email) => ({ ...mail, noticeMailId: nextId(), email }));
  await addJobs(tx, { queue: noticeQueue, spaceId, runAt: createdAt, payloads });
}
