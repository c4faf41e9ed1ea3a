import { describe, expect, it } from 'vitest';
import { chain } from '../pigeon/chain.ts';
import { createClient } from '../resource/client.ts';
import { createScanSchedulesClient } from '../sonar/scan-schedules.ts';
import { invokeChain, registerTask, startScan } from './task-calls.ts';

type Answer = unknown | ((body: unknown) => unknown);

/** Fake server: maps "METHOD path" to a reply; a number is an error status. Records all calls. */
function server(answers: Record<string, Answer>) {
  const calls: {
    call: string;
    query: URLSearchParams;
    body: unknown;
    ifMatch: string | null;
    key: string | null;
  }[] = [];
  const fetch = async (address: string, init: RequestInit) => {
    const url = new URL(address);
    const call = `${init.method} ${url.pathname}`;
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    const headers = new Headers(init.headers);
    const [ifMatch, key] = [headers.get('if-match'), headers.get('idempotency-key')];
    calls.push({ call, query: url.searchParams, body, ifMatch, key });
    const answer = call in answers ? answers[call] : 404;
    if (typeof answer === 'number') return new Response(null, { status: answer });
    return Response.json(typeof answer === 'function' ? answer(body) : answer, { headers: { etag: '"7"' } });
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
  it.each([
    [{ status: 'rejected' }, 'Failed to invoke chain: Chain execution was rejected or failed by modules'],
    [{ status: 'failed' }, 'Failed to invoke chain: Chain execution was rejected or failed by modules'],
    [
      { status: 'rejected', errorDescriptor: { title: 'No line', detail: 'all are busy' } },
      'No line: all are busy',
    ],
  ])('refuses the chain %j', async (reply, message) => {
    const { transport } = server({ 'POST /api/apps/pigeon/chain/invoke': reply });
    await expect(invokeChain(transport, {})).rejects.toThrow(message);
  });
  it('gives the result of a chain that began', async () => {
    const reply = { status: 'requested', resultId: 'r' };
    const { transport } = server({ 'POST /api/apps/pigeon/chain/invoke': reply });
    expect(await invokeChain(transport, {})).toEqual(reply);
  });
  it('has a new key each time, so that a retry does nothing twice', async () => {
    const { calls, transport } = server({
      'POST /api/apps/pigeon/chain/invoke': { status: 'requested' },
      'POST /api/apps/pigeon/chain/abort': { status: 'requested' },
      'POST /api/tasks': { status: 'requested' },
    });
    for (const _ of [1, 2]) await invokeChain(transport, {});
    for (const _ of [1, 2]) await startScan(transport, 'n');
    for (const _ of [1, 2]) await createClient(chain, transport).call('abort', { body: { resultId: 'r' } });
    const keys = calls.map(({ key }) => key);
    expect(keys.every((key) => key?.match(/^[0-9a-f-]{36}$/))).toBe(true);
    expect(new Set(keys).size).toBe(6);
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
    const schedules = createScanSchedulesClient(transport, 'n');
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
    await schedules.patch('1', { displayName: 'y' }, '"6"');
    // Written only if it is the version that was fetched, or that the caller has seen.
    const writes = calls.filter(({ call }) => call.startsWith('PUT'));
    expect(writes.map(({ ifMatch }) => ifMatch)).toEqual(['"7"', '"7"', '"6"']);
    expect((await schedules.list()).items[0]?.displayName).toBe('');
    expect(calls.at(-1)?.query.get('filter')).toBe(
      'namespace eq "sonar" and method eq "scan" and params.networkId eq "n"',
    );
  });
});
