// Lists, items, calls and who is signed in: what is asked and what is written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskedRequest, list as page, reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, type TestTerminalOptions, testTerminal } from '../../test/test-terminal.ts';
import { showCurrentUser } from '../account/whoami.ts';
import type { DataOptions } from '../command-line/data-options.ts';
import { proxyOf } from '../http/proxy.ts';
import { checkKroker } from '../kroker/check.ts';
import { createCredential } from '../kroker/create-credential.ts';
import { krokerPath, refuseExisting } from '../kroker/kroker-file.ts';
import { runCall } from './call.ts';
import { defaultColumns, list, parseInteger } from './list.ts';
import { resourceNamed } from './meta/resource-client.ts';
import { remove } from './remove.ts';
import { detailColumns, show } from './show.ts';
import { edit } from './write.ts';

const space = new StubSpace();
const folder = mkdtempSync(join(tmpdir(), 'yagura-resource-'));
beforeAll(() => space.start());
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await space.stop();
});

const scopes = '/api/apps/alerthub/scopes';
const id = (number: number) => `01a1fea7-056f-700d-b199-539c2daf000${number}`;
const web = { scopeId: id(1), displayName: 'web', status: 'normal', severity: 0 };
const named = ({ query }: AskedRequest) =>
  page(
    [web, { ...web, scopeId: id(2), displayName: 'db' }].filter(
      ({ displayName }) => !query.filter?.includes('eq') || query.filter.includes(`"${displayName}"`),
    ),
  );
let shown: TestTerminal;
const start = async (options: TestTerminalOptions = {}) => {
  shown = await testTerminal({ env: space.env, ...options });
};
beforeEach(async () => {
  space.reset({ [`GET ${scopes}`]: named, [`GET ${scopes}/${id(1)}`]: web });
  await start();
});
const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);
const scope = resourceNamed('scope');

describe('settings without a name', () => {
  test('are saved without one of them as their name or ID', async () => {
    const path = '/api/apps/sonar/snapshot-retention';
    const saved = { snapshotDays: 30, lastRunAt: null, removedSnapshots: 0, updatedAt: null };
    space.replies[`GET ${path}`] = saved;
    space.replies[`PUT ${path}`] = saved;
    const options = { snapshotDays: '30' } as DataOptions;
    await edit(shown.terminal, resourceNamed('snapshot-retention'), undefined, options);
    expect(space.asked.at(-1)).toMatchObject({ body: JSON.stringify({ snapshotDays: 30 }) });
    expect([shown.out(), shown.err()]).toEqual(['', 'Saved snapshot retention\n']);
  });
});

