// Several spaces on one server, each with its host name: credentials and data of one are invalid and
// invisible in another.
import dns from 'node:dns';
import { resources } from '@yagura/core/all';
import { send, type Transport } from '@yagura/core/http/transport';
import { editMethods, fillPath } from '@yagura/core/resource/define-resource';
import { connectAgent } from '@yagura/fixtures/testbed/test-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { spaceCommand } from '../../src/commands/space-command.ts';
import type { Services } from '../../src/hosting/services.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import {
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  signIn,
} from '../support/identity-server.ts';
import { post } from '../support/post.ts';
import { type Fixtures, inputs, seedFixtures } from '../support/seed-fixtures.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

// All names under .localhost resolve to this machine, as in browsers (RFC 6761, 6.3).
const lookup = dns.lookup;
beforeAll(() => {
  dns.lookup = ((name: string, ...rest: [never]) =>
    lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, ...rest)) as typeof dns.lookup;
});
afterAll(() => {
  dns.lookup = lookup;
});

type Env = Record<string, string>;

/** Runs the command; returns its output. */
async function run(args: string[], env: Env): Promise<string> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  await spaceCommand({ args, env, log: () => {}, print });
  return lines.join('\n');
}

/** A privileged user of a space, calling with an access token or with an API token. */
async function chiefOf(origin: string, { identity, spaceId }: Services) {
  const email = 'chief@example.com';
  const { userId } = await identity.createUser({ email, displayName: 'Chief', privileged: true, password });
  const signedIn = await signIn({ publicUrl: origin } as IdentityServer, email);
  const { token } = await identity.createApiToken({
    principal: {
      spaceId,
      userId,
      email,
      kind: 'person',
      displayName: email,
      claims: { privileged: true, roles: [] },
      narrowed: false,
    },
    displayName: 'chief',
    roles: null,
    expiresAt: null,
  });
  const bearer = { authorization: signedIn.bearer.authorization };
  const at = (where: string, headers: Env): Transport => ({ fetch, origin: where, headers: () => headers });
  return { email, userId, token, signedIn, bearer, at, transport: at(origin, bearer) };
}

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let env: Env;
  let said = '';
  let acme: { origin: string; services: Services };
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      async prepare(place) {
        env = { ...place.env, PORT: '8480' };
        const args = ['create', 'Acme 株式会社', '--host', 'ACME.localhost', '--email', 'ann@example.com'];
        said = await run(args, env);
      },
    });
    const opened = server?.spaces().find(({ hosted }) => hosted.host === 'acme.localhost');
    if (opened) acme = { origin: opened.hosted.origin, services: opened.services };
  }, 120_000);
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  test('a space is made with its first person, who signs in with what was said once', async () => {
    expect(said).toContain('Created the space Acme 株式会社 at http://acme.localhost:8480');
    const [, email, first] = /Sign in as (\S+) with the password (\S+) /.exec(said)!;
    const browser = new Browser();
    const oidcClient = await createOidcClient({ publicUrl: acme.origin } as IdentityServer);
    const landing = await browser.submit(await browser.visit(await oidcClient.start()), {
      email: email!,
      password: first!,
    });
    const tokens = await oidcClient.finish(landing);
    expect(tokens.claims()?.iss).toBe(`${acme.origin}/oidc`);
    const callApi = createApiCall({
      fetch,
      origin: acme.origin,
      headers: () => ({ authorization: `Bearer ${tokens.access_token}` }),
    });
    expect((await callApi('GET', '/api/space')).data).toMatchObject({ displayName: 'Acme 株式会社' });
    expect((await callApi('GET', '/api/internal/profile')).data).toMatchObject({ email, privileged: true });
    expect((await callApi('GET', '/api/space/audit-records')).data).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ action: 'create', resource: 'space' })]),
    });
    expect(await acme.services.audit.verify()).toMatchObject({ intact: true, firstBroken: null });
  });

  test('at a host name where nothing is, every path is a 421 that names no space', async () => {
    const { port } = new URL(server!.origin);
    for (const path of [
      '/',
      '/api/space',
      '/oidc/.well-known/openid-configuration',
      '/receive/webhook/x',
      '/readyz/x',
    ]) {
      const reply = await fetch(`http://nobody.localhost:${port}${path}`);
      expect(reply.status, path).toBe(421);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      const text = await reply.text();
      expect(JSON.parse(text)).toMatchObject({ type: 'urn:yagura:problem:misdirected' });
      expect(text).not.toMatch(/acme|yagura-web|localhost/i);
    }
    await expect(connectAgent({ origin: `http://nobody.localhost:${port}`, token: 'x' })).rejects.toThrow(
      '421',
    );
  });

  test('whether the server lives and can serve is told at every host name', async () => {
    const { port } = new URL(server!.origin);
    for (const host of ['localhost', 'acme.localhost', 'nobody.localhost', '127.0.0.1'])
      for (const [path, text] of [
        ['/healthz', 'ok\n'],
        ['/readyz', 'ready\n'],
      ]) {
        const reply = await fetch(`http://${host}:${port}${path}`);
        expect([reply.status, await reply.text()], `${host}${path}`).toEqual([200, text]);
        expect(reply.headers.get('server')).toBeNull();
      }
  });

  test('a name that is taken, wrong or missing is refused, and nothing is left of it', async () => {
    if (engine === 'embedded') {
      const busy = run(['create', 'Late', '--host', 'late.localhost', '--email', 'a@example.com'], env);
      return expect(busy).rejects.toThrow(/is in use by process[\s\S]*Stop the server/);
    }
    const create = (name: string, host: string, ...more: string[]) =>
      run(['create', name, '--host', host, ...more], env);
    const email = ['--email', 'bob@example.com'];
    for (const [refused, reason] of [
      [() => create('Beta', 'acme.localhost', ...email), 'belongs to another space'],
      [() => create('Beta', 'localhost', ...email), 'is the host name of the server'],
      [() => create('Beta', 'http://beta.localhost', ...email), 'must be a host name'],
      [() => create(' ', 'beta.localhost', ...email), 'NAME: must have 1 to 100 characters'],
      [() => create('b'.repeat(101), 'beta.localhost', ...email), 'NAME: must have 1 to 100 characters'],
      [() => create('Beta', 'beta.localhost'), '--email'],
      [() => create('Beta', 'beta.localhost', '--email', 'nonsense'), '--email'],
      [
        () => create('Beta', 'beta.localhost', '--origin', 'https://other.localhost', ...email),
        'must be beta.localhost',
      ],
      [() => create('Beta', 'beta.localhost', '--origin', 'beta.localhost', ...email), '--origin'],
      [() => create('Beta', 'beta.localhost', '--colour', 'red', ...email), '--colour'],
      [
        () => run(['host', 'gamma.localhost', 'delta.localhost'], env),
        'No space has the host name gamma.localhost',
      ],
      [() => run(['frobnicate'], env), 'space frobnicate'],
      [() => run([], env), 'a subcommand is required'],
    ] as const)
      await expect(refused()).rejects.toThrow(reason);
    expect(JSON.parse(await run(['list', '--json'], env))).toMatchObject([
      { name: 'Yagura', host: null, origin: 'http://localhost:8480', people: 1 },
      { name: 'Acme 株式会社', host: 'acme.localhost', people: 1 },
    ]);
  });

  test('a running server serves a space within seconds after it was made, moved or erased', async () => {
    if (engine === 'embedded') return;
    const { port } = new URL(server!.origin);
    const at = (host: string) =>
      fetch(`http://${host}:${port}/api/internal/identity/client-info`).then(({ status }) => status);
    const soon = { timeout: 20_000, interval: 100 };
    await run(['create', 'Late', '--host', 'late.localhost', '--email', 'a@example.com'], env);
    await vi.waitFor(async () => expect(await at('late.localhost')).not.toBe(421), soon);
    await run(['host', 'late.localhost', 'later.localhost'], env);
    await vi.waitFor(async () => expect(await at('later.localhost')).not.toBe(421), soon);
    expect(await at('late.localhost')).toBe(421);
    const late = server!.spaces().find(({ hosted }) => hosted.host === 'later.localhost')!;
    const past = new Date(Date.now() - 1000).toISOString();
    await server!.services.database.query('update space set cancel_ends_at = $2 where space_id = $1', [
      late.services.spaceId,
      past,
    ]);
    await late.spaceErasure.check();
    await vi.waitFor(async () => expect(await at('later.localhost')).toBe(421), soon);
    expect(await at('acme.localhost')).not.toBe(421);
    expect(await run(['list'], env)).not.toContain('later');
  });
});

