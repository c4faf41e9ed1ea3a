import { describe, expect, it } from 'vitest';
import { fetchSubscription, fetchTickets } from '../contract/tickets.ts';
import { runImport } from './bulk-import.ts';
import { refreshCustomerKey } from './customer-key.ts';
import { fetchGroupUsers } from './group-users.ts';
import { updateNetwork, updateNotification } from './partial-update.ts';
import { scanSchedules } from './scan-schedules.ts';
import { findTask, invokeChain, registerTask, startScan } from './task.ts';

type Answer = unknown | ((body: unknown) => unknown);

/** A tiny server: "METHOD path" to an answer; a number is a failing status. It remembers every call. */
function server(answers: Record<string, Answer>) {
  const calls: { call: string; query: URLSearchParams; body: unknown }[] = [];
  const fetch = async (address: string, init: RequestInit) => {
    const url = new URL(address);
    const call = `${init.method} ${url.pathname}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    calls.push({ call, query: url.searchParams, body });
    const answer = call in answers ? answers[call] : 404;
    if (typeof answer === 'number') return new Response(null, { status: answer });
    return Response.json(typeof answer === 'function' ? answer(body) : answer);
  };
  return { calls, transport: { fetch, origin: 'http://space.test' } };
}
const echo = (body: unknown) => body;

describe('tasks', () => {
  it.each([
    [{ status: 'rejected' }, 'Failed to register task: Task execution was rejected by modules'],
    [
      { status: 'rejected', errorDescriptor: { title: 't', detail: 'busy' } },
      'Failed to register task: busy',
    ],
  ])('rejects %j', async (reply, message) => {
    const { transport } = server({ 'POST /api/tasks': reply });
    await expect(registerTask(transport, { namespace: 'a', method: 'b' })).rejects.toThrow(message);
  });
  it('gives the snapshot or nothing', async () => {
    const one = server({ 'POST /api/tasks': { status: 'requested', snapshotId: 's' } });
    expect(await startScan(one.transport, 'n')).toBe('s');
    expect(one.calls[0]?.body).toEqual({ namespace: 'sonar', method: 'scan', params: { networkId: 'n' } });
    expect(await startScan(server({ 'POST /api/tasks': { status: 'requested' } }).transport, 'n')).toBeNull();
  });
  it.each(['rejected', 'failed'])('refuses a %s chain', async (status) => {
    const { transport } = server({ 'POST /api/apps/pigeon/chain/invoke': { status } });
    await expect(invokeChain(transport, {})).rejects.toThrow(
      'Failed to invoke chain: Chain execution was rejected or failed by modules',
    );
  });
  it('tolerates only a missing task', async () => {
    expect(await findTask(server({}).transport, 't')).toBeNull();
    await expect(findTask(server({ 'GET /api/tasks/t': 403 }).transport, 't')).rejects.toThrow();
  });
});

describe('scan schedules', () => {
  const path = '/api/tasks/schedules';
  const stored = {
    displayName: 'x',
    disabled: false,
    namespace: 'sonar',
    method: 'scan',
    params: { networkId: 'other', a: 1 },
  };
  it('force their fields', async () => {
    const { transport, calls } = server({
      [`POST ${path}`]: echo,
      [`GET ${path}/1`]: stored,
      [`PUT ${path}/1`]: echo,
      [`GET ${path}`]: { items: [{}], total: 1 },
    });
    const schedules = scanSchedules(transport, 'n');
    const created = await schedules.create({
      namespace: 'evil',
      method: 'evil',
      params: { networkId: 'evil' },
    });
    expect(created).toEqual({
      namespace: 'sonar',
      method: 'scan',
      params: { networkId: 'n' },
      displayName: '',
    });
    expect(await schedules.toggle('1')).toEqual({
      ...stored,
      disabled: true,
      params: { networkId: 'n', a: 1 },
    });
    expect((await schedules.patch('1', { params: { b: 2 } })).params).toEqual({ networkId: 'n', a: 1, b: 2 });
    expect((await schedules.list()).items[0]?.displayName).toBe('');
    expect(calls.at(-1)?.query.get('filter')).toBe(
      'namespace eq "sonar" and method eq "scan" and params.networkId eq "n"',
    );
  });
});

describe('partial updates', () => {
  const base = '/api/apps/sonar/networks/n';
  it('send the known fields only', async () => {
    const whole = { networkId: 'n', displayName: 'a', configuration: { newDays: 7 }, createdAt: 'x' };
    const one = server({ [`GET ${base}`]: whole, [`PUT ${base}`]: echo });
    expect(await updateNetwork(one.transport, 'n', { displayName: 'b' })).toEqual({
      displayName: 'b',
      configuration: { newDays: 7 },
    });
    const setting = {
      displayName: 'a',
      kind: 'email',
      disabled: false,
      events: [],
      emails: ['e'],
      createdAt: 'x',
    };
    const two = server({
      [`GET ${base}/notification-settings/1`]: setting,
      [`PUT ${base}/notification-settings/1`]: echo,
    });
    const { createdAt: _, ...sent } = setting;
    expect(await updateNotification(two.transport, 'n', '1', { disabled: true })).toEqual({
      ...sent,
      disabled: true,
    });
  });
});

describe('reloads', () => {
  it.each([200, 500])('customer key: flag off and both reloads, status %d', async (status) => {
    const seen: unknown[] = [];
    const { transport } = server({ 'POST /api/apps/greac/log-keys/refresh': status === 200 ? {} : status });
    const run = refreshCustomerKey(transport, {
      onRefreshing: (on) => seen.push(on),
      reloadList: async () => seen.push('list'),
      reloadLatest: async () => seen.push('latest'),
    });
    await (status === 200 ? run : expect(run).rejects.toThrow());
    expect(seen).toEqual([true, false, 'list', 'latest']);
  });
  it('import: submit, exec, both lists', async () => {
    const path = '/api/apps/alerthub/bulk-operations/scopes/imports';
    const { transport, calls } = server({ [`POST ${path}`]: { importId: 'i' }, [`POST ${path}/i/exec`]: {} });
    const seen: string[] = [];
    const lists = {
      reloadImports: async () => seen.push('imports'),
      reloadProcessing: async () => seen.push('processing'),
    };
    expect(await runImport(transport, 'scopes', new Blob(['a']), lists)).toBe('i');
    expect(calls[0]?.body).toBeInstanceOf(FormData);
    expect([calls.length, seen]).toEqual([2, ['imports', 'processing']]);
  });
  it('group users: 1000 from 0', async () => {
    const { transport, calls } = server({ 'GET /api/space/user-groups/g/users': { items: [] } });
    await fetchGroupUsers(transport, 'g');
    expect(calls[0]?.query.toString()).toBe('limit=1000&offset=0');
  });
});

describe('contract', () => {
  it('tickets arrive in batches and the list grows', async () => {
    const tickets = Array.from({ length: 23 }, (_, index) => ({ ticketId: `t${index}` }));
    const answers = Object.fromEntries(
      tickets.map((t) => [`GET /api/contract/price-plans/p/tickets/${t.ticketId}`, t]),
    );
    const grown: number[] = [];
    const all = await fetchTickets(
      server(answers).transport,
      { basic: { pricePlanId: 'p' }, tickets },
      (list) => grown.push(list.length),
    );
    expect(all).toEqual(tickets);
    expect(grown).toEqual([10, 20, 23]);
    expect(
      await fetchSubscription(server({ 'GET /api/contract/subscriptions': { items: [] } }).transport),
    ).toBeNull();
  });
});