describe('a list', () => {
  test('asks for one page, with what the flags say', async () => {
    await list(shown.terminal, scope, {});
    expect(space.asked[0]!.query).toEqual({ limit: '30' });
    const now = Date.parse('2026-01-31T09:00:00Z');
    await list({ ...shown.terminal, now: () => now }, resourceNamed('message'), {
      ...{
        limit: '5',
        offset: '10',
        sort: '-receivedAt',
        filter: 'a eq 1',
        search: 'disk',
        since: '1h',
        until: '5m',
      },
    }).catch(() => undefined);
    expect(space.asked.at(-1)!.query).toEqual({
      ...{ limit: '5', offset: '10', sort: '-receivedAt', filter: 'a eq 1', search: 'disk' },
      ...{ sinceAt: '2026-01-31T08:00:00.000Z', untilAt: '2026-01-31T08:55:00.000Z' },
    });
  });

  test('has the wanted columns, and by default the id first for programs', async () => {
    await list(shown.terminal, scope, { columns: 'displayName,severity' });
    expect(shown.out()).toBe('web\t0\ndb\t0\n');
    await expect(list(shown.terminal, scope, { columns: 'x' })).rejects.toThrow();
    expect(defaultColumns(scope, true)).toEqual(scope.columns);
    expect(defaultColumns(scope, false)[0]).toBe('scopeId');
    const unnamed = { ...scope, title: 'scopeId', columns: ['status', 'scopeId'] };
    expect(defaultColumns(unnamed, true)).toEqual(['scopeId', 'status']);
  });

  test('may be whole, in as many pages as it takes', async () => {
    const all = [1, 2, 3].map((number) => ({ ...web, scopeId: id(number) }));
    space.replies[`GET ${scopes}`] = ({ query }: AskedRequest) => {
      const offset = Number(query.offset ?? 0);
      return page(all.slice(offset, offset + 2), 3);
    };
    await list(shown.terminal, scope, { all: true, json: 'displayName', output: 'ndjson' });
    expect(shown.out().trim().split('\n')).toHaveLength(3);
    expect(space.calls.length).toBeGreaterThan(1);
    await expect(list(shown.terminal, scope, { all: true, limit: '2' })).rejects.toMatchObject({
      messageKey: 'cli.usage.together',
      params: { flags: '--all, --limit' },
    });
  });

  test.each([{}, { all: true }])('says what a search may lack, also to programs: %j', async (options) => {
    space.replies[`GET ${scopes}`] = { ...page([web], 1), incompleteSince: '2026-01-31T08:00:00.000Z' };
    await list(shown.terminal, scope, { search: 'disk', ...options });
    expect(shown.out()).toContain('web');
    expect(shown.err()).toMatch(/^Messages received since .*2026.* may be missing\.\n$/);
  });

  test('says on a terminal that more is there', async () => {
    await start({ live: true });
    space.replies[`GET ${scopes}`] = page([web], 9);
    await list(shown.terminal, scope, {});
    expect(shown.err()).toBe(`${t('cli.list.part', { shown: 1, total: 9, noun: 'scopes' })}\n`);
    await list(shown.terminal, scope, { output: 'json' });
    expect(shown.err()).toBe('');
  });

  test.each([
    ['1', 1],
    ['10', 10],
    [undefined, undefined],
  ])('reads the number %s', (text, expected) => expect(parseInteger(text, '--limit', 1, 10)).toBe(expected));

  test.each(['0', '11', '', '1.5', '-1', 'x', '1'.repeat(16)])('refuses the number %j', (text) => {
    expect(() => parseInteger(text, '--limit', 1, 10)).toThrow(
      expect.objectContaining({ params: { flag: '--limit', min: 1, max: 10 } }),
    );
  });
});

