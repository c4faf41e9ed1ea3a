// Mails the notification addresses about receive slots that went silent or receive again, collected into few
// mails.
import type { Translate } from '@yagura/core/i18n/translator';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { Transaction } from '../../db/database.ts';
import { addNoticeMails, composeNotice, noticeAddresses } from './notice-mails.ts';

interface SilenceNoticeDeps {
  clock: Clock;
  nextId: NextId;
  /** Returns the public origin of a space. */
  originOf(spaceId: string): string;
}

/** Minimum milliseconds between two mails of a space. */
const spaceCooldownMs = 300_000;
/** Minimum milliseconds between two alerts about one slot. */
const slotCooldownMs = 3_600_000;
const maxSlots = 50;

interface SilentSlotRow {
  space_id: string;
  receive_slot_id: string;
  name: string;
  tell: 'overdue' | 'returned';
  seen_at: string | null;
  expected_by: string | null;
}

/** Queues mails for unreported changes, as part of the transaction that found them. */
export async function createSilenceNotices(tx: Transaction, deps: SilenceNoticeDeps): Promise<void> {
  const now = deps.clock.now();
  const { rows } = await tx.query<SilentSlotRow>(
    `select w.space_id, w.receive_slot_id, r.body->>'displayName' as name, w.tell, w.seen_at, w.expected_by
     from slot_watch w join resource r on r.space_id = w.space_id and r.kind = 'receive-slot' and r.id = w.receive_slot_id
     where w.tell is not null and (w.tell = 'returned' or w.told_at is null or w.told_at <= $1)
       and not exists (select 1 from slot_watch o where o.space_id = w.space_id and o.told_at > $2)
     order by w.expected_by, w.receive_slot_id`,
    [isoTime(now - slotCooldownMs), isoTime(now - spaceCooldownMs)],
  );
  for (const spaceId of new Set(rows.map((row) => row.space_id))) {
    const slots = rows.filter((row) => row.space_id === spaceId);
    await tx.query(
      'update slot_watch set tell = null, told_at = $2 where receive_slot_id = any($1::uuid[])',
      [slots.map((row) => row.receive_slot_id), isoTime(now)],
    );
    const emails = await noticeAddresses(tx, spaceId);
    if (emails.length === 0) continue;
    const { rows: space } = await tx.query<{ name: string }>(
      'select display_name as name from space where space_id = $1',
      [spaceId],
    );
    const mail = await composeMail(space[0]?.name ?? '', slots, deps.originOf(spaceId));
    await addNoticeMails(tx, spaceId, emails, { ...mail, now, nextId: deps.nextId });
  }
}

function composeMail(space: string, slots: readonly SilentSlotRow[], origin: string) {
  const isOverdue = slots.some(({ tell }) => tell === 'overdue');
  const names = slots.map(({ name }) => name);
  const more = slots.length - maxSlots;
  return composeNotice(isOverdue ? 'watch.subject-overdue' : 'watch.subject-returned', names, (t) => [
    t('watch.intro', { space }),
    ...slots.slice(0, maxSlots).map((slot) => formatParagraph(slot, origin, t)),
    ...(more > 0 ? [t('watch.more', { count: more })] : []),
    t('watch.outro'),
  ]);
}

function formatParagraph(
  { name, tell, seen_at, expected_by, receive_slot_id }: SilentSlotRow,
  origin: string,
  t: Translate,
) {
  const word = tell === 'returned' ? 'returned' : seen_at ? 'silent' : 'never';
  return [
    t(`watch.${word}`, { name, last: seen_at, due: expected_by }),
    t('watch.link', { url: `${origin}/apps/alerthub/receive-slots/${receive_slot_id}` }),
  ].join('\n');
}
