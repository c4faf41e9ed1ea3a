// Differences between snapshots, the search for nodes, and what a scan found.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { list, reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { StillRunningError } from '../command-line/report-error.ts';
import { openSession } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { diff } from './diff.ts';
import { scan } from './scan.ts';
import { scanSummary } from './scan-summary.ts';
import { search } from './search.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

const id = (number: number) => `0190a0a0-0000-7000-8000-00000000000${number}`;
const [networkId, snapshotId, baseId] = [id(1), id(2), id(3)];
const network = `/api/apps/sonar/networks/${networkId}`;
const differences = `GET ${network}/snapshots/${snapshotId}/differences`;
const change = {
  change: 'added',
  displayName: 'printer',
  kind: 'host',
  entry: '',
  before: null,
  after: null,
};

let shown: TestTerminal;
beforeEach(async () => {
  shown = await testTerminal({ env: space.env });
  space.reset({
    'GET /api/apps/sonar/networks': list([{ networkId, displayName: 'Office' }]),
    [`GET ${network}/snapshots`]: list([{ snapshotId }]),
    [differences]: list([change], 9),
  });
});
const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);

describe('a difference', () => {
  test('is that of the last scan that succeeded with the one before', async () => {
    await diff(shown.terminal, 'Office', undefined, undefined, {});
    const asked = Object.fromEntries(space.asked.map(({ call, query }) => [call, query]));
    expect(asked[`GET ${network}/snapshots`]).toEqual({
      filter: 'status eq "succeeded"',
      sort: '-createdAt',
      limit: '1',
    });
    expect(asked[differences]).toEqual({ limit: '1000' });
    expect(shown.out()).toBe('added\tprinter\thost\t\t\t\n');
  });

  test('of named snapshots asks for these, with the filter and the limit', async () => {
    await diff(shown.terminal, 'Office', snapshotId, baseId, { filter: 'kind eq "host"', limit: '5' });
    expect(space.calls).not.toContain(`GET ${network}/snapshots`);
    expect(space.asked.at(-1)!.query).toEqual({
      limit: '5',
      filter: 'kind eq "host"',
      baseSnapshotId: baseId,
    });
  });

  test('has the wanted columns', async () => {
    await diff(shown.terminal, 'Office', undefined, undefined, { columns: 'displayName,change' });
    expect(shown.out()).toBe('printer\tadded\n');
    await expect(
      diff(shown.terminal, 'Office', undefined, undefined, { columns: 'nothing' }),
    ).rejects.toMatchObject({ messageKey: expect.stringContaining('field') });
    await expect(
      diff(shown.terminal, 'Office', undefined, undefined, { limit: '1001' }),
    ).rejects.toMatchObject({
      messageKey: 'cli.usage.number',
    });
  });

  test('tells by the exit code whether there is one, when that is wanted', async () => {
    const wanted = { detailedExitcode: true };
    await expect(diff(shown.terminal, 'Office', undefined, undefined, wanted)).rejects.toMatchObject({
      code: 2,
    });
    space.replies[differences] = list([]);
    await diff(shown.terminal, 'Office', undefined, undefined, wanted);
    expect(shown.err()).toContain(t('sonar.difference.none'));
  });

  test('on a terminal counts what is not shown, and as data says nothing', async () => {
    shown = await testTerminal({ env: space.env, live: true });
    await diff(shown.terminal, 'Office', undefined, undefined, {});
    expect(shown.err()).toMatch(/1.*9/);
    await diff(shown.terminal, 'Office', undefined, undefined, { json: 'change' });
    expect(shown.err()).toBe('');
  });

  test('of a network without a scan is not found', async () => {
    space.replies[`GET ${network}/snapshots`] = list([]);
    await expect(diff(shown.terminal, 'Office', undefined, undefined, {})).rejects.toMatchObject({
      kind: 'not-found',
      title: t('cli.diff.no-scan'),
    });
  });
});

describe('a search', () => {
  const call = 'POST /api/apps/sonar/search/managed-nodes';

  test('sends the words, and prints the nodes of all networks', async () => {
    space.replies[call] = list([{ managedNodeId: id(4), displayName: 'printer', networkId }], 70);
    await search(shown.terminal, ['os', 'linux'], { columns: 'displayName' });
    expect(space.asked.find((one) => one.call === call)).toMatchObject({
      query: { limit: '30' },
      body: JSON.stringify({ query: 'os linux' }),
    });
    expect(shown.out()).toBe('printer\n');
    await search(shown.terminal, ['x'], { limit: '2', offset: '10', json: 'displayName' });
    expect(space.asked.filter((one) => one.call === call).at(-1)!.query).toEqual({
      limit: '2',
      offset: '10',
    });
    await expect(search(shown.terminal, ['x'], { limit: '0' })).rejects.toMatchObject({
      messageKey: 'cli.usage.number',
    });
  });
});