describe('an item', () => {
  test('is shown by its name or id, its name and id first', async () => {
    await show(shown.terminal, scope, 'web', { json: 'displayName' });
    expect(JSON.parse(shown.out())).toEqual({ displayName: 'web' });
    expect(space.calls).toEqual([`GET ${scopes}`, `GET ${scopes}/${id(1)}`]);
    await show(shown.terminal, scope, id(1), {});
    expect(space.calls).toHaveLength(3);
    const columns = detailColumns(scope);
    expect(columns.slice(0, 2)).toEqual(['displayName', 'scopeId']);
    expect(new Set(columns)).toEqual(new Set(Object.keys(scope.fields)));
    expect(columns).toHaveLength(new Set(columns).size);
    await expect(show(shown.terminal, scope, 'gone', {})).rejects.toMatchObject({ kind: 'not-found' });
  });

  test('of which there is one needs no name', async () => {
    space.replies['GET /api/apps/pigeon/line'] = { kind: 'sip' };
    await show(shown.terminal, resourceNamed('line'), undefined, { output: 'json' });
    expect(JSON.parse(shown.out())).toEqual({ kind: 'sip' });
  });

  test('of several is deleted only when every name is known', async () => {
    for (const one of [1, 2]) space.replies[`DELETE ${scopes}/${id(one)}`] = reply({ status: 204 });
    await expect(remove(shown.terminal, scope, ['web', 'gone'], { yes: true })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(space.calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
    await remove(shown.terminal, scope, ['web', 'db'], { yes: true });
    expect(space.calls.slice(-2)).toEqual([`DELETE ${scopes}/${id(1)}`, `DELETE ${scopes}/${id(2)}`]);
    expect(shown.err()).toBe(
      ['web', 'db'].map((name) => `${t('cli.done.delete', { noun: 'scope', name })}\n`).join(''),
    );
  });

  test('of several where one is refused tells how far the deletion came', async () => {
    space.replies[`DELETE ${scopes}/${id(1)}`] = reply({ status: 204 });
    space.replies[`DELETE ${scopes}/${id(2)}`] = reply({ status: 409 });
    await expect(remove(shown.terminal, scope, ['web', 'db'], { yes: true })).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(shown.err()).toBe('Deleted scope web\nStopped at db. Deleted: 1, remaining: 1.\n');
  });
});

describe('a call', () => {
  const reset = `${scopes}/${id(1)}/severities`;
  const severity = resourceNamed('severity');

  test('that destroys something asks first, for its parent too', async () => {
    await expect(
      runCall(shown.terminal, severity, 'reset', undefined, { scope: 'web' } as never),
    ).rejects.toMatchObject({
      messageKey: 'cli.usage.confirm',
    });
    expect(space.calls).toEqual([]);
    const { method, path } = severity.calls.reset!;
    space.replies[`${method} ${reset}${path}`] = reply({ status: 204 });
    await runCall(shown.terminal, severity, 'reset', undefined, { scope: 'web', yes: true } as never);
    expect(space.calls.at(-1)).toBe(`${method} ${reset}${path}`);
    expect(shown.err()).toBe(`${t('cli.done.call', { call: t('call.severity.reset' as never) })}\n`);
  });

  test('writes its reply, as rows where it has pages', async () => {
    const message = resourceNamed('message');
    const path = '/api/apps/alerthub/message/detail/m/events';
    space.replies[`GET ${path}`] = page([{ eventId: id(3) }]);
    await runCall(shown.terminal, message, 'events', 'm', { limit: '5', offset: '2', json: 'eventId' });
    expect(space.asked.at(-1)!.query).toEqual({ limit: '5', offset: '2' });
    expect(JSON.parse(shown.out())).toEqual([{ eventId: id(3) }]);
    await expect(runCall(shown.terminal, message, 'events', 'm', { limit: '1001' })).rejects.toMatchObject({
      messageKey: 'cli.usage.number',
    });
  });
});

describe('a call that lists', () => {
  test('has the wanted columns', async () => {
    const message = resourceNamed('message');
    const record = { ruleId: id(3), displayName: 'Level', outcome: 'matched' };
    space.replies['GET /api/apps/alerthub/message/detail/m/rule-records'] = page([record]);
    await runCall(shown.terminal, message, 'rule-records', 'm', { columns: 'outcome,displayName' });
    expect(shown.out()).toBe('matched\tLevel\n');
    const wrong = runCall(shown.terminal, message, 'rule-records', 'm', { columns: 'x' });
    await expect(wrong).rejects.toThrow();
  });
});

describe('who is signed in', () => {
  test('by a token is what the token grants, where the space tells', async () => {
    await showCurrentUser(shown.terminal, { json: 'url,credential,profile,displayName' });
    expect(JSON.parse(shown.out())).toEqual({
      ...{ url: space.origin, credential: 'token', profile: null, displayName: null },
    });
    const [call] = space.calls;
    space.replies[call!] = { apiTokenId: id(4), displayName: 'CI', expiresAt: null };
    await showCurrentUser(shown.terminal, {});
    const text = shown.out();
    expect(text).toContain('displayName\tCI\n');
    expect(text).not.toContain(id(4));
    space.replies[call!] = reply({ status: 401, problem: 'sign-in-required' });
    await expect(showCurrentUser(shown.terminal, {})).rejects.toMatchObject({ kind: 'sign-in-required' });
  });
});

describe('a machine with credentials', () => {
  test('has its file where it was set up, and keeps it', () => {
    const { terminal } = shown;
    expect(krokerPath(terminal, '/given')).toBe('/given');
    const settings = { ...terminal, env: { YAGURA_CONFIG_DIR: folder } };
    expect(krokerPath(settings, undefined)).toBe(join(folder, 'kroker.json'));
    const path = join(folder, 'kept.json');
    expect(() => refuseExisting(path, false)).not.toThrow();
    writeFileSync(path, '{}');
    expect(() => refuseExisting(path, false)).toThrow();
    expect(() => refuseExisting(path, true)).not.toThrow();
  });

  test('is checked with its token', async () => {
    const file = join(folder, 'machine.json');
    writeFileSync(file, JSON.stringify({ url: space.origin, token: 'machine' }));
    await expect(checkKroker(shown.terminal, { file })).rejects.toMatchObject({ kind: 'not-found' });
    space.replies[space.calls.at(-1)!] = { displayName: 'Rack\n1', spaceName: 'Harbour' };
    await checkKroker(shown.terminal, { file });
    expect(space.asked.at(-1)!.headers.authorization).toBe('Bearer machine');
    expect(shown.err()).toBe(`${t('cli.kroker.known', { name: 'Rack 1', space: 'Harbour' })}\n`);
    writeFileSync(file, '{');
    await expect(checkKroker(shown.terminal, { file })).rejects.toMatchObject({
      messageKey: 'cli.usage.object',
    });
  });

  test('gets credentials that only it can read', async () => {
    const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
      'deriveKey',
    ]);
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', publicKey);
    const krokers = '/api/apps/kroker/krokers';
    space.replies[`GET ${krokers}`] = page([{ krokerId: id(5), displayName: 'rack' }]);
    space.replies[`GET ${krokers}/${id(5)}`] = { krokerId: id(5), publicKey: { kty, crv, x, y } };
    const create = `POST ${krokers}/${id(5)}/credentials`;
    space.replies[create] = reply({ status: 201, body: { credentialId: id(6) } });
    await start({ input: 'secret\r\n' });
    await createCredential(shown.terminal, { kroker: 'rack', displayName: 'root', username: 'root' });
    const [body] = space.bodies(create) as [{ encryptedData: string }];
    expect(body).toMatchObject({ displayName: 'root', credentialType: 'password' });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(shown.out()).toBe(`${id(6)}\n`);
    await start({ input: '-----BEGIN OPENSSH PRIVATE KEY-----' });
    writeFileSync(join(folder, 'phrase'), 'open\n');
    const ofKey = {
      ...{ kroker: 'rack', displayName: 'key', keyFile: '-', passphraseFile: join(folder, 'phrase') },
    };
    await createCredential(shown.terminal, ofKey);
    expect(space.bodies(create).at(-1)).toMatchObject({ credentialType: 'private-key' });
    const made = space.bodies(create).length;
    await start({ input: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ops@rack' });
    await expect(createCredential(shown.terminal, ofKey)).rejects.toMatchObject({
      messageKey: 'stream.public-key',
    });
    expect(space.bodies(create)).toHaveLength(made);
    await start({ input: '\n' });
    await expect(
      createCredential(shown.terminal, { kroker: 'rack', displayName: 'x' }),
    ).rejects.toMatchObject({
      messageKey: 'cli.usage.no-password',
    });
    space.replies[`GET ${krokers}/${id(5)}`] = { krokerId: id(5), publicKey: null };
    await start({ input: 'secret' });
    await expect(
      createCredential(shown.terminal, { kroker: 'rack', displayName: 'x' }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    });
    expect(space.bodies(create)).toHaveLength(2);
  });
});

test.each<[string, NodeJS.ProcessEnv, boolean]>([
  ['http://a.example/', {}, false],
  ['http://a.example/', { http_proxy: 'p' }, true],
  ['https://a.example/', { http_proxy: 'p' }, false],
  ['https://a.example/', { HTTPS_PROXY: 'p' }, true],
  ['http://a.example/', { HTTP_PROXY: 'p', NO_PROXY: '*' }, false],
  ['http://a.example/', { http_proxy: 'p', no_proxy: 'b.example, a.example' }, false],
  ['http://x.a.example/', { http_proxy: 'p', no_proxy: '.A.example' }, false],
  ['http://xa.example/', { http_proxy: 'p', no_proxy: 'a.example' }, true],
  ['http://a.example:81/', { http_proxy: 'p', no_proxy: 'a.example:80' }, true],
  ['http://a.example/', { http_proxy: 'p', no_proxy: 'a.example:80' }, false],
  ['https://a.example/', { https_proxy: 'p', no_proxy: 'a.example:443' }, false],
])('%s with %j goes through the proxy: %s', (url, env, expected) => {
  expect(proxyOf(new URL(url), env) !== undefined).toBe(expected);
});
