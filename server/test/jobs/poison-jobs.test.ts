// A job that cannot be done in each queue of the job table: the other jobs are done, also after a restart, and
// the bad one ends with a reason.

import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectGateway } from '@yagura/fixtures/testbed/test-gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type JobQueueName, jobQueues } from '../../src/jobs/job-queue.ts';
import { AlertClient } from '../support/alert-client.ts';
import { host, makeScanSite, type ScanSite } from '../support/scan-site.ts';
import { refuseRows } from '../support/sql/refuse-rows.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

// Restarts take seconds when the machine is busy.
vi.setConfig({ testTimeout: 120_000 });

const minute = 60_000;

/** Causes one job of a queue; returns a function that tells whether it was done. */
type Cause = (label: string) => Promise<() => Promise<boolean>>;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let smtp: Awaited<ReturnType<typeof startSmtpSink>>;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    [smtp, sink] = await Promise.all([startSmtpSink(), startHttpSink()]);
    server = await startTestServer({
      engine,
      clock,
      env: {
        YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
        YAGURA_SMTP_URL: smtp.url,
        YAGURA_MAIL_FROM: 'Yagura <yagura@example.com>',
      },
    });
    if (server) caller = new AlertClient(server, clock);
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(async () => {
    await server?.stop();
    await Promise.all([smtp?.close(), sink?.close()]);
  });

  const database = () => server!.services.database;
  const rowsOf = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await database().query<T>(text, values)).rows;
  const jobsOf = (queue: JobQueueName) => rowsOf('select payload from job where queue = $1', [queue]);
  const arrived = (text: string) => async () =>
    smtp.mails.some((mail) => `${mail.headers.subject}\n${mail.text}\n${mail.to}`.includes(text)) ||
    sink.requests.some(({ url, body }) => `${url} ${body}`.includes(text));
  const call = async (path: string, body: Record<string, unknown>) => {
    const reply = await caller.callApi('POST', path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.data as Record<string, string>;
  };
  const scanned = async (site: ScanSite, serials: string[]) => {
    const agent = await site.connect();
    await site.scan(
      agent,
      serials.map((serial) => host(serial)),
    );
    await agent.close();
  };
  const isFound = async (query: string) => {
    const found = await caller.callApi('POST', '/api/apps/sonar/search/managed-nodes', { query });
    return (found.data as { total: number }).total > 0;
  };

  const causes: Record<JobQueueName, Cause> = {
    async delivery(label) {
      const line = await caller.createAlertPath();
      const action = await caller.make<{ actionId: string }>('actions', {
        displayName: label,
        kind: 'webhook',
        parameters: { url: `${sink.url}/delivery/${label}`, body: 'text' },
      });
      await line.trigger([], { target: { kind: 'action', id: action.actionId } });
      await line.send(1);
      return arrived(`/delivery/${label}`);
    },
    async 'server-mail'(label) {
      await call('/api/space/users/invitations', { email: `${label}@example.com`, roles: [] });
      return async () =>
        (
          await rowsOf(`select 1 from outgoing_mail where recipient = $1 and status = 'sent'`, [
            `${label}@example.com`,
          ])
        ).length === 1;
    },
    async 'notice-mail'(label) {
      await caller.make('notification-settings/emails', { name: label, email: `${label}@example.com` });
      const { slotWatch } = server!.services;
      await caller.make('receive-slots', { displayName: label, heartbeatInterval: 60 });
      await slotWatch.runNow();
      // In steps, since time in which no server was looking does not count.
      for (let passed = 0; passed < 6; passed++) {
        clock.advance(minute);
        await slotWatch.runNow();
      }
      return arrived(label);
    },
    async 'pigeon-notification'(label) {
      const pigeon = '/api/apps/pigeon';
      const contact = await call(`${pigeon}/contacts`, {
        displayName: label,
        phones: [{ phoneNumber: '0300000001' }],
      });
      const { callflowId } = await call(`${pigeon}/callflows`, {
        displayName: label,
        loopLimit: 1,
        contacts: [{ contactId: contact.contactId }],
      });
      const { guidanceId } = await call(`${pigeon}/guidances`, {
        displayName: label,
        messageTemplate: 'text',
        reactions: { 1: { behavior: 'terminate', messageTemplate: 'Thank you' } },
      });
      const setting = await call(`${pigeon}/notification-settings`, {
        displayName: label,
        kind: 'webhook',
        events: ['chain:started'],
        webhook: { url: `${sink.url}/pigeon/${label}` },
      });
      await call(`${pigeon}/chain/invoke`, { params: { callflowId, guidanceId } });
      await caller.advance(0);
      await caller.callApi('DELETE', `${pigeon}/notification-settings/${setting.notificationSettingId}`);
      return arrived(`/pigeon/${label}`);
    },
    async 'sonar-aggregation'(label) {
      const site = await makeScanSite(server!, caller.callApi);
      await scanned(site, [label]);
      return async () => (await site.nodes()).length === 1;
    },
    async 'sonar-index'(label) {
      const site = await makeScanSite(server!, caller.callApi);
      await scanned(site, [label]);
      return () => isFound(`${site.networkId} AND ${label}*`);
    },
    async 'kroker-notification'(label) {
      const machine = await setUpKroker(server!.transportAs('privileged'), { displayName: label });
      await call('/api/apps/kroker/kroker-notification-settings', {
        displayName: label,
        krokerIds: [machine.krokerId],
        kind: 'webhook',
        parameters: { url: `${sink.url}/kroker/${label}` },
      });
      const gateway = await connectGateway({ origin: server!.origin, machine });
      await server!.services.gateways.idle();
      await gateway.close();
      return arrived(`/kroker/${label}`);
    },
    async 'sonar-notification'(label) {
      const site = await makeScanSite(server!, caller.callApi);
      await call(`${site.path}/notification-settings`, {
        displayName: label,
        kind: 'webhook',
        events: ['scan:succeeded'],
        webhook: { url: `${sink.url}/sonar/${label}`, headers: {} },
      });
      await scanned(site, [label]);
      return arrived(`/sonar/${label}`);
    },
  };

  const untilDone = (queue: JobQueueName, isDone: () => Promise<boolean>) =>
    caller.advanceUntil(async () => ({ queue, done: await isDone() }), { queue, done: true });
  /** Causes one job of a queue and waits until it was done. */
  const doOne = async (queue: JobQueueName, label: string) => untilDone(queue, await causes[queue](label));
  const allJobs = () => rowsOf('select queue, payload from job');

  test('jobs that make no sense end in each queue, and the others are done, also after a restart', async () => {
    const garbage = [
      null,
      'text',
      [],
      {},
      { mailId: 'none', id: 'none', snapshotId: 'none', actionRecordId: 'none', createdAt: 'never' },
    ];
    for (const queue of jobQueues) {
      const isFirstDone = await causes[queue](`first${++count}`);
      await database().query(
        `insert into job (queue, run_at, payload) select $1, $2, payload from jsonb_array_elements($3::jsonb) payload`,
        [queue, new Date(clock.now()).toISOString(), JSON.stringify(garbage)],
      );
      const isSecondDone = await causes[queue](`second${count}`);
      await untilDone(queue, isFirstDone);
      await untilDone(queue, isSecondDone);
    }
    await server!.restart();
    for (const queue of jobQueues) await doOne(queue, `third${++count}`);
    // Longer than all retries of a job that throws.
    await caller.advanceUntil(allJobs, [], 10 * minute);
  });

  test('a job that cannot be claimed does not hold up the others of its queue, and ends', async () => {
    const label = `unclaimed${++count}`;
    const end = await refuseRows(
      database,
      'job',
      `new.locked_by is not null and old.payload = '{"poison": "${label}"}'`,
      'update',
    );
    for (const queue of jobQueues) {
      // Older than all others.
      await database().query(
        `insert into job (queue, run_at, payload)
         select $1, $2, jsonb_build_object('poison', $3::text) from generate_series(1, 3)`,
        [queue, new Date(clock.now() - minute).toISOString(), label],
      );
      await doOne(queue, `good${++count}`);
      // Others of the queue may still be waiting for their time.
      const unclaimed = (await jobsOf(queue)).filter(
        ({ payload }) => (payload as { poison?: string } | null)?.poison === label,
      );
      expect([queue, unclaimed.length]).toEqual([queue, 3]);
    }
    await server!.restart();
    for (const queue of jobQueues) await doOne(queue, `later${++count}`);
    // Longer than all further attempts.
    await caller.advanceUntil(allJobs, [], 10 * minute);
    const abandoned = server!.logLines.filter(({ message }) => message === 'a job was abandoned');
    for (const queue of jobQueues)
      expect(abandoned).toContainEqual(expect.objectContaining({ queue, level: 'error', error: 'poison' }));
    await end();
  });

  test('a job that can be neither claimed nor removed does not hold up the others', async () => {
    const label = `kept${++count}`;
    const when = `old.payload = '{"poison": "${label}"}'`;
    const end = await refuseRows(database, 'job', when, 'update or delete');
    await database().query(
      `insert into job (queue, run_at, payload) values ('server-mail', $1, jsonb_build_object('poison', $2::text))`,
      [new Date(clock.now() - minute).toISOString(), label],
    );
    for (let day = 0; day < 3; day++) {
      await caller.advanceUntil(await causes['server-mail'](`${label}-${day}`), true);
      // Timers due meanwhile run once.
      clock.sleep(24 * 60 * minute);
    }
    expect(await jobsOf('server-mail')).toEqual([{ payload: { poison: label } }]);
    await end();
    clock.sleep(24 * 60 * minute);
    await caller.advanceUntil(() => jobsOf('server-mail'), [], minute);
  });

  test('a delivery that cannot be claimed has failed with the reason, and is reported', async () => {
    const line = await caller.createAlertPath();
    await line.trigger();
    await line.send(1);
    const [record] = await line.records();
    await database().query(
      `with retry as (
         delete from job where payload->>'actionRecordId' = $1::text
       ), broken as (
         update action_record set status = 'waiting', attempts = '[]', noticed_at = null where action_record_id = $1::uuid
         returning action_record_id
       )
       insert into job (queue, run_at, payload)
       select 'delivery', $2, jsonb_build_object('actionRecordId', action_record_id, 'since', 'never') from broken`,
      [record!.actionRecordId, new Date(clock.now()).toISOString()],
    );
    const state = async () =>
      (await line.records()).map(({ status, attempts }) => [
        status,
        (attempts as { reason: { word: string } }[]).map(({ reason }) => reason.word),
      ]);
    await caller.advanceUntil(state, [['failed', ['delivery.threw']]], 10 * minute);
    await caller.advanceUntil(
      () =>
        rowsOf('select noticed_at is not null as told from action_record where action_record_id = $1', [
          record!.actionRecordId,
        ]),
      [{ told: true }],
      minute,
    );
  });

  test('a mail that cannot be claimed has failed in the mail log', async () => {
    const name = `unclaimed-mail${++count}`;
    const end = await refuseRows(
      database,
      'job',
      `new.locked_by is not null and exists (select 1 from outgoing_mail m
         where m.mail_id::text = old.payload->>'mailId' and m.recipient = '${name}@example.com')`,
      'update',
    );
    const isSent = await causes['server-mail'](name);
    await caller.advanceUntil(
      () =>
        rowsOf(`select status, reason->>'word' as word from outgoing_mail where recipient = $1`, [
          `${name}@example.com`,
        ]),
      [{ status: 'failed', word: 'delivery.threw' }],
      10 * minute,
    );
    expect(await isSent()).toBe(false);
    await end();
  });

  test('a mail whose outcome is rejected is sent once, and the others are sent', async () => {
    const name = `refused${++count}`;
    const end = await refuseRows(
      database,
      'outgoing_mail',
      `new.recipient = '${name}@example.com'`,
      'update',
    );
    const before = await causes['server-mail'](`before${count}`);
    await causes['server-mail'](name);
    const after = await causes['server-mail'](`after${count}`);
    await caller.advanceUntil(async () => [await before(), await after()], [true, true]);
    await caller.advanceUntil(() => jobsOf('server-mail'), []);
    await server!.restart();
    await caller.advanceUntil(await causes['server-mail'](`later${count}`), true);
    expect(smtp.mails.filter((mail) => String(mail.to).includes(name))).toHaveLength(1);
    expect(server!.logLines.filter(({ queue }) => queue === 'server-mail')).toContainEqual(
      expect.objectContaining({ level: 'error', error: 'poison' }),
    );
    await end();
  });

  test('a mail that cannot be decrypted has failed in the mail log', async () => {
    const name = `sealed${++count}`;
    await database().query(
      `with mail as (
         insert into outgoing_mail (mail_id, space_id, kind, recipient, subject, sealed, status, is_queued, created_at, updated_at)
         values (gen_random_uuid(), $1, 'invitation', $2, 'text', '\\x00', 'waiting', true, $3, $3) returning mail_id
       ) insert into job (queue, run_at, payload) select 'server-mail', $3, jsonb_build_object('mailId', mail_id) from mail`,
      [server!.services.spaceId, `${name}@example.com`, new Date(clock.now()).toISOString()],
    );
    await caller.advanceUntil(
      () => rowsOf('select status, reason from outgoing_mail where recipient = $1', [`${name}@example.com`]),
      [{ status: 'failed', reason: { word: 'mail.unreadable', params: {} } }],
    );
  });

  test('a notice of a scan whose outcome is rejected is sent once and ends', async () => {
    const site = await makeScanSite(server!, caller.callApi);
    const settings: string[] = [];
    for (const name of ['good', 'refused'])
      settings.push(
        (
          await call(`${site.path}/notification-settings`, {
            displayName: name,
            kind: 'webhook',
            events: ['scan:succeeded'],
            webhook: { url: `${sink.url}/${name}`, headers: {} },
          })
        ).notificationSettingId!,
      );
    const end = await refuseRows(
      database,
      'sonar_notification',
      `new.notification_setting_id = '${settings[1]}'`,
      'update',
    );
    sink.clear();
    await scanned(site, ['r1']);
    await caller.advanceUntil(() => jobsOf('sonar-notification'), []);
    expect(sink.requests.map(({ url }) => url).sort()).toEqual(['/good', '/refused']);
    expect(
      await rowsOf(
        `select result from sonar_notification where notification_setting_id = any($1::uuid[])
         order by array_position($1::uuid[], notification_setting_id)`,
        [settings],
      ),
    ).toEqual([{ result: 'succeeded' }, { result: null }]);
    await end();
  });

  test('a node that cannot be indexed is not found, and the others are', async () => {
    const site = await makeScanSite(server!, caller.callApi);
    const [good, bad, also] = ['good', 'bad', 'also'].map((name) => `${name}${++count}`);
    const end = await refuseRows(database, 'managed_node_value', `new.folded like '%${bad}%'`);
    await scanned(site, [good!, bad!, also!]);
    const isNamed = (name: string) => isFound(`${site.networkId} AND ${name}*`);
    await caller.advanceUntil(
      async () => [await isNamed(good!), await isNamed(bad!), await isNamed(also!)],
      [true, false, true],
    );
    await server!.restart();
    await end();
    await caller.advanceUntil(
      async () => [await isNamed(good!), await isNamed(bad!)],
      [true, true],
      2 * minute,
    );
    await caller.advanceUntil(() => jobsOf('sonar-index'), []);
  });
});