describe('a scan', () => {
  const tasks = 'POST /api/tasks';
  const snapshot = `GET ${network}/snapshots/${snapshotId}`;
  const ended = (status: string, more = {}) => ({
    ...{ networkId, snapshotId, status, numberOfNodes: 3, numberOfCreatedNodes: 1, numberOfRefusals: 0 },
    ...{ probed: 254, toProbe: 254, reason: null, ...more },
  });
  beforeEach(() => {
    space.replies[tasks] = { taskId: id(5), snapshotId, status: 'requested' };
    space.replies[snapshot] = ended('succeeded');
    space.replies[differences] = list([], 2);
  });

  test('is started and named', async () => {
    await scan(shown.terminal, 'Office', {});
    expect(space.bodies(tasks)).toEqual([{ namespace: 'sonar', method: 'scan', params: { networkId } }]);
    expect(shown.out()).toBe(`${snapshotId}\n`);
    expect(shown.err()).toContain(t('cli.scan.begun', { id: snapshotId }));
    expect(space.calls).not.toContain(snapshot);
    await scan(shown.terminal, 'Office', { json: 'status' });
    expect(JSON.parse(shown.out())).toEqual({ status: 'succeeded' });
  });

  test('that is waited for tells what was found', async () => {
    await scan(shown.terminal, 'Office', { wait: true, json: 'status' });
    expect(JSON.parse(shown.out())).toEqual({ status: 'succeeded' });
    const found = t('cli.scan.nodes', { count: 3 });
    expect(shown.err()).toContain(
      [
        t('cli.scan.summary', { found }),
        t('cli.scan.summary.new', { number: 1 }),
        t('cli.scan.summary.gone', { number: 2 }),
      ].join('  '),
    );
  });

  test('that fails is an error with its reason, after the snapshot', async () => {
    space.replies[snapshot] = ended('failed', { reason: 'no agent' });
    await expect(scan(shown.terminal, 'Office', { wait: true, json: 'status' })).rejects.toMatchObject({
      messageKey: 'cli.scan.unsuccessful',
      params: { reason: 'no agent' },
    });
    expect(JSON.parse(shown.out())).toEqual({ status: 'failed' });
    expect(space.calls).not.toContain(differences);
  });

  test('is waited for while the server is away, up to the time limit and no longer than five minutes', async () => {
    // A later retry than the transport waits for itself.
    const away = reply({ status: 503, problem: 'unavailable', headers: { 'retry-after': '60' } });
    const answers = [ended('started'), away];
    space.replies[snapshot] = () => answers.shift() ?? ended('succeeded');
    await scan(shown.terminal, 'Office', { wait: true, json: 'status' });
    expect(JSON.parse(shown.out())).toEqual({ status: 'succeeded' });
    expect(shown.err()).toContain(t('problem.unavailable'));

    space.replies[snapshot] = () => away;
    const atEachLook = (milliseconds: number): Terminal => {
      let now = 0;
      return { ...shown.terminal, now: () => (now += milliseconds) };
    };
    await expect(scan(atEachLook(1000), 'Office', { wait: true, timeout: '2' })).rejects.toBeInstanceOf(
      StillRunningError,
    );
    await expect(scan(atEachLook(5 * 60_000), 'Office', { wait: true })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  test('that is not begun is an error', async () => {
    space.replies[tasks] = { taskId: id(5), snapshotId: null, status: 'requested' };
    await expect(scan(shown.terminal, 'Office', {})).rejects.toMatchObject({ kind: 'rejected' });
  });

  test('lists what was refused by reason, the most frequent first', async () => {
    const refusals = ['TIMEOUT', 'OTHER', 'TIMEOUT'].map((reason) => ({ reason, errorCode: 'E\n9' }));
    space.replies[`GET ${network}/snapshots/${snapshotId}/refusals`] = list(refusals);
    const session = openSession(shown.terminal);
    const lines = await scanSummary(shown.terminal, session, ended('failed', { numberOfRefusals: 3 }));
    expect(lines).toEqual([
      t('cli.scan.summary', { found: t('cli.scan.nodes', { count: 3 }) }),
      t('cli.scan.summary.refused', { number: 3 }),
      `  2  ${t('value.TIMEOUT' as never)}`,
      '  1  E 9',
    ]);
  });

  test('whose start is refused tells why', async () => {
    space.replies[tasks] = reply({ status: 403, problem: 'forbidden' });
    await expect(scan(shown.terminal, 'Office', {})).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
