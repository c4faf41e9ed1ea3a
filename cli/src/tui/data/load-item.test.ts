// What the views of the full-screen view ask the server for, and what they show of the replies.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { now, testContext, testRenderContext } from '../../../test/start-test-tui.tsx';
import { list, reply, StubSpace } from '../../../test/stub-space.ts';
import { testTerminal } from '../../../test/test-terminal.ts';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { openSession, type Session } from '../../signin/session.ts';
import { createView } from '../state/navigation.ts';
import type { ListView, ViewTarget } from '../state/state.ts';
import { createDataSource } from './data-source.ts';
import { appendSection } from './detail-section.ts';
import { ignoreInaccessible } from './load-home.ts';
import { loadItem } from './load-item.ts';
import { loadRows, loadStream } from './load-list.ts';

const space = new StubSpace();
let session: Session;
beforeAll(() => space.start());
afterAll(() => space.stop());
beforeEach(async () => {
  space.reset();
  session = openSession((await testTerminal({ env: space.env })).terminal);
});

const context = await testContext();
const { presenter } = await testRenderContext(context);
const { t } = context;
const signal = new AbortController().signal;
const id = (number: number) => `0190a0a0-0000-7000-8000-00000000000${number}`;
const scopes = '/api/apps/alerthub/scopes';

describe('an item', () => {
  const only = (...permissions: string[]) => testContext('en', { permissions });
  const load = async (
    target: Extract<ViewTarget, { kind: 'item' }>,
    permissions: string[] = [],
    known?: object,
  ) => loadItem(session.transport, await only(...permissions), presenter, target, known as never, signal);

  test('is found by its name, and has its fields in the order of the console', async () => {
    const scope = {
      scopeId: id(1),
      displayName: 'web',
      status: 'incident',
      remarks: 'one\ntwo',
      severity: 12,
      extra: { a: { b: 1 } },
    };
    space.replies[`GET ${scopes}`] = list([scope]);
    space.replies[`GET ${scopes}/${id(1)}`] = scope;
    const item = await load({ kind: 'item', resource: 'scope', params: {}, id: 'web' });
    expect(item).toMatchObject({ title: 'web', id: id(1), row: scope });
    const { lines } = item.detail;
    expect(lines[0]).toMatchObject({ key: 'displayName', label: t('label.displayName'), text: 'web' });
    expect(lines.find(({ key }) => key === 'status')).toMatchObject({ style: 'danger' });
    // A text of several lines stands below its label.
    const at = lines.findIndex(({ key }) => key === 'remarks');
    expect(lines.slice(at, at + 3)).toEqual([
      { key: 'remarks', depth: 0, text: '', label: t('label.remarks') },
      { key: 'remarks:0', depth: 1, text: 'one' },
      { key: 'remarks:1', depth: 1, text: 'two' },
    ]);
    expect(lines.some(({ key }) => key === 'scopeId' || key === 'extra')).toBe(false);
  });

  test('has the lists below it and those that refer to it, as far as they may be read', async () => {
    const network = { networkId: id(1), displayName: 'Office' };
    space.replies[`GET /api/apps/sonar/networks/${id(1)}`] = network;
    const snapshot = { snapshotId: id(2), networkId: id(1), status: 'succeeded' };
    space.replies[`GET /api/apps/sonar/networks/${id(1)}/snapshots`] = list([snapshot], 7);
    const item = await load({ kind: 'item', resource: 'network', params: {}, id: id(1) }, [
      'sonar:snapshots:list',
      'sonar:managed-nodes:list',
    ]);
    const section = item.detail.lines.find(({ text }) => text.endsWith('(7)'));
    expect(section).toMatchObject({
      style: 'bold',
      link: { kind: 'list', resource: 'snapshot', params: { networkId: id(1) } },
    });
    const rows = item.detail.lines.filter(({ cells }) => cells);
    expect(rows).toMatchObject([
      { link: { kind: 'item', resource: 'snapshot', params: { networkId: id(1) }, id: id(2) }, table: 0 },
    ]);
    const asked = space.asked.find(({ call }) => call.endsWith('/snapshots'))!;
    expect(asked.query).toEqual({ limit: '5' });
    expect(space.calls.some((call) => call.includes('notification-settings'))).toBe(false);
  });

  test('has the lists whose rows refer to it, filtered', async () => {
    space.replies[`GET ${scopes}/${id(1)}`] = { scopeId: id(1), displayName: 'web' };
    space.replies['GET /api/apps/alerthub/action-records'] = list([]);
    const item = await load({ kind: 'item', resource: 'scope', params: {}, id: id(1) }, [
      'alerthub:action-records:list',
    ]);
    const filter = `scopeId eq "${id(1)}"`;
    expect(space.asked.find(({ call }) => call.endsWith('/action-records'))?.query).toEqual({
      limit: '5',
      filter,
    });
    expect(item.detail.lines.map(({ link }) => link)).toContainEqual({
      ...{ kind: 'list', resource: 'action-record', params: {}, filter },
    });
  });

  test('leads to what it refers to, with the name of it', async () => {
    const record = { actionRecordId: id(1), status: 'failed', scopeId: id(2), actionId: id(3) };
    space.replies[`GET /api/apps/alerthub/action-records/${id(1)}`] = record;
    space.replies[`GET ${scopes}`] = list([{ scopeId: id(2), displayName: 'web' }]);
    space.replies[`GET ${scopes}/${id(2)}`] = { scopeId: id(2), displayName: 'web' };
    const { detail } = await load({ kind: 'item', resource: 'action-record', params: {}, id: id(1) });
    expect(detail.lines.find(({ key }) => key === 'scopeId')).toMatchObject({
      link: { kind: 'item', resource: 'scope', params: {}, id: id(2) },
    });
  });

  test.each([
    [id(2), { kind: 'item', resource: 'credential', params: { krokerId: id(2) }, id: id(3) }],
    [null, undefined],
  ])('leads to a credential only below its Kroker: %s', async (krokerId, link) => {
    const destination = { destinationId: id(1), displayName: 'web', krokerId, credentialId: id(3) };
    space.replies[`GET /api/apps/greac/destinations/${id(1)}`] = destination;
    const { detail } = await load({ kind: 'item', resource: 'destination', params: {}, id: id(1) });
    const line = detail.lines.find(({ key }) => key === 'credentialId');
    expect(line?.text).toBe(id(3));
    expect(line?.link).toEqual(link);
  });

  test('that cannot be shown by itself is taken from its list, or is what was known', async () => {
    const severity = { severityId: id(2), displayName: 'disk', severity: 3 };
    const path = `GET ${scopes}/${id(1)}/severities`;
    space.replies[path] = list([]);
    const target = { kind: 'item', resource: 'severity', params: { scopeId: id(1) }, id: id(2) } as const;
    expect((await load(target, [], severity)).row).toEqual(severity);
    space.replies[path] = list([{ ...severity, severity: 9 }]);
    expect((await load(target, [], severity)).row).toMatchObject({ severity: 9 });
    expect(space.asked.at(-1)!.query).toMatchObject({ limit: '1', filter: `name eq "${id(2)}"` });
  });

  test('of which there is one needs no id, and has no lists', async () => {
    space.replies['GET /api/apps/pigeon/line'] = { kind: 'sip' };
    const item = await load({ kind: 'item', resource: 'line', params: {} }, ['pigeon:results:list']);
    expect(item).not.toHaveProperty('id');
    expect(space.calls).toEqual(['GET /api/apps/pigeon/line']);
  });

  test('of a call chain has its calls as scripts, in place of the field', async () => {
    const call = {
      ...{ callId: id(5), loop: 1, phoneNumber: '+81300000000', status: 'succeeded', transfer: false },
      ...{ keyInput: null, behavior: null, readings: 1, reason: null, startedAt: '2026-01-01T00:00:00.000Z' },
      ...{ answeredAt: null, endedAt: null, script: [], contact: { contactId: null, displayName: 'Ren' } },
    };
    const result = { resultId: id(1), status: 'succeeded', calls: [call] };
    space.replies[`GET /api/apps/pigeon/results/${id(1)}`] = result;
    const target = { kind: 'item', resource: 'result', params: {}, id: id(1) } as const;
    const { lines } = (await load(target)).detail;
    expect(lines.slice(-3)).toMatchObject([
      { key: 'calls:gap', text: '' },
      { key: 'calls', text: t('pigeon.timeline'), style: 'bold' },
      { depth: 1, text: expect.stringContaining('1: Ren') },
    ]);
    space.replies[`GET /api/apps/pigeon/results/${id(1)}`] = { ...result, calls: [] };
    expect((await load(target)).detail.lines.at(-1)).toMatchObject({ depth: 1, text: t('pigeon.no-calls') });
  });
});

