import { randomBytes } from 'node:crypto';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createStoreWithTables, storeKinds } from '../../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../../common/clock.ts';
import { createIdSource } from '../../common/id.ts';
import type { LogLine } from '../../common/log.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import type { Database } from '../../db/database.ts';
import type { MailRequest } from '../mail-message.ts';
import { failedResult, type SendResult } from '../send-result.ts';
import { createMailOutbox, type MailOutbox } from './mail-outbox.ts';

const link = 'https://yagura.example/change-password?token=canary-canary';
const taken: SendResult = {
  outcome: 'succeeded',
  retry: false,
  statusCode: 250,
  reason: { word: 'delivery.sent', params: {} },
  reply: '250 ok',
};
const away = failedResult('delivery.connection', { detail: 'ECONNREFUSED' }, { retry: true });
const refused = failedResult('delivery.mailRefused', { detail: '550' }, { retry: false });

describe.each(storeKinds)('on %s', (kind) => {
  let store: NonNullable<Awaited<ReturnType<typeof createStoreWithTables>>>;
  let database: Database;
  let clock: ManualClock;
  let lines: LogLine[];
  let sent: MailRequest[];
  let answers: SendResult[];
  const rooms: MailOutbox[] = [];
  const secret = deriveSecret(randomBytes(32));
  let spaceId: string;

  beforeEach(async (context) => {
    const made = await createStoreWithTables(kind);
    if (!made) return context.skip();
    store = made;
    database = await store.open();
    clock = new ManualClock();
    spaceId = createIdSource(clock)();
    await database.query(
      'insert into space (space_id, display_name, created_at, updated_at) values ($1, $2, $3, $3)',
      [spaceId, 'Test', isoTime(clock.now())],
    );
    [lines, sent, answers] = [[], [], []];
  }, 60_000);
  afterEach(async () => {
    for (const room of rooms.splice(0)) await room.close();
    await store?.remove();
  });

  async function open(withServer = true): Promise<MailOutbox> {
    const room = createMailOutbox({
      database,
      clock,
      nextId: createIdSource(clock),
      log: (line) => lines.push(line),
      spaceId,
      secret,
      translators: { en: await loadTranslator('en'), ja: await loadTranslator('ja') },
      mailer: withServer
        ? {
            async sendMail(request) {
              sent.push(request);
              return answers.shift() ?? taken;
            },
          }
        : null,
      random: () => 0.5,
    });
    rooms.push(room);
    room.start();
    return room;
  }

  const ask = (room: MailOutbox) =>
    room.queue(database, {
      kind: 'change-password',
      to: 'hana@example.com',
      language: 'ja',
      params: { name: '花', space: '本番', link, minutes: 60 },
    });

  async function rows() {
    const found = await database.query<{
      mail_id: string;
      status: string;
      attempts: number;
      sealed: Buffer | null;
    }>('select mail_id, status, attempts, sealed from outgoing_mail');
    return found.rows;
  }

  test('sends in the language of the reader, once over all replicas, and forgets the text', async () => {
    const [one, two] = [await open(), await open()];
    await ask(one);
    one.wake();
    two.wake();
    await Promise.all([one.idle(), two.idle()]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ subject: 'パスワードの再設定', to: [{ email: 'hana@example.com' }] });
    expect(sent[0]!.text).toContain(link);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, sealed: null }]);
  });

  test('tries again with backoff while the server is away, and gives up when refused', async () => {
    answers = [away, away, refused];
    const room = await open();
    await ask(room);
    room.wake();
    await room.idle();
    expect(await rows()).toMatchObject([{ status: 'waiting', attempts: 1 }]);
    for (let tick = 0; tick < 6; tick++) {
      clock.advance(5_000);
      await room.idle();
    }
    expect(sent).toHaveLength(3);
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 3, sealed: null }]);
  });

  test('takes over from a replica that died while sending', async () => {
    const room = await open();
    await ask(room);
    await database.query('update outgoing_mail set locked_until = $1', [isoTime(clock.now() + 120_000)]);
    clock.advance(60_000);
    await room.idle();
    expect(sent).toHaveLength(0);
    clock.advance(65_000);
    await room.idle();
    expect(sent).toHaveLength(1);
  });

  test('shows no link to an account of a mail that was kept with it, but that of an invitation', async () => {
    const room = await open(false);
    await ask(room);
    const invited = 'https://yagura.example/activate-invitation?token=invited';
    const params = { space: 'Night watch', inviter: 'Hana', days: 7, link: invited };
    await room.queue(database, { kind: 'invitation', to: 'new@example.com', language: 'en', params });
    const [reset, invitation] = await rows();
    const whole = secret.seal(`kept before ${link}`, `mail ${reset!.mail_id}`);
    await database.query('update outgoing_mail set sealed = $1 where mail_id = $2', [whole, reset!.mail_id]);
    expect(await room.readStoredText(reset!.mail_id)).toBe(
      'kept before https://yagura.example/change-password?token=***',
    );
    expect(await room.readStoredText(invitation!.mail_id)).toContain(invited);
  });

  test('keeps what nothing can send, sealed, and tells the log no link', async () => {
    const room = await open(false);
    await ask(room);
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'stored' });
    expect(row!.sealed!.toString('latin1')).not.toContain('canary');
    const text = await room.readStoredText(row!.mail_id);
    expect(text).toContain('https://yagura.example/change-password?token=***');
    expect(text).not.toContain('canary');
    expect(lines).toMatchObject([{ level: 'info', mailId: row!.mail_id }]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});
