// Notifications about repeated failures, permanently failed deliveries, recoveries and full limits:
// recipients, timing and frequency.
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient } from '../support/alert-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const minute = 60_000;
const hour = 60 * minute;

describe.each([
  ['by the server', true],
  ["by the space's own sender", false],
])('told %s', (_, hasServer) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let mail: Awaited<ReturnType<typeof startSmtpSink>>;
  let target: Awaited<ReturnType<typeof startHttpSink>>;

  beforeAll(async () => {
    clock = new ManualClock();
    [mail, target] = await Promise.all([startSmtpSink(), startHttpSink()]);
    server = await startTestServer({
      clock,
      env: {
        YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
        ...(hasServer ? { YAGURA_SMTP_URL: mail.url, YAGURA_MAIL_FROM: 'no-reply@example.com' } : {}),
      },
    });
    caller = new AlertClient(server!, clock);
    await caller.make('notification-settings/emails', { name: 'duty', email: 'duty@example.com' });
    if (hasServer) return;
    // The first sender is unreachable; the second one accepts the mail.
    for (const port of [9, mail.port])
      await caller.make('email-action-sender/settings', {
        from: { name: '当番', email: 'sender@example.com' },
        provider: 'smtp',
        parameters: { host: '127.0.0.1', port, security: 'plain', authentication: 'none' },
      });
  });
  beforeEach(() => mail.clear());
  afterAll(async () => {
    await Promise.all([mail?.close(), target?.close()]);
    await server?.stop();
  });

  const look = async () => {
    await server!.settled();
    await server!.services.failureNotices.runNow();
  };
  const pass = async (milliseconds: number, step = minute) => {
    for (let left = milliseconds; left > 0; left -= step) {
      clock.advance(Math.min(step, left));
      await look();
    }
  };
  const subjects = () => mail.mails.map(({ headers }) => headers.subject ?? '');
  /** Ignores white space, because lines of a mail are folded. */
  const flat = (text: string) => text.replace(/\s+/g, '');
  const texts = () => flat(mail.mails.map(({ text }) => text).join('\n'));
  const webhook = async (line: Awaited<ReturnType<AlertClient['createAlertPath']>>) => {
    const { actionId } = await caller.make<{ actionId: string }>('actions', {
      displayName: `hook of ${line.label}`,
      kind: 'webhook',
      parameters: { url: `${target.url}/hook`, body: 'text' },
    });
    await line.trigger([], { target: { kind: 'action', id: actionId } });
    return actionId;
  };

  test('of a delivery that keeps failing after minutes, once, and when it works again', async () => {
    const line = await caller.createAlertPath();
    target.behave({ kind: 'status', status: 503 });
    await webhook(line);
    await line.send(1);
    await line.send(1);
    await pass(minute);
    expect(subjects()).toEqual([]);
    await pass(9 * minute);
    expect(subjects()).toEqual([
      `[Yagura] アクションの配信遅延 / Actions are delayed: hook of ${line.label}`,
    ]);
    expect(texts()).toMatch(/503/);
    expect(texts()).toContain('配信が失敗し続けています');
    await pass(40 * minute, 5 * minute);
    expect(subjects()).toHaveLength(1);
    target.behave({ kind: 'status', status: 200 });
    // At most one mail per hour.
    await pass(9 * minute, 3 * minute);
    expect(subjects()).toHaveLength(1);
    await pass(2 * hour, 5 * minute);
    expect(subjects()).toEqual([
      expect.stringContaining('Actions are delayed'),
      `[Yagura] アクションの配信再開 / Actions are delivered again: hook of ${line.label}`,
    ]);
    await pass(hour, 30 * minute);
    expect(subjects()).toHaveLength(2);
  }, 240_000);

  test('of failed runbooks, undecided messages and full scopes, in one mail', async () => {
    const line = await caller.createAlertPath();
    const bomb = await caller.make<{ actionId: string }>('actions', {
      displayName: `bomb of ${line.label}`,
      kind: 'webhook',
      parameters: {
        url: `${target.url}/hook`,
        body: `${'{{#message.content.data.n}}'.repeat(3)}${'x'.repeat(2000)}${'{{/message.content.data.n}}'.repeat(3)}`,
      },
    });
    const { runbookId } = await caller.make<{ runbookId: string }>('runbooks', {
      displayName: `book of ${line.label}`,
      startStepId: 'a',
      steps: [
        {
          stepId: 'a',
          kind: 'action',
          displayName: 'a',
          params: { actionId: bomb.actionId, wait: false },
          next: null,
        },
      ],
    });
    const { database, spaceId } = server!.services;
    await line.trigger([], { target: { kind: 'runbook', id: runbookId } });
    await database.query(
      `insert into severity (space_id, scope_id, name, value, created_at, updated_at)
       select $1, $2, 'name ' || n, 1, $3, $3 from generate_series(1, 1000) n`,
      [spaceId, line.scopeId, new Date(clock.now()).toISOString()],
    );
    await database.query('delete from severity where scope_id = $1 and name = $2', [line.scopeId, 'default']);
    const messageId = await line.send(1, { n: Array.from({ length: 100 }, () => 0) });
    const scope = await caller.show<{ full: boolean; status: string; severity: number }>(
      `scopes/${line.scopeId}`,
    );
    expect(scope).toMatchObject({ full: true, status: 'warning', severity: 2 });
    expect((await line.why(messageId)).rules.flatMap(({ notes }) => notes.map(({ word }) => word))).toEqual([
      'why.event.overflow',
    ]);
    expect(await caller.list(`scopes?filter=full eq true`)).toHaveLength(1);
    await pass(2 * minute);
    expect(subjects()).toHaveLength(1);
    expect(texts()).toContain('新しい深刻度を追加できません');
    expect(texts()).toContain(flat('cannot take more severities'));
    expect(texts()).toContain(flat(`book of ${line.label}: 1 failed`));
    expect(texts()).toContain('ランブックが失敗しました');
    expect(texts()).not.toContain('[object');
    // A name that returned to normal makes room for the next one.
    const recover = `update severity set value = 0 where scope_id = $1 and name in ('name 5', 'name 7')`;
    await server!.services.pipeline.withPipelineLock(
      'state',
      (tx) => tx.query(recover, [line.scopeId]),
      () => undefined,
    );
    await line.send(1);
    const names = await database.query<{ name: string }>(
      `select name from severity where scope_id = $1 and name in ('default', 'name 5', 'name 7')`,
      [line.scopeId],
    );
    expect(names.rows.map(({ name }) => name).sort()).toEqual(['default', 'name 7']);
    const reset = await caller.callApi('POST', `/api/apps/alerthub/scopes/${line.scopeId}/severities/reset`, {
      names: ['(overflow)'],
    });
    expect(reset.status, reset.text).toBe(200);
    expect(await caller.show(`scopes/${line.scopeId}`)).toMatchObject({ full: false });
  });
});
