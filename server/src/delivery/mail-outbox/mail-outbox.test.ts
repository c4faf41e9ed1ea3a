import { randomBytes } from 'node:crypto';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refuseRows } from '../../../test/support/sql/refuse-rows.ts';
import { createStoreWithTables, storeKinds } from '../../../test/support/test-store.ts';
import { isoTime, ManualClock } from '../../common/clock.ts';
import { createIdSource } from '../../common/id.ts';
import type { LogLine } from '../../common/log.ts';
import { deriveSecret } from '../../common/secrets/server-secret.ts';
import type { Database } from '../../db/database.ts';
import { JobQueue } from '../../jobs/job-queue.ts';
import type { MailRequest } from '../mail-message.ts';
import { failedResult, type SendResult } from '../send-result.ts';
import { createMailOutbox, type MailOutbox } from './mail-outbox.ts';
import { ServerMails } from './server-mails.ts';

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
  let onSent: () => void;
  const replicas: ServerMails[] = [];
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
    onSent = () => {};
  }, 60_000);
  afterEach(async () => {
    for (const mails of replicas.splice(0)) await mails.close();
    await store?.remove();
  });

  /** A replica; without a mail server, mails are kept. */
  async function open(hasMailServer = true): Promise<{ mails: ServerMails; outbox: MailOutbox }> {
    const log = (line: LogLine) => void lines.push(line);
    const mails = new ServerMails({
      ...{ database, clock, log, random: () => 0.5, nextId: createIdSource(clock) },
      instance: `replica ${replicas.length}`,
      secretOf: () => secret,
      mailer: hasMailServer
        ? {
            async sendMail(mail) {
              sent.push(mail);
              onSent();
              return answers.shift() ?? taken;
            },
          }
        : null,
    });
    replicas.push(mails);
    await mails.start();
    const translators = { en: await loadTranslator('en'), ja: await loadTranslator('ja') };
    const nextId = createIdSource(clock);
    return {
      mails,
      outbox: createMailOutbox({ database, nextId, log, spaceId, secret, translators, mails }),
    };
  }

  const request = (outbox: MailOutbox) =>
    outbox.queue(database, {
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
  const jobs = async () => (await database.query('select queue, attempts from job')).rows;

  test('sends in the language of the reader, once over all replicas, and deletes the text', async () => {
    const [one, two] = [await open(), await open()];
    await request(one.outbox);
    await Promise.all([one.mails.idle(), two.mails.idle()]);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ subject: 'パスワードの再設定', to: [{ email: 'hana@example.com' }] });
    expect(sent[0]!.text).toContain(link);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, sealed: null }]);
    expect(await jobs()).toEqual([]);
    expect(lines).toEqual([]);
  });

  test('sends at once when it is woken, not at the next interval', async () => {
    const { outbox } = await open();
    const isSent = new Promise<void>((resolve) => {
      onSent = resolve;
    });
    await request(outbox);
    outbox.wake();
    await isSent;
    expect(sent).toHaveLength(1);
  });

  test('sends at the next interval what it was not woken for', async () => {
    const { outbox } = await open();
    const isSent = new Promise<void>((resolve) => {
      onSent = resolve;
    });
    await request(outbox);
    clock.advance(5_000);
    await isSent;
    expect(sent).toHaveLength(1);
  });

  test('each mail has its own outcome', async () => {
    answers = [taken, away, refused];
    const { mails, outbox } = await open();
    for (let mail = 0; mail < 3; mail++) await request(outbox);
    await mails.idle();
    expect((await rows()).map(({ status }) => status).sort()).toEqual(['failed', 'sent', 'waiting']);
    expect(await jobs()).toHaveLength(1);
  });

  test('retries with backoff while the server is away, and fails when refused', async () => {
    answers = [away, away, refused];
    const { mails, outbox } = await open();
    await request(outbox);
    await mails.idle();
    expect(await rows()).toMatchObject([{ status: 'waiting', attempts: 1 }]);
    for (let tick = 0; tick < 6; tick++) {
      clock.advance(5_000);
      await mails.idle();
    }
    expect(sent).toHaveLength(3);
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 3, sealed: null }]);
    expect(await jobs()).toEqual([]);
    // The log has the first failure and the last.
    expect(lines.map(({ level, attempt }) => [level, attempt])).toEqual([
      ['warn', 1],
      ['warn', 3],
    ]);
  });

  test('is not sent again when its outcome cannot be stored', async () => {
    const { mails, outbox } = await open();
    await request(outbox);
    const end = await refuseRows(() => database, 'outgoing_mail', "new.status = 'sent'", 'update');
    await mails.idle();
    await end();
    expect(await jobs()).toEqual([]);
    expect(sent).toHaveLength(1);
    expect(lines.map(({ message }) => message)).toContain('the outcome of an attempt could not be stored');
  });

  test('takes over from a replica that died while sending', async () => {
    const { mails, outbox } = await open();
    await request(outbox);
    const dead = new JobQueue({ database, clock, instance: 'dead' }, 'server-mail');
    expect(await dead.claim(1)).toHaveLength(1);
    clock.advance(60_000);
    await mails.idle();
    expect(sent).toHaveLength(0);
    clock.advance(65_000);
    await mails.idle();
    expect(sent).toHaveLength(1);
  });

  test('sends what a server without jobs has stored', async () => {
    const first = await open();
    await request(first.outbox);
    await database.query('delete from job');
    await database.query('update outgoing_mail set is_queued = false');
    await first.mails.close();
    const { mails } = await open();
    await mails.idle();
    expect(sent).toHaveLength(1);
    expect(await rows()).toMatchObject([{ status: 'sent' }]);
  });

  test('is told of for thirty days', async () => {
    const { mails, outbox } = await open();
    const day = 24 * 3_600_000;
    await request(outbox);
    const [first] = await rows();
    clock.advance(day);
    await request(outbox);
    await mails.idle();
    expect(await rows()).toHaveLength(2);
    clock.advance(29 * day + 1);
    await vi.waitFor(async () =>
      expect((await rows()).map(({ mail_id }) => mail_id)).toEqual([
        expect.not.stringMatching(first!.mail_id),
      ]),
    );
  });

  test('shows no link to an account of a mail that was kept with it, but that of an invitation', async () => {
    const { outbox } = await open(false);
    await request(outbox);
    const invited = 'https://yagura.example/activate-invitation?token=invited';
    const params = { space: 'Night watch', inviter: 'Hana', days: 7, link: invited };
    await outbox.queue(database, { kind: 'invitation', to: 'new@example.com', language: 'en', params });
    const [reset, invitation] = await rows();
    const whole = secret.seal(`kept before ${link}`, `mail ${reset!.mail_id}`);
    await database.query('update outgoing_mail set sealed = $1 where mail_id = $2', [whole, reset!.mail_id]);
    expect(await outbox.readStoredText(reset!.mail_id)).toBe(
      'kept before https://yagura.example/change-password?token=***',
    );
    expect(await outbox.readStoredText(invitation!.mail_id)).toContain(invited);
  });

  test('keeps what nothing can send, sealed, and tells the log no link', async () => {
    const { outbox } = await open(false);
    await request(outbox);
    const [row] = await rows();
    expect(row).toMatchObject({ status: 'stored' });
    expect(row!.sealed!.toString('latin1')).not.toContain('canary');
    const text = await outbox.readStoredText(row!.mail_id);
    expect(text).toContain('https://yagura.example/change-password?token=***');
    expect(text).not.toContain('canary');
    expect(lines).toMatchObject([{ level: 'info', mailId: row!.mail_id }]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });
});
