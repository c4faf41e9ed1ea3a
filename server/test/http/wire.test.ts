// The HTTP behavior clients rely on: headers, schemas, errors, the live stream, the OpenAPI document and the
// log.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { resources } from '@yagura/core/all';
import type { ProblemBody } from '@yagura/core/http/problem';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { password } from '../support/identity-server.ts';
import { post } from '../support/post.ts';
import { type Fixtures, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';
const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let fixtures: Fixtures;
  let callApi: ApiCall;
  let token: string;

  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    server = await startTestServer({ engine, clock });
    if (!server) return;
    fixtures = await seedFixtures(server);
    callApi = createApiCall(server.transportAs('privileged'));
    const made = await callApi('POST', '/api/space/api-tokens', { displayName: 'wire' });
    token = (made.data as { token: string }).token;
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const bare = (path: string, init: RequestInit = {}) => fetch(server!.origin + path, init);

  test.each([
    ['X-Authorization: Token', () => ({ 'x-authorization': `Token ${token}` })],
    ['Authorization: Bearer', () => ({ authorization: `Bearer ${token}` })],
    ['lower case schemes', () => ({ authorization: `bearer ${token}` })],
  ])('%s is understood', async (_name, headers) => {
    const reply = await bare(`${api}/scopes`, { headers: headers() });
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ total: 1, limit: 10, offset: 0, items: [{}] });
  });

  test('a client that offers HTTP/2 is answered in HTTP/1.1', async () => {
    const offer = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAARAAAAA',
    };
    const headers = { ...offer, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ displayName: 'offered' });
    const sent = request(`${server!.origin}${api}/scopes`, { method: 'POST', headers, agent: false });
    sent.end(body);
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    expect(reply.statusCode).toBe(201);
    const made = (await json(reply)) as { displayName: string; scopeId: string };
    expect(made.displayName).toBe('offered');
    // Other tests count the scopes.
    expect((await callApi('DELETE', `${api}/scopes/${made.scopeId}`)).status).toBe(200);
  });

  test.each([{}, { expect: '100-continue' }, { connection: 'Upgrade', upgrade: 'websocket' }])(
    'a request with several Host headers is refused, with %j too',
    async (more) => {
      const host = new URL(server!.origin).host;
      for (const hosts of [
        [host, 'other.example'],
        ['other.example', host],
        [host, host],
      ]) {
        const headers = [...hosts.map((one) => ['Host', one]), ...Object.entries(more)].flat();
        const setup = { headers, setHost: false, agent: false } as const;
        const sent = request(`${server!.origin}${api}/scopes`, { method: 'POST', ...setup } as never);
        sent.end();
        const [reply] = (await once(sent, 'response')) as [IncomingMessage];
        expect(reply.statusCode).toBe(400);
        expect(reply.headers['content-type']).toContain('application/problem+json');
        expect(await json(reply)).toMatchObject({ detail: expect.stringContaining('Host') });
      }
    },
  );

  test('ids are lower-case UUIDs of version 7 and times are UTC with milliseconds', async () => {
    for (const path of ['scopes', 'rules', 'receive-slots', 'actions', 'action-records', 'message/list']) {
      const { items } = (await callApi('GET', `${api}/${path}`)).data as { items: Record<string, unknown>[] };
      const given = items.flatMap((item) => Object.entries(item)).filter(([, value]) => value !== null);
      const ids = given.filter(([name]) => /Id$/.test(name) && name !== 'deliveryId');
      const times = given.filter(([name]) => /At$/.test(name));
      expect(ids, path).not.toEqual([]);
      expect(times, path).not.toEqual([]);
      for (const [name, value] of ids) expect(value, `${path} ${name}`).toMatch(idForm);
      for (const [name, value] of times) expect(value, `${path} ${name}`).toMatch(timeForm);
    }
  });

  test('keys that nobody knows are let pass and not kept', async () => {
    const reply = await callApi('POST', `${api}/scopes`, { displayName: 'lenient', later: { a: 1 } });
    expect(reply.status).toBe(201);
    expect(reply.data).not.toHaveProperty('later');
  });

  test('names in the path may be long and in any script', async () => {
    const name = `${'障害/対応 100%'.padEnd(200, '東')}${'👍'.repeat(55)}`;
    const path = `${api}/scopes/${fixtures.params.scopeId}/attributes/${encodeURIComponent(name)}`;
    expect((await callApi('PUT', path, { value: 'v' })).data).toMatchObject({ name, value: 'v' });
    expect((await callApi('GET', path)).data).toMatchObject({ name, value: 'v' });
    expect((await callApi('DELETE', path)).status).toBe(200);
  });

  test.each([
    ['bad JSON', 'POST', `${api}/scopes`, { body: '{"a":' }, 400],
    [
      'JSON nested without end',
      'POST',
      `${api}/scopes`,
      { body: `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}` },
      400,
    ],
    ['an unknown path', 'GET', '/api/nothing', {}, 404],
    ['the bare prefix', 'GET', '/api', {}, 404],
    ['a wrong method', 'PATCH', `${api}/scopes`, { body: '{}' }, 404],
    ['a body of 11 MB', 'POST', `${api}/scopes`, { body: `"${'x'.repeat(11 << 20)}"` }, 413],
    ['a form', 'POST', `${api}/scopes`, { body: 'a=1', type: 'application/x-www-form-urlencoded' }, 415],
    ['no type at all', 'POST', `${api}/scopes`, { body: 'a', type: 'nonsense' }, 415],
    ['a path that is no text', 'GET', `${api}/scopes/%ff`, {}, 400],
  ])(
    '%s is a problem',
    async (_name, method, path, { body, type }: { body?: string; type?: string }, status) => {
      const reply = await bare(path, {
        method,
        headers: { 'x-authorization': `Token ${token}`, 'content-type': type ?? 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
      expect(reply.status).toBe(status);
      expect(reply.headers.get('content-type')).toContain('application/problem+json');
      const problem = (await reply.json()) as ProblemBody;
      expect(problem).toMatchObject({ status, type: expect.stringMatching(/^urn:yagura:problem:[\w-]+$/) });
      expect(JSON.stringify(problem)).not.toMatch(/node_modules|\.ts:|at \w+ \(/);
    },
  );

  test.each([
    ['a list', `${api}/scopes`, 200],
    ['an item that does not exist', `${api}/scopes/00000000-0000-7000-8000-000000000000`, 404],
    ['a fixed answer', '/api/internal/apps/policy/role-map', 200],
    ['live changes', '/api/internal/changes', 200],
    ['an unknown path', '/api/nothing', 404],
  ])('HEAD of %s is answered as GET, without the body', async (_name, path, status) => {
    const { accessToken } = await server!.signedIn('privileged');
    const headers = { authorization: `Bearer ${accessToken}`, 'x-requested-with': 'XMLHttpRequest' };
    const head = await bare(path, { method: 'HEAD', headers });
    expect(head.status).toBe(status);
    expect(await head.text()).toBe('');
    const abort = new AbortController();
    const get = await bare(path, { headers, signal: abort.signal });
    abort.abort();
    expect(get.status).toBe(status);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    const anonymous = { method: 'HEAD', headers: { 'x-requested-with': 'XMLHttpRequest' } };
    expect((await bare(path, anonymous)).status).toBe(path === '/api/nothing' ? 404 : 401);
  });

  test('problem texts follow the caller’s language', async () => {
    const say = async (language: string) => {
      const reply = await callApi('POST', `${api}/scopes`, {}, { headers: { 'accept-language': language } });
      return (reply.data as ProblemBody).invalidParams!.find((param) => param.name === 'displayName')!.reason;
    };
    expect(await say('en')).toBe('This field is required');
    expect(await say('ja')).not.toBe(await say('en'));
    expect(await say('xx')).toBe('This field is required');
  });

  test('what is refused is said in the language of the caller, names of things too', async () => {
    const say = async (by: ApiCall, method: string, path: string, body?: unknown) => {
      const headers = { 'accept-language': 'ja' };
      const reply = await by(method, `${api}/${path}`, body, { headers });
      return [reply.status, (reply.data as ProblemBody).detail];
    };
    const { scopeId, receiveSlotId } = fixtures.params;
    const slot = (await callApi('GET', `${api}/receive-slots/${receiveSlotId}`)).data as {
      displayName: string;
    };
    const rules = (await callApi('GET', `${api}/rules`)).data as { items: { displayName: string }[] };
    expect(slot.displayName).not.toBe('');
    expect(await say(callApi, 'DELETE', `receive-slots/${receiveSlotId}`)).toEqual([
      409,
      `ルール「${rules.items[0]!.displayName}」で使われています`,
    ]);
    expect(await say(callApi, 'GET', `rules/${receiveSlotId}`)).toEqual([404, 'このIDのルールはありません']);
    expect(await say(callApi, 'GET', `scopes/${receiveSlotId}/triggers`)).toEqual([
      404,
      'このIDのスコープはありません',
    ]);
    expect(await say(callApi, 'DELETE', `scopes/${scopeId}/severities/nobody`)).toEqual([
      404,
      'nobody という名前の深刻度はありません',
    ]);
    const viewer = createApiCall(server!.transportAs(['alerthub:viewer']));
    expect(await say(viewer, 'POST', 'scopes', { displayName: 'mine' })).toEqual([
      403,
      '権限 alerthub:scopes:create が必要です（ロール alerthub:administrator に含まれています）',
    ]);
  });

  test('a time is taken with any offset and told in UTC with milliseconds; no list breaks over one', async () => {
    const path = `${api}/scopes/${fixtures.params.scopeId}/mute-schedules`;
    const times = { beginAt: '2026-11-22T14:00:00+09:00', endAt: '2026-11-22T06:00:00Z' };
    const kept = { beginAt: '2026-11-22T05:00:00.000Z', endAt: '2026-11-22T06:00:00.000Z' };
    expect(await callApi('POST', path, { displayName: 'at noon', ...times })).toMatchObject({
      status: 201,
      data: kept,
    });
    const never = { beginAt: '0000-01-01T00:00:00Z', endAt: '0000-01-02T00:00:00Z' };
    const refused = await callApi('POST', path, { displayName: 'never', ...never });
    expect(refused).toMatchObject({
      status: 400,
      data: { invalidParams: [{ name: 'beginAt' }, { name: 'endAt' }] },
    });
    expect((await callApi('GET', path)).status).toBe(200);
  });

  test('a severity is removed only as it was last seen, when asked so', async () => {
    const path = `${api}/scopes/${fixtures.params.scopeId}/severities`;
    const made = await callApi('POST', path, { name: 'seen' });
    expect(made.status).toBe(201);
    const remove = (tag: string) =>
      callApi('DELETE', `${path}/seen`, undefined, { headers: { 'if-match': tag } });
    expect((await remove('"nothing"')).status).toBe(412);
    expect((await callApi('GET', path)).data).toMatchObject({ total: 2 });
    expect((await remove('*')).status).toBe(200);
  });

  test.each([
    ['is too long', 'n'.repeat(256), 'Enter at most 255 characters'],
    ['ends with a space', 'env ', 'Enter a valid value'],
    ['is blank', ' ', 'This field is required'],
  ])('the name of an attribute that %s is refused for that', async (_, name, reason) => {
    const path = `${api}/scopes/${fixtures.params.scopeId}/attributes/${encodeURIComponent(name)}`;
    expect(await callApi('PUT', path, { value: '' })).toMatchObject({
      status: 400,
      data: { invalidParams: [{ name: 'name', reason }] },
    });
  });

  test('internal calls refuse API tokens and want the marker header', async () => {
    const person = await server!.signedIn('privileged');
    const as = { authorization: `Bearer ${person.accessToken}` };
    const marker = { 'x-requested-with': 'XMLHttpRequest' };
    for (const path of ['/api/internal/profile', '/api/internal/apps/policy/role-map']) {
      expect((await bare(path, { headers: { ...as, ...marker } })).status).toBe(200);
      expect((await bare(path, { headers: as })).status).toBe(403);
      expect((await bare(path, { headers: { 'x-authorization': `Token ${token}`, ...marker } })).status).toBe(
        403,
      );
      expect((await bare(path, { headers: marker })).status).toBe(401);
    }
    expect((await bare('/api/internal/oidc/client-info')).status).toBe(403);
    expect(await (await bare('/api/internal/oidc/client-info', { headers: marker })).json()).toMatchObject({
      clientId: 'yagura-web',
      issuer: `${server!.origin}/oidc`,
    });
  });

  test.each(['/api/%69nternal', '/%61pi/internal', '/api/intern%61l'])(
    'internal calls refuse the same below %s',
    async (prefix) => {
      const { accessToken } = await server!.signedIn('privileged');
      const marker = { 'x-requested-with': 'XMLHttpRequest' };
      for (const call of ['profile', 'mail-log', 'changes', 'space/export', 'apps/policy/role-map']) {
        const path = `${prefix}/${call}`;
        const byToken = { 'x-authorization': `Token ${token}`, ...marker };
        expect((await bare(path, { headers: byToken })).status, path).toBe(403);
        expect((await bare(path, { headers: { authorization: `Bearer ${accessToken}` } })).status).toBe(403);
      }
    },
  );

  test('everybody reads and edits their own profile', async () => {
    const person = createApiCall(await server!.signedIn([]));
    const edited = await person('PUT', '/api/internal/profile', { displayName: 'Renamed' });
    expect(edited).toMatchObject({ status: 200, data: { displayName: 'Renamed', roles: [] } });
    expect((await person('GET', '/api/internal/profile')).data).toEqual(edited.data);
    expect((await person('PUT', '/api/internal/profile', { displayName: '' })).status).toBe(400);
  });

  test('live changes reach those who may read them, until they may not', async () => {
    const viewer = await listen(['alerthub:viewer']);
    const stranger = await listen(['pigeon:administrator']);
    const made = await callApi('POST', `${api}/scopes`, { displayName: 'live' });
    const { scopeId } = made.data as { scopeId: string };
    const change = await viewer.next((one) => one.resource === 'scope' && one.id === scopeId);
    expect(change).toMatchObject({ op: 'create', at: expect.stringMatching(timeForm) });
    expect(change).not.toHaveProperty('spaceId');
    await callApi('PUT', '/api/space', { displayName: 'Renamed space' });
    await post(fixtures.primary, '{"level":"critical","live":1}');
    await viewer.next((one) => one.resource === 'event' && one.scope === fixtures.params.scopeId);
    await viewer.next((one) => one.resource === 'action-record');
    expect(viewer.changes.filter((one) => one.resource === 'space')).toEqual([]);
    expect(stranger.changes).toEqual([]);
    await server!.services.identity.updateUser(viewer.userId, { disabled: true });
    clock.advance(15_000);
    await viewer.ended;
  });

  test('the document names every resource and points at nothing that is not there', async () => {
    const document = (await (await bare('/docs/api/openapi.json')).json()) as Record<string, unknown>;
    expect(document.openapi).toMatch(/^3\.1/);
    const paths = document.paths as Record<string, Record<string, { responses?: Record<string, unknown> }>>;
    const schemas = (document.components as { schemas: Record<string, unknown> }).schemas;
    for (const resource of resources) {
      // A resource without verbs appears through its calls.
      expect(
        Object.keys(paths).some((path) => path.startsWith(resource.path)),
        resource.name,
      ).toBe(true);
      if (resource.verbs.includes('list')) expect(paths).toHaveProperty([resource.path]);
      if (resource.verbs.includes('show')) expect(paths).toHaveProperty([resource.itemPath]);
      expect(Object.keys(schemas)).toContain(
        resource.name.replace(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase()),
      );
    }
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
      if (operation.responses) expect(operation.responses).toHaveProperty('default');
    }
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(refs).not.toEqual([]);
    for (const ref of new Set(refs)) {
      const found = ref
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
      expect(found, ref).toBeDefined();
    }
  });

  test('no line of the log holds a secret', async () => {
    const person = await server!.signedIn('privileged');
    const slotToken = new URL(fixtures.primary).pathname.split('/').at(-1)!;
    const secrets = { token, slotToken, password, accessToken: person.accessToken };
    // Only failures are logged, so some are provoked: the database rejects these statements. On PostgreSQL a
    // post is answered after it is stored; with the journal it is answered first and storing is retried.
    const { database } = server!.services;
    const errors = () => server!.logLines.filter((line) => line.level === 'error');
    const before = errors().length;
    await database.query('alter table message rename to message_away');
    await database.query('alter table api_token rename to api_token_away');
    const failed = await post(fixtures.primary, `{"password":"${password}"}`, {
      authorization: `Bearer ${token}`,
      'idempotency-key': 'once',
    });
    const refused = await bare(`${api}/scopes`, {
      headers: { 'x-authorization': `Token ${token.slice(0, -1)}A` },
    });
    // One of the call, one of storing, which may begin after the answer.
    await vi.waitFor(() => expect(errors().length).toBeGreaterThanOrEqual(before + 2), 10_000);
    await database.query('alter table message_away rename to message');
    await database.query('alter table api_token_away rename to api_token');
    expect([failed.status, refused.status]).toEqual([engine === 'embedded' ? 202 : 500, 500]);
    expect(await failed.text()).not.toContain(slotToken);
    await post(`${server!.origin}/receive/webhook/${slotToken}x`, '{}');
    clock.advance(1000);
    await server!.settled();
    const log = JSON.stringify(server!.logLines);
    for (const [name, secret] of Object.entries(secrets)) expect(log.includes(secret), name).toBe(false);
  });

  interface Told {
    resource: string;
    id: string;
    scope?: string;
    op: string;
    at: string;
  }

  /** Opens the stream as a user and collects the changes. */
  async function listen(roles: Parameters<TestServer['signedIn']>[0]) {
    const person = await server!.signedIn(roles);
    const reply = await fetch(`${server!.origin}/api/internal/changes`, {
      headers: { authorization: `Bearer ${person.accessToken}`, 'x-requested-with': 'XMLHttpRequest' },
    });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    const changes: Told[] = [];
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    const opened = await reader.read();
    expect(opened.value).toContain(': ready');
    const read = async () => {
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) {
          const data = /^event: change\ndata: (.*)$/s.exec(block)?.[1];
          if (data) changes.push(JSON.parse(data) as Told);
        }
      }
    };
    return {
      userId: person.userId,
      changes,
      ended: read(),
      async next(wanted: (change: Told) => boolean): Promise<Told> {
        await expect.poll(() => changes.some(wanted), { timeout: 5000 }).toBe(true);
        return changes.find(wanted)!;
      },
    };
  }
});