describe('a section', () => {
  const scope = resourceNamed('scope');
  const section = {
    ...{
      key: 'scopes',
      title: 'Scopes',
      meta: scope,
      params: {},
      total: 9,
      names: new Map<string, string>(),
    },
    rows: [{ scopeId: id(1), displayName: 'web', status: 'normal' }],
  };

  test('has its number and leads to the list; after others there is a gap', () => {
    const first = appendSection({ lines: [], tables: [] }, { ...section, filter: 'a eq 1' }, presenter, now);
    expect(first.lines).toMatchObject([
      {
        key: 'scopes',
        text: 'Scopes (9)',
        link: { kind: 'list', resource: 'scope', params: {}, filter: 'a eq 1' },
      },
      { key: `scopes:${id(1)}`, title: 'web', table: 0, link: { kind: 'item', id: id(1) } },
    ]);
    const second = appendSection(first, { ...section, key: 'more' }, presenter, now);
    expect(second.lines[2]).toEqual({ key: 'more:gap', depth: 0, text: '' });
    expect(second.lines[3]!.link).not.toHaveProperty('filter');
    expect(second.lines.at(-1)).toMatchObject({ table: 1 });
    expect(second.tables).toHaveLength(2);
  });

  test('has at most five columns, and no list where none can be had', () => {
    const fields = ['status', 'displayName', 'severity', 'remarks', 'createdAt', 'updatedAt'];
    const detail = appendSection({ lines: [], tables: [] }, { ...section, fields }, presenter, now);
    expect(detail.tables[0]).toHaveLength(5);
    expect(detail.lines[1]!.cells).toHaveLength(5);
    const meta = { ...scope, verbs: [] };
    expect(
      appendSection({ lines: [], tables: [] }, { ...section, meta }, presenter, now).lines[0],
    ).not.toHaveProperty('link');
  });
});

