// Scan notifications: recipients and content, by webhook and mail, with retries and records.

import { en } from '@yagura/core/i18n/en/all';
import { ja } from '@yagura/core/i18n/ja/all';
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import type { TestAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { host, type Item, makeScanSite, type ScanSite, sendAsAgent } from '../support/scan-site.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const every = [
  'scan:started',
  'scan:failedtostart',
  'scan:succeeded',
  'scan:failed',
  'node:found',
  'node:outdated',
];

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let sink: Awaited<ReturnType<typeof startHttpSink>>;
  let smtp: Awaited<ReturnType<typeof startSmtpSink>>;
  let site: ScanSite;
  let agent: TestAgent;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    [sink, smtp] = await Promise.all([startHttpSink(), startSmtpSink()]);
    server = await startTestServer({
      engine,
      clock,
      env: {
        YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
        YAGURA_SMTP_URL: smtp.url,
        YAGURA_MAIL_FROM: 'Yagura <yagura@example.com>',
      },
    });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach(async (context) => {
    if (!server) return context.skip();
    site = await makeScanSite(server, callApi);
    agent = await site.connect();
    sink.behave({ kind: 'ok' });
  });
  afterEach(async () => {
    await agent?.close();
    await server?.settled();
    sink?.clear();
    smtp?.clear();
  });
  afterAll(async () => {
    await server?.stop();
    await sink?.close();
    await smtp?.close();
  });

  const setting = async (body: Item, of = site) => {
    const reply = await callApi('POST', `${of.path}/notification-settings`, {
      displayName: `told ${++count}`,
      kind: 'webhook',
      events: every,
      webhook: { url: `${sink.url}/hook`, headers: { 'x-team': 'night' } },
      ...body,
    });
    expect(reply.status, reply.text).toBe(201);
    return String((reply.data as Item).notificationSettingId);
  };
  const histories = async (id: string) => {
    const path = `${site.path}/notification-settings/${id}/histories?limit=100&sort=createdAt`;
    return ((await callApi('GET', path)).data as { items: Item[] }).items;
  };
  const bodies = () => sink.requests.map(({ body }) => JSON.parse(body) as Item);
  const events = () => bodies().map(({ event }) => event);
  const notifiedNodes = () => bodies().map(({ nodes }) => (nodes as Item[]).map((node) => node.displayName));
  /** Scans days later, with an agent that has connected again. */
  const scanAfter = async (days: number, ...serials: string[]) => {
    await agent.close();
    clock.sleep(days * day);
    agent = await site.connect();
    await site.scan(
      agent,
      serials.map((serial) => host(serial)),
    );
    await server!.settled();
  };

  test('a webhook tells of each event that it was set for, with what happened', async () => {
    const id = await setting({});
    const snapshotId = await site.scan(agent, [host('a1'), host('a2')]);
    await server!.settled();
    expect(events().sort()).toEqual(['node:found', 'scan:started', 'scan:succeeded']);
    const about = { networkId: site.networkId, networkName: expect.any(String), snapshotId };
    const told = Object.fromEntries(bodies().map((body) => [body.event, body]));
    expect(told['scan:started']).toEqual({ event: 'scan:started', at: expect.any(String), ...about });
    expect(told['scan:succeeded']).toMatchObject({ ...about, numberOfFoundNodes: 2 });
    const nodes = await site.nodes();
    expect(told['node:found']).toMatchObject({
      ...about,
      numberOfNodes: 2,
      nodes: nodes.map(({ managedNodeId, displayName }) => ({ managedNodeId, displayName })),
    });
    expect(sink.requests[0]).toMatchObject({
      method: 'POST',
      url: '/hook',
      headers: { 'x-team': 'night', 'content-type': 'application/json' },
    });
    expect((await histories(id)).map(({ event, result, reason }) => [event, result, reason]).sort()).toEqual([
      ['node:found', 'succeeded', null],
      ['scan:started', 'succeeded', null],
      ['scan:succeeded', 'succeeded', null],
    ]);
  });

  test('nothing is told by what is disabled, set for other events, or of another network', async () => {
    const other = await makeScanSite(server!, callApi);
    await setting({ disabled: true });
    await setting({ events: ['scan:failed', 'node:outdated'] });
    await setting({}, other);
    await site.scan(agent, [host('b1')]);
    await server!.settled();
    expect(sink.requests).toEqual([]);
  });

  test('a scan that finds nothing new tells of no new nodes', async () => {
    await setting({ events: ['node:found', 'scan:succeeded'] });
    await site.scan(agent, [host('c1')]);
    await site.scan(agent, [host('c1')]);
    await server!.settled();
    expect(events().sort()).toEqual(['node:found', 'scan:succeeded', 'scan:succeeded']);
  });

  test('a failure is told with its reason, and told apart from a scan that never started', async () => {
    const id = await setting({});
    const begun = await site.begin(agent);
    await sendAsAgent(agent, { type: 'failed', snapshotId: begun.snapshotId, reason: 'no such interface' });
    const { snapshotId } = await site.begin(agent);
    await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('d1')] });
    await sendAsAgent(agent, { type: 'failed', snapshotId, reason: 'the disk is full' });
    await server!.settled();
    expect(bodies().map(({ event, reason }) => [event, reason])).toEqual(
      expect.arrayContaining([
        ['scan:failedtostart', 'no such interface'],
        ['scan:started', undefined],
        ['scan:failed', 'the disk is full'],
      ]),
    );
    expect(sink.requests).toHaveLength(3);
    expect(await histories(id)).toHaveLength(3);
  });

  test('a schedule that finds no agent is told of with the reason, a scan by hand is answered instead', async () => {
    await agent.close();
    await server!.services.ksocket.idle();
    const id = await setting({});
    const mail = await setting({ kind: 'email', emails: ['night@example.com'], webhook: null });
    expect(await site.request()).toMatchObject({ status: 'rejected' });
    await server!.settled();
    expect(sink.requests).toEqual([]);
    const made = await callApi('POST', '/api/tasks/schedules', {
      displayName: `away ${++count}`,
      namespace: 'sonar',
      method: 'scan',
      params: { networkId: site.networkId },
      oneshot: new Date(clock.now() + minute).toISOString(),
    });
    expect(made.status, made.text).toBe(201);
    await expect
      .poll(async () => {
        clock.advance(minute);
        await server!.settled();
        return sink.requests.length;
      })
      .toBe(1);
    await server!.settled();
    expect(bodies()).toMatchObject([
      {
        event: 'scan:failedtostart',
        networkId: site.networkId,
        snapshotId: null,
        reason: 'The Ksocket of the network is not connected',
      },
    ]);
    expect(await histories(id)).toMatchObject([{ event: 'scan:failedtostart', snapshotId: null }]);
    expect(await histories(mail)).toMatchObject([{ result: 'succeeded' }]);
    expect(smtp.mails[0]!.text).toContain(`/apps/sonar/networks/${site.networkId}/scan\n`);
    expect(smtp.mails[0]!.text).toContain(ja['sonar.scan.not-connected']);
    expect(smtp.mails[0]!.text).toContain(en['sonar.scan.not-connected']);
  });

  test('a node that was not seen for long is told of once, and again after it came back and left again', async () => {
    await callApi('PUT', site.path, {
      displayName: `aging ${engine}`,
      configuration: { newDays: 1, outdatedDays: 3 },
    });
    await setting({ events: ['node:outdated'] });
    const outdatedAfter = async (days: number, ...serials: string[]) => {
      sink.clear();
      await scanAfter(days, ...serials);
      return notifiedNodes().flat();
    };
    expect(await outdatedAfter(0, 'e1', 'e2')).toEqual([]);
    expect(await outdatedAfter(2, 'e1')).toEqual([]);
    expect(await outdatedAfter(1, 'e1')).toEqual(['e2.example']);
    expect(await outdatedAfter(1, 'e1')).toEqual([]);
    expect(await outdatedAfter(0, 'e1', 'e2')).toEqual([]);
    expect(await outdatedAfter(2, 'e1')).toEqual([]);
    expect(await outdatedAfter(1, 'e1')).toEqual(['e2.example']);
  });

  test('merging nodes, and undoing it, repeats no notice that one is outdated and loses none', async () => {
    await callApi('PUT', site.path, {
      displayName: `decided ${engine}`,
      configuration: { newDays: 1, outdatedDays: 3 },
    });
    await setting({ events: ['node:outdated'] });
    const pathOf = async (name: string) => {
      const node = (await site.nodes()).find(({ displayName }) => displayName === name)!;
      return [`${site.path}/managed-nodes/${node.managedNodeId}`, node.managedNodeId] as const;
    };
    const merge = async (kept: string, other: string) => {
      const [path] = await pathOf(kept);
      const reply = await callApi('POST', `${path}/merge`, { otherNodeId: (await pathOf(other))[1] });
      expect(reply.status, reply.text).toBe(200);
      return async () => {
        const { decisionId } = reply.data as Item;
        expect((await callApi('DELETE', `${path}/decisions/${decisionId}`)).status).toBe(200);
      };
    };
    await scanAfter(0, 'l1', 'l2', 'l3');
    await scanAfter(4, 'l1');
    expect(notifiedNodes()).toEqual([['l2.example', 'l3.example']]);

    // One that was told of becomes a part of one that is seen, and comes back.
    const undo = await merge('l1.example', 'l2.example');
    await scanAfter(0, 'l1');
    await undo();
    // It keeps the one that is seen, which goes and comes back.
    const undoOther = await merge('l3.example', 'l1.example');
    await undoOther();
    await scanAfter(0, 'l1');
    expect(notifiedNodes()).toHaveLength(1);

    // Outdated and told of, but seen as the one that was merged into it: it is told of when that is lost.
    await merge('l3.example', 'l1.example');
    await scanAfter(4);
    expect(notifiedNodes().slice(1)).toEqual([['l1.example']]);
    await scanAfter(0);
    expect(notifiedNodes()).toHaveLength(2);
  });

  test('a scan whose slot is deleted fails at once, and says why', async () => {
    const reason = 'The Ksocket slot of the agent was deleted';
    await setting({ events: ['scan:failed'] });
    const { snapshotId } = await site.begin(agent);
    await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts: [host('x1')] });
    const { ksocketSlotId } = await makeScanSite(server!, callApi);
    const moved = { displayName: `moved ${engine}`, ksocketSlotId };
    expect((await callApi('PUT', site.path, moved)).status).toBe(200);
    expect((await callApi('DELETE', `/api/ksocket/slots/${site.ksocketSlotId}`)).status).toBe(200);
    clock.advance(minute);
    await expect.poll(() => site.snapshot(snapshotId)).toMatchObject({ status: 'failed', reason });
    await server!.settled();
    expect(bodies()).toMatchObject([{ event: 'scan:failed', reason }]);
  });

  test('a mail tells the same in both languages, to all of its addresses', async () => {
    const id = await setting({
      kind: 'email',
      emails: ['one@example.com', 'two@example.com'],
      events: ['node:found'],
      webhook: null,
    });
    const snapshotId = await site.scan(agent, [host('f1'), host('f2')]);
    await server!.settled();
    const [mail] = await smtp.waitFor(1);
    expect(mail!.to).toEqual(['one@example.com', 'two@example.com']);
    expect(mail!.text).toContain('- f1.example\n- f2.example');
    expect(mail!.text).toMatch(/2 new nodes were found/);
    expect(mail!.text).toMatch(/[ぁ-ん]/);
    expect(mail!.text).toContain(`/apps/sonar/networks/${site.networkId}/snapshots/${snapshotId}`);
    expect(smtp.mails).toHaveLength(1);
    expect(await histories(id)).toMatchObject([{ event: 'node:found', result: 'succeeded', snapshotId }]);
  });

  test('of many nodes a hundred are named and all are counted', async () => {
    await setting({ events: ['node:found'] });
    const { snapshotId } = await site.begin(agent);
    const hosts = Array.from({ length: 101 }, (_, at) => host(`g${at}`));
    await sendAsAgent(agent, { type: 'hosts', snapshotId, chunk: 0, hosts });
    await site.finish(agent, snapshotId, 1);
    await server!.settled();
    const [body] = bodies();
    expect(body).toMatchObject({ numberOfNodes: 101 });
    expect(body!.nodes).toHaveLength(100);
  });

  test('what its target does not take is tried again, six times in all, and then written down as failed', async () => {
    const id = await setting({ events: ['scan:succeeded'] });
    sink.behave({ kind: 'status', status: 503 });
    await site.scan(agent, [host('h1')]);
    await server!.settled();
    expect(sink.requests).toHaveLength(1);
    expect(await histories(id)).toEqual([]);
    for (let attempt = 2; attempt <= 8; attempt++) {
      clock.advance(10 * minute);
      await server!.settled();
      expect(sink.requests).toHaveLength(Math.min(attempt, 6));
    }
    const ids = sink.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(await histories(id)).toMatchObject([
      { event: 'scan:succeeded', result: 'failed', reason: expect.stringContaining('503') },
    ]);
  });

  test('one that succeeds when it is tried again is written down as sent', async () => {
    const id = await setting({ events: ['scan:succeeded'] });
    sink.behave({ kind: 'status', status: 503 });
    await site.scan(agent, [host('i1')]);
    await server!.settled();
    sink.behave({ kind: 'ok' });
    clock.advance(10 * minute);
    await server!.settled();
    expect(await histories(id)).toMatchObject([{ result: 'succeeded', reason: null }]);
    clock.advance(60 * minute);
    await server!.settled();
    expect(sink.requests).toHaveLength(2);
  });

  test('what its target refuses for good is not tried again', async () => {
    const id = await setting({ events: ['scan:succeeded'] });
    sink.behave({ kind: 'status', status: 404 });
    await site.scan(agent, [host('j1')]);
    await server!.settled();
    clock.advance(60 * minute);
    await server!.settled();
    expect(sink.requests).toHaveLength(1);
    expect(await histories(id)).toMatchObject([{ result: 'failed', reason: expect.stringContaining('404') }]);
  });

  test('nothing more is sent for a setting that was removed meanwhile', async () => {
    const id = await setting({ events: ['scan:succeeded'] });
    sink.behave({ kind: 'status', status: 503 });
    await site.scan(agent, [host('k1')]);
    await server!.settled();
    expect((await callApi('DELETE', `${site.path}/notification-settings/${id}`)).status).toBe(200);
    clock.advance(60 * minute);
    await server!.settled();
    expect(sink.requests).toHaveLength(1);
    const { rows } = await server!.services.database.query(
      `select 1 from job where queue = 'sonar-notification'`,
    );
    expect(rows).toEqual([]);
  });

  test('an example is sent at once, and its end is told', async () => {
    const path = `${site.path}/notification-settings/notify-example`;
    const target = { kind: 'webhook', webhook: { url: `${sink.url}/example`, headers: {} } };
    expect((await callApi('POST', path, target)).data).toEqual({ result: 'succeeded', reason: null });
    expect(sink.requests[0]!.url).toBe('/example');
    expect(bodies()).toMatchObject([{ event: 'scan:succeeded', example: true, networkId: site.networkId }]);
    sink.behave({ kind: 'status', status: 500 });
    expect((await callApi('POST', path, target)).data).toMatchObject({
      result: 'failed',
      reason: expect.stringContaining('500'),
    });
    const nowhere = path.replace(site.networkId, '0190a0a0-0000-7000-8000-000000000000');
    expect((await callApi('POST', nowhere, target)).status).toBe(404);
  });
});
