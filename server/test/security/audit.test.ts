// The audit log over HTTP: what is recorded, what is omitted, and that records cannot be changed unnoticed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall, transportForAllCalls } from '../support/api-request.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

interface Entry {
  action: string;
  resource: string;
  outcome: string;
  actorName: string;
  address: string;
  detail: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

const canary = 'Canary-yellow-77-bird';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (server)
      callApi = createApiCall(
        transportForAllCalls(server.transportAs('privileged'), () => server!.signedIn('privileged')),
      );
  }, 120_000);
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  async function entries(filter: string): Promise<Entry[]> {
    await server!.services.audit.flush();
    const query = new URLSearchParams({ filter, sort: 'number', limit: '100' });
    const reply = await callApi('GET', `/api/space/audit-records?${query}`);
    expect(reply.status, reply.text).toBe(200);
    return (reply.data as { items: Entry[] }).items;
  }

  test('notes a change of every kind with what was and what is', async () => {
    const path = '/api/apps/alerthub/scopes';
    const made = await callApi('POST', path, { displayName: 'Before', remarks: '' });
    const { scopeId } = made.data as { scopeId: string };
    await callApi('PUT', `${path}/${scopeId}`, { displayName: 'After', remarks: '' });
    await callApi('DELETE', `${path}/${scopeId}`);
    const found = await entries(`resourceId eq "${scopeId}"`);
    expect(found.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['create', 'done'],
      ['edit', 'done'],
      ['remove', 'done'],
    ]);
    expect(found[1]).toMatchObject({
      resource: 'scope',
      before: { displayName: 'Before' },
      after: { displayName: 'After' },
    });
    expect(found[0]!.address).toMatch(/127\.0\.0\.1|::1/);
  });

  test('notes refusals and sign-ins, and what was refused leaves no change', async () => {
    await callApi('GET', '/api/internal/profile');
    const viewer = createApiCall(server!.transportAs(['alerthub:viewer']));
    expect((await viewer('POST', '/api/apps/alerthub/scopes', { displayName: 'No' })).status).toBe(403);
    expect((await viewer('GET', '/api/space/audit-records')).status).toBe(403);
    const refused = await entries('outcome eq "refused"');
    expect(refused.map(({ resource, detail }) => [resource, detail])).toEqual([
      ['scope', 'POST /api/apps/alerthub/scopes'],
      ['audit-record', 'GET /api/space/audit-records'],
    ]);
    expect((await entries('action eq "sign-in" and outcome eq "done"')).length).toBeGreaterThan(0);
  });

  test('names the API token of a change, also after it was deleted', async () => {
    const made = await callApi('POST', '/api/space/api-tokens', {
      ...{ displayName: 'deploy', roles: null, expiresAt: null },
    });
    const { token, apiTokenId } = made.data as { token: string; apiTokenId: string };
    const reply = await fetch(`${server!.origin}/api/apps/alerthub/scopes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-authorization': `Token ${token}` },
      body: JSON.stringify({ displayName: 'By token', remarks: '' }),
    });
    expect(reply.status).toBe(201);
    expect((await callApi('DELETE', `/api/space/api-tokens/${apiTokenId}`)).status).toBe(200);
    const found = await entries(`apiTokenName eq "deploy"`);
    expect(found).toMatchObject([
      { action: 'create', resource: 'scope', apiTokenId, apiTokenName: 'deploy' },
    ]);
  });

  test('tells how long it is kept, to those who may read it', async () => {
    const path = '/api/space/audit-records/retention';
    expect(await callApi('GET', path)).toMatchObject({ status: 200, data: { days: 400 } });
    expect((await createApiCall(server!.transportAs(['alerthub:viewer']))('GET', path)).status).toBe(403);
  });

  test('keeps no secret, nor do the server log, lists and errors', async () => {
    const token = await callApi('POST', '/api/space/api-tokens', {
      displayName: 'canary',
      roles: null,
      expiresAt: null,
    });
    const secret = (token.data as { token: string }).token;
    await callApi('POST', '/api/apps/alerthub/actions', {
      displayName: 'canary',
      remarks: '',
      kind: 'webhook',
      parameters: {
        method: 'POST',
        url: 'https://example.com/',
        headers: { Authorization: canary },
        body: '',
      },
    });
    await callApi('POST', '/api/internal/profile/change-email', { email: 'a@example.com', password: canary });
    await callApi('PUT', '/api/internal/profile/mfa', { enabled: false, password: canary });
    await callApi('POST', '/api/space/users/invitations', {
      email: 'canary@example.com',
      roles: [],
      language: 'en',
    });
    await server!.services.audit.flush();
    const audit = await callApi('GET', '/api/space/audit-records/export?format=csv');
    expect(audit.status).toBe(200);
    const { rows } = await server!.services.database.query<{ id: string }>(
      `select mail_id as id from outgoing_mail where recipient = 'canary@example.com'`,
    );
    const mail = await callApi('GET', `/api/internal/mail-log/${rows[0]!.id}`);
    const link = /token=([\w-]+)/.exec((mail.data as { text: string }).text)![1]!;
    const seen = [
      audit.text,
      JSON.stringify(server!.logLines),
      (await callApi('GET', '/api/space/api-tokens')).text,
      (await callApi('GET', '/api/space/users/invitations')).text,
      (await callApi('GET', '/api/internal/mail-log')).text,
      (await callApi('GET', '/api/internal/profile/mfa')).text,
    ];
    for (const text of seen) for (const one of [secret, canary, link]) expect(text).not.toContain(one);
    expect(audit.text).toContain('***');
  });

  test('shows by its chain when a record was changed', async () => {
    const intact = await callApi('POST', '/api/space/audit-records/verify', {});
    expect(intact.data, intact.text).toMatchObject({ intact: true, firstBroken: null });
    const { database, spaceId } = server!.services;
    await database.query(
      `update audit_record set actor_name = 'Somebody else' where space_id = $1 and number = 2`,
      [spaceId],
    );
    const broken = await callApi('POST', '/api/space/audit-records/verify', {});
    expect(broken.data).toMatchObject({ intact: false, firstBroken: 2 });
  });
});