describe('a list', () => {
  const view = (more = {}): ListView => ({
    ...(createView(context, {
      kind: 'list',
      resource: 'scope',
      params: {},
      filter: 'severity gt 1',
      sort: '-severity',
    }) as ListView),
    ...more,
  });
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, row: {}, searchText: '' }));
  const asked = async (range: Parameters<typeof loadRows>[3], more = {}) => {
    space.replies[`GET ${scopes}`] = list(
      [{ scopeId: id(1), displayName: 'WEB', status: 'normal', createdAt: '2026-01-01' }],
      9,
    );
    const { rows } = await loadRows(session.transport, context, view(more), range, signal);
    return { query: space.asked.at(-1)!.query, rows };
  };

  test.each<[string, Parameters<typeof loadRows>[3], object, string, string]>([
    ['the first rows', 'all', {}, '200', '0'],
    ['as many as there are', 'all', { items: items(300) }, '300', '0'],
    ['no more than a page', 'all', { items: items(1000) }, '1000', '0'],
    ['those around the cursor', 'all', { items: items(5000), selectedId: '2000' }, '1000', '1500'],
    ['those at the beginning', 'all', { items: items(5000), selectedId: '10' }, '1000', '0'],
    ['those at the end', 'all', { items: items(5000), selectedId: '4990' }, '1000', '4000'],
    ['further rows, with one that is known', { from: 200 }, { items: items(200) }, '1000', '199'],
  ])('asks for %s', async (_what, range, more, limit, offset) => {
    const { query, rows } = await asked(range, more);
    expect({ offset: '0', ...query }).toEqual({ limit, offset, filter: 'severity gt 1', sort: '-severity' });
    expect(rows).toMatchObject({ offset: Number(offset), total: 9 });
  });

  test('can be searched by what it shows: names, labels of values and the id, but no times', async () => {
    const { rows } = await asked('all');
    const [item] = rows.items;
    expect(item!.id).toBe(id(1));
    for (const word of ['web', 'normal', t('value.normal').toLowerCase(), id(1)])
      expect(item!.searchText).toContain(word);
    expect(item!.searchText).not.toContain('2026-01-01');
  });

  test('of the stream has the newest messages, the newest last', async () => {
    space.replies['GET /api/apps/alerthub/message/list'] = list(
      [{ messageId: 'new' }, { messageId: 'old' }],
      70,
    );
    const { rows } = await loadStream(session.transport, context, signal);
    expect(space.asked[0]!.query).toEqual({ limit: '200', sort: '-receivedAt' });
    expect(rows).toMatchObject({ items: [{ id: 'old' }, { id: 'new' }], offset: 0, total: 70 });
  });
});

test('a view loads what it is of, and a token polls', async () => {
  const source = createDataSource(session, { ...context, permissions: [] }, presenter, String);
  expect(source.receivesChanges).toBe(false);
  const load = (target: ViewTarget) => source.load(createView(context, target), 'all', signal, 40);
  space.replies['GET /api/apps/alerthub/message/list'] = list([]);
  space.replies[`GET ${scopes}`] = list([]);
  space.replies['GET /api/apps/sonar/networks'] = list([]);
  space.replies['GET /api/apps/pigeon/line'] = {};
  expect(await load({ kind: 'stream' })).toMatchObject({ type: 'rows' });
  expect(await load({ kind: 'list', resource: 'scope', params: {} })).toMatchObject({ type: 'rows' });
  expect(await load({ kind: 'home' })).toMatchObject({ type: 'sheet', title: t('tui.home') });
  expect(await load({ kind: 'sonar' })).toMatchObject({ type: 'sheet', title: t('tui.sonar') });
  expect(await load({ kind: 'item', resource: 'line', params: {} })).toMatchObject({ type: 'sheet' });
});

test('what may not be read is left out; what cannot be reached is an error', async () => {
  const failed = async (status: number, problem: string) => {
    space.replies[`GET ${scopes}`] = reply({ status, problem });
    const view = createView(context, { kind: 'list', resource: 'scope', params: {} });
    return loadRows(session.transport, context, view as never, 'all', signal).catch(ignoreInaccessible);
  };
  expect(await failed(403, 'forbidden')).toBeUndefined();
  expect(await failed(404, 'not-found')).toBeUndefined();
  expect(await failed(400, 'invalid')).toBeUndefined();
  await expect(failed(401, 'sign-in-required')).rejects.toMatchObject({ kind: 'sign-in-required' });
  expect(() => ignoreInaccessible(new Error('other'))).toThrow('other');
});
