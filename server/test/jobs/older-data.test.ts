// What waits in the tables of an earlier version is sent after the upgrade.
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureNotices } from '../../src/alerthub/notices/failure-notices.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { LogLine } from '../../src/common/log.ts';
import { deriveSecret } from '../../src/common/secrets/server-secret.ts';
import { migrations } from '../../src/db/migrations/all.ts';
import type { MailRequest } from '../../src/delivery/mail-message.ts';
import { mailLabel, ServerMails } from '../../src/delivery/mail-outbox/server-mails.ts';
import type { DeliveryMeta, SendResult } from '../../src/delivery/send-result.ts';
import { createTestStore, storeKinds, type TestStore } from '../support/test-store.ts';

const sentResult: SendResult = {
  outcome: 'succeeded',
  retry: false,
  statusCode: 250,
  reason: { word: 'delivery.sent', params: {} },
  reply: '250 ok',
};

describe.each(storeKinds)('on %s', (kind) => {
  let store: TestStore | null = null;
  beforeEach(async (context) => {
    store = await createTestStore(kind);
    if (!store) context.skip();
  }, 60_000);
  afterEach(async () => store?.remove());

  test('nothing that waits is lost, and nothing that has ended is sent', async () => {
    const clock = new ManualClock();
    const nextId = createIdSource(clock);
    const secret = deriveSecret(randomBytes(32));
    const spaceId = nextId();
    const now = isoTime(clock.now());
    const later = isoTime(clock.now() + 60_000);
    const old = await store!.open({ migrations: migrations.filter(({ number }) => number < 45) });
    await old.query(
      `insert into space (space_id, display_name, created_at, updated_at) values ($1, 'Test', $2, $2)`,
      [spaceId, now],
    );
    const mails = [
      { to: 'due', status: 'waiting', at: now, lockedUntil: null },
      // In the hands of the process that has ended.
      { to: 'locked', status: 'waiting', at: now, lockedUntil: later },
      { to: 'retried', status: 'waiting', at: later, lockedUntil: null },
      { to: 'sent', status: 'sent', at: null, lockedUntil: null },
      { to: 'stored', status: 'stored', at: now, lockedUntil: null },
    ];
    for (const { to, status, at, lockedUntil } of mails) {
      const mailId = nextId();
      const sealed = secret.seal(`text to ${to}`, mailLabel(mailId));
      await old.query(
        `insert into outgoing_mail (mail_id, space_id, kind, recipient, subject, sealed, status, attempts,
           next_attempt_at, locked_until, created_at, updated_at)
         values ($1, $2, 'invitation', $3, 'subject', $4, $5, 3, $6, $7, $8, $8)`,
        [mailId, spaceId, `${to}@example.com`, sealed, status, at, lockedUntil, now],
      );
    }
    await old.query(
      `insert into notice_mail (notice_mail_id, space_id, email, subject, text, attempts, next_at, created_at)
       values ($1, $2, 'notice@example.com', 'Failed', 'text', 1, $3, $3)`,
      [nextId(), spaceId, now],
    );
    await old.close();

    const database = await store!.open({ migrations });
    const sent: { to: string; text: string; attempt: number }[] = [];
    const sendMail = async (request: MailRequest, { attempt }: DeliveryMeta) => {
      sent.push({ to: request.to[0]!.email, text: request.text ?? '', attempt });
      return sentResult;
    };
    const lines: LogLine[] = [];
    const deps = {
      ...{ database, clock, nextId, random: () => 0.5, instance: 'new' },
      log: (line: LogLine) => void lines.push(line),
    };
    const serverMails = new ServerMails({ ...deps, mailer: { sendMail }, secretOf: () => secret });
    const notices = new FailureNotices({
      ...deps,
      originOf: () => 'https://yagura.example',
      sendMail: (_space, request, meta) => sendMail(request, meta),
    });
    await serverMails.start();
    await notices.start();
    await serverMails.idle();
    await notices.runNow();
    const byName = (one: { to: string }, other: { to: string }) => (one.to < other.to ? -1 : 1);
    const first = [
      { to: 'due@example.com', text: 'text to due', attempt: 4 },
      { to: 'locked@example.com', text: 'text to locked', attempt: 4 },
      { to: 'notice@example.com', text: 'text', attempt: 2 },
    ];
    expect(sent.sort(byName)).toEqual(first);
    clock.advance(60_000);
    await serverMails.idle();
    await notices.runNow();
    expect(sent.sort(byName)).toEqual([
      ...first,
      { to: 'retried@example.com', text: 'text to retried', attempt: 4 },
    ]);
    const { rows } = await database.query<{ status: string }>('select status from outgoing_mail');
    expect(rows.map(({ status }) => status).sort()).toEqual(['sent', 'sent', 'sent', 'sent', 'stored']);
    expect((await database.query('select 1 from job')).rows).toEqual([]);
    expect(lines).toEqual([]);
    await serverMails.close();
    await notices.close();
  });

  test('deliveries that wait belong to their space after the upgrade', async () => {
    const nextId = createIdSource(new ManualClock());
    const [spaceId, actionId, recordId] = [nextId(), nextId(), nextId()];
    const old = await store!.open({ migrations: migrations.filter(({ number }) => number < 86) });
    await old.query(
      `insert into action_record (action_record_id, space_id, action_id, kind, status, delivery_id, request, missing, created_at, updated_at)
       values ($1, $2, $3, 'webhook', 'waiting', 'one', '{}', '[]', now(), now())`,
      [recordId, spaceId, actionId],
    );
    for (const actionRecordId of [recordId, nextId(), 'no id'])
      await old.query(`insert into job (queue, run_at, payload) values ('delivery', now(), $1)`, [
        { actionRecordId },
      ]);
    await old.query(`insert into job (queue, run_at, payload) values ('delivery', now(), '{}')`);
    await old.close();

    const database = await store!.open({ migrations });
    const { rows } = await database.query('select space_id from job order by id');
    expect(rows.map((row) => (row as { space_id: string | null }).space_id)).toEqual([
      spaceId,
      null,
      null,
      null,
    ]);
  });
});