const nobody = '0190a0a0-0000-7000-8000-000000000000';
const idsOf = ({ params }: Fixtures) => Object.values(params).filter((id) => /^[\da-f-]{36}$/.test(id));

describe('two spaces', () => {
  let server: TestServer;
  let fixtures: Fixtures;
  let own: Awaited<ReturnType<typeof chiefOf>>;
  let theirs: Awaited<ReturnType<typeof chiefOf>>;
  let origin: string;
  let services: Services;
  let here: ApiCall;
  let there: ApiCall;

  beforeAll(async () => {
    server = (await startTestServer({
      engine: 'embedded',
      async prepare({ env }) {
        const args = ['create', 'Acme', '--host', 'acme.localhost', '--email', 'ann@example.com'];
        await run(args, env);
      },
    }))!;
    const opened = server.spaces().find(({ hosted }) => hosted.host !== null)!;
    origin = opened.hosted.origin;
    services = opened.services;
    fixtures = await seedFixtures(server);
    own = await chiefOf(server.origin, server.services);
    theirs = await chiefOf(origin, services);
    here = createApiCall(own.transport);
    there = createApiCall(theirs.transport);
  }, 180_000);
  afterAll(() => server?.stop());

  test('no credential of one is valid in the other', async () => {
    const path = '/api/space';
    for (const [chief, at, elsewhere] of [
      [own, server.origin, origin],
      [theirs, origin, server.origin],
    ] as const) {
      for (const headers of [chief.bearer, { 'x-authorization': `Token ${chief.token}` }]) {
        expect((await createApiCall(chief.at(at, headers))('GET', path)).status).toBe(200);
        expect((await createApiCall(chief.at(elsewhere, headers))('GET', path)).status).toBe(401);
      }
      const refresh = await fetch(`${elsewhere}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: 'yagura-web',
          refresh_token: chief.signedIn.tokens.refresh_token!,
        }),
      });
      expect(await refresh.json()).toMatchObject({ error: 'invalid_grant' });
      // The same cookies, as if a browser could be made to send them there.
      const oidcClient = await createOidcClient({ publicUrl: elsewhere } as IdentityServer);
      const page = await chief.signedIn.browser.visit(await oidcClient.start());
      expect(page.text).toContain('name="password"');
    }
    const wrong = await new Browser().submit(
      await new Browser().visit(
        await (await createOidcClient({ publicUrl: origin } as IdentityServer)).start(),
      ),
      { email: 'admin@yagura.local', password },
    );
    expect(wrong.url.searchParams.get('code')).toBeNull();
  });

  test('the ids of one are unknown to every call of the other, and no list holds them', async () => {
    const place = { conditionId: 'severity-changed', operatorId: 'text-compare', ...fixtures.params };
    const ids = idsOf(fixtures);
    let checked = 0;
    for (const resource of resources) {
      const nested = resource.path.includes('{');
      const itemPath = fillPath(resource.itemPath, { [resource.id]: nobody, ...place });
      const calls: [string, string, unknown?][] = [];
      if (resource.verbs.includes('list')) calls.push(['GET', fillPath(resource.path, place)]);
      const known = !resource.singleton || nested;
      if (known && resource.verbs.includes('show')) calls.push(['GET', itemPath]);
      if (known && resource.verbs.includes('edit'))
        for (const method of editMethods(resource))
          calls.push([method, itemPath, inputs[resource.name]?.('theirs', place) ?? {}]);
      if (known && resource.verbs.includes('remove')) calls.push(['DELETE', itemPath]);
      if (nested && resource.verbs.includes('create'))
        calls.push(['POST', fillPath(resource.path, place), inputs[resource.name]?.('theirs', place) ?? {}]);
      for (const [method, path, body] of calls) {
        const asked = path.startsWith('/api/internal/')
          ? there
          : createApiCall(theirs.at(origin, { 'x-authorization': `Token ${theirs.token}` }));
        const reply = await asked(method, path, body);
        const label = `${method} ${path}: ${reply.text.slice(0, 200)}`;
        const named = [nobody, ...ids].some((id) => path.includes(id));
        if (named) expect([404, 400], label).toContain(reply.status);
        else expect(reply.status, label).toBeLessThan(300);
        if (!named) for (const id of ids) expect(reply.text, label).not.toContain(id);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(150);
    expect((await here('GET', `/api/apps/alerthub/scopes/${fixtures.params.scopeId}`)).status).toBe(200);
  });

  test('receivers and agents are those of the space', async () => {
    const { pathname } = new URL(fixtures.primary);
    expect((await post(origin + pathname, '{}')).status).toBe(404);
    expect((await post(server.origin + pathname, '{}')).status).toBe(202);
    const slot = await send<{ ksocketSlotId: string }>(own.transport, {
      method: 'POST',
      path: '/api/ksocket/slots',
      body: { displayName: 'Site' },
    });
    const path = `/api/ksocket/slots/${slot.data.ksocketSlotId}/tokens`;
    const { token } = (
      await send<{ token: string }>(own.transport, { method: 'POST', path, body: { displayName: 'one' } })
    ).data;
    await expect(connectAgent({ origin, token })).rejects.toThrow('401');
    const agent = await connectAgent({ origin: server.origin, token });
    await agent.close();
  });

  test('both work: messages are decided, mails queued, changes told, each to its own', async () => {
    const stream = await fetch(`${origin}/api/internal/changes`, {
      headers: { ...theirs.bearer, 'x-requested-with': 'XMLHttpRequest' },
    });
    const heard = { text: '' };
    const reader = stream.body!.getReader();
    void (async () => {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        heard.text += new TextDecoder().decode(piece.value);
    })().catch(() => undefined);
    const slots: string[] = [];
    for (const callApi of [here, there]) {
      const made = await callApi(
        'POST',
        '/api/apps/alerthub/receive-slots',
        inputs['receive-slot']!('both', {}),
      );
      const { receiveSlotId, primary } = made.data as { receiveSlotId: string; primary: string };
      slots.push(receiveSlotId);
      expect(primary.startsWith(callApi === here ? server.origin : origin)).toBe(true);
      expect((await post(primary, '{"n":1}')).status).toBe(202);
      const invitation = { email: 'new@example.com', roles: [] };
      expect((await callApi('POST', '/api/space/users/invitations', invitation)).status).toBe(201);
    }
    await server.settled();
    for (const [at, ask] of [here, there].entries()) {
      const filter = encodeURIComponent(`receiveSlotId eq "${slots[at]}"`);
      const list = await ask('GET', `/api/apps/alerthub/message/list?filter=${filter}`);
      expect(list.data).toMatchObject({ total: 1, items: [{ ruleResult: { matched: 0 } }] });
      const mails = await ask('GET', '/api/internal/mail-log');
      expect(mails.text).toContain('new@example.com');
    }
    const [sealed] = (
      await services.database.query<{ mail_id: string }>(
        'select mail_id from outgoing_mail where space_id = $1',
        [services.spaceId],
      )
    ).rows;
    expect(await services.mail.readStoredText(sealed!.mail_id)).toContain(`${origin}/activate-invitation`);
    expect(await server.services.mail.readStoredText(sealed!.mail_id)).toBeNull();
    await vi.waitFor(() => expect(heard.text).toContain(slots[1]));
    expect(heard.text).not.toContain(slots[0]);
    await reader.cancel();
  });

  test('the export, the search and the usage of one tell nothing of the other', async () => {
    const { text } = await there('GET', '/api/internal/space/export');
    for (const id of idsOf(fixtures)) expect(text).not.toContain(id);
    expect(text).toContain(services.spaceId);
    const found = await there('POST', '/api/internal/apps/sonar/search/managed-nodes', { query: '*' });
    expect(found.data).toMatchObject({ total: 0 });
    const usage = await there('GET', '/api/internal/space/usage');
    expect(usage.text).toContain('"receive-slot"');
    expect(usage.text).not.toContain('"scope"');
  });

  test('erasing one leaves the other whole', async () => {
    const count = async () =>
      ((await here('GET', '/api/internal/space/usage')).data as { counts: unknown }).counts;
    const before = await count();
    const past = new Date(Date.now() - 1000).toISOString();
    await services.database.query('update space set cancel_ends_at = $2 where space_id = $1', [
      services.spaceId,
      past,
    ]);
    await server
      .spaces()
      .find(({ hosted }) => hosted.host !== null)!
      .spaceErasure.check();
    await vi.waitFor(() => expect(server.spaces()).toHaveLength(1));
    expect(await count()).toEqual(before);
    expect((await there('GET', '/api/space')).status).toBe(401);
    expect(server.logLines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
