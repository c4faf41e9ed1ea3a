// Plants every kind of secret and searches logs, audit log, exports, lists, error responses, pages and the
// database for it.
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { resources } from '@yagura/core/all';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { type PlantedSecrets, plantSecrets } from '../support/plant-secrets.ts';

describe('a secret', () => {
  let planted: PlantedSecrets;
  let callApi: ApiCall;
  let byToken: ApiCall;
  beforeAll(async () => {
    planted = await plantSecrets();
    callApi = planted.callApi;
    byToken = createApiCall(planted.server.transportAs('privileged'));
  }, 120_000);
  afterAll(() => planted?.server.stop());

  /** Names of the secrets contained in a text, in plain or encoded form. */
  const found = (text: string, names = Object.keys(planted.secrets)) =>
    names.filter((name) => shapesOf(planted.secrets[name]!).some((shape) => text.includes(shape)));
  /** Settings that show a secret to users who may change them, by resource. */
  const inAction = ['header', 'query'];
  const shown: Record<string, readonly string[]> = {
    action: inAction,
    'action-record': inAction,
    'receive-slot': ['primary', 'secondary'],
  };

  /** All pages of a list, as text. */
  async function whole(path: string): Promise<string> {
    let texts = '';
    for (let offset = 0; ; offset += 500) {
      const { data, text, status } = await callApi('GET', `${path}?limit=500&offset=${offset}`);
      expect(status, `${path} ${text}`).toBe(200);
      texts += text;
      if ((data as { items: unknown[] }).items.length < 500) return texts;
    }
  }

  test('is there, of every kind, and long enough to be found by no accident', () => {
    for (const [name, secret] of Object.entries(planted.secrets))
      expect(secret?.length, name).toBeGreaterThan(7);
    expect(
      Object.keys(planted.secrets)
        .filter((name) => !/^(recovery|spare)Code/.test(name))
        .sort(),
    ).toEqual([
      'accessToken',
      'agentToken',
      'apiToken',
      'authorizationCode',
      'bootstrapToken',
      'clientSecret',
      'credentialPassword',
      'deviceCode',
      'emailToken',
      'header',
      'idToken',
      'installationSecret',
      'invitationToken',
      'krokerDeviceCode',
      'krokerToken',
      'lineSecret',
      'logKey',
      'password',
      'primary',
      'query',
      'refreshToken',
      'renewedAccessToken',
      'resetToken',
      'restoreToken',
      'secondary',
      'sendgrid',
      'signingSecret',
      'smtp',
      'smtpChanged',
      'smtpPassword',
      'totp',
      'unusedCode',
      'usedRefreshToken',
      'verifier',
    ]);
  });

  test('stands in no export of the space, nor in any list, but for whoever may change the setting it is part of', async () => {
    const exported = await callApi('GET', '/api/internal/space/export');
    expect(exported.status).toBe(200);
    expect(exported.text.length).toBeGreaterThan(2_000);
    expect(found(exported.text).filter((name) => !planted.settings.includes(name))).toEqual([]);
    const lists = resources.filter(
      (one) => one.verbs.includes('list') && !one.parent && !/\{/.test(one.path),
    );
    expect(lists.length).toBeGreaterThan(20);
    await Promise.all(
      lists.map(async ({ name, path }) =>
        expect(found(await whole(path)).sort(), name).toEqual([...(shown[name] ?? [])].sort()),
      ),
    );
  });

  test('stands in no file of settings', async () => {
    const bulk = '/api/apps/alerthub/bulk-operations';
    const read = async (kind: string) => {
      const job = (await callApi('POST', `${bulk}/${kind}/exports`, {})).data as { exportId: string };
      const path = `${bulk}/${kind}/exports/${job.exportId}`;
      await expect
        .poll(async () => ((await callApi('GET', path)).data as { status: string }).status, {
          interval: 20,
          timeout: 30_000,
        })
        .toBe('succeeded');
      const file = await callApi('GET', `${path}/file`);
      expect(file.status).toBe(200);
      expect(found(file.text).sort(), kind).toEqual(kind === 'actions' ? [...inAction].sort() : []);
      expect(found(JSON.stringify((await callApi('GET', path)).data)), kind).toEqual([]);
    };
    await Promise.all(bulkKindNames.map(read));
  });

  test('stands in no refusal, where it was sent in the wrong place', async () => {
    const typedAsCode = ['totp', 'apiToken', 'password'];
    const sends = Object.entries(planted.secrets).flatMap(([name, secret]) => [
      byToken('POST', '/api/apps/alerthub/email-action-sender/settings', {
        displayName: 1,
        provider: 'smtp',
        parameters: { password: { secret }, host: 5, apiKey: secret },
      }),
      byToken('POST', '/api/space/api-tokens', { displayName: 'x', token: { secret }, roles: [secret] }),
      byToken('POST', '/api/apps/alerthub/scopes', undefined, {
        raw: `{"displayName": "${secret}`,
        headers: { 'content-type': 'application/json' },
      }),
      byToken(
        'GET',
        `/api/apps/alerthub/scopes?filter=${encodeURIComponent(`x eq "${secret}"`)}`,
        undefined,
        {
          headers: { 'x-authorization': `Token ${secret}x`, authorization: `Bearer ${secret}x` },
        },
      ),
      byToken('POST', '/receive/kroker-setups/token', { deviceCode: `${secret}x` }),
      ...(typedAsCode.includes(name)
        ? [callApi('PUT', '/api/internal/profile/mfa', { enabled: true, code: secret })]
        : []),
    ]);
    for (const { status, text } of await Promise.all(sends)) {
      expect(status).toBeGreaterThan(399);
      expect(found(text)).toEqual([]);
    }
  });

  test('stands on no page of the sign-in, however it is sent there', async () => {
    const { origin } = planted.server;
    const values = Object.values(planted.secrets);
    const paths = ['/link-account', '/change-password', '/oidc/device', '/oidc/auth', '/authorize'];
    const pages = values.flatMap((token, at) => {
      const query = new URLSearchParams({ token, code: token, state: token, error: token });
      return fetch(`${origin}${paths[at % paths.length]}?${query}`).then((page) => page.text());
    });
    const form = fetch(`${origin}/oidc/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'yagura-web',
        code: planted.secrets.authorizationCode!,
        code_verifier: planted.secrets.verifier!,
        redirect_uri: `${origin}/authorize`,
      }),
    }).then(async (reply) => {
      expect(reply.status).toBe(400);
      return reply.text();
    });
    for (const text of await Promise.all([...pages, form])) expect(found(text)).toEqual([]);
  });

  test('stands in neither the log of the server nor the audit log and its exports', async () => {
    await planted.server.settled();
    await planted.server.services.audit.flush();
    const log = JSON.stringify(planted.server.logLines);
    expect(log).toContain('A mail was not sent');
    const audit = await whole('/api/space/audit-records');
    expect(audit).toContain('email-action-sender-setting');
    const texts = [log, audit];
    for (const format of ['csv', 'json']) {
      const file = await callApi('GET', `/api/space/audit-records/export?format=${format}`);
      expect(file.status, file.text).toBe(200);
      texts.push(file.text);
    }
    for (const text of texts) expect(found(text)).toEqual([]);
  });

  test('of a receiver is shown to those who may change it, and to no other reader', async () => {
    const viewer = createApiCall(planted.server.transportAs(['alerthub:viewer']));
    for (const path of ['actions', 'action-records']) {
      const editor = await callApi('GET', `/api/apps/alerthub/${path}`);
      expect(found(editor.text, [...planted.settings]), path).toEqual(inAction);
      const { items } = editor.data as { items: Record<string, string>[] };
      const one = path === 'actions' ? items[0]!.actionId : items[0]!.actionRecordId;
      const texts = [`/api/apps/alerthub/${path}`, `/api/apps/alerthub/${path}/${one}`].map((read) =>
        viewer('GET', read),
      );
      for (const { status, text } of await Promise.all(texts)) {
        expect(status).toBe(200);
        expect(text).toContain('hooks.example.invalid');
        expect(found(text)).toEqual([]);
      }
    }
  });

  test('stands nowhere in the store, but as a hash or sealed', async () => {
    const { database } = planted.server.services;
    const { rows: tables } = await database.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    );
    expect(tables.length).toBeGreaterThan(40);
    for (const { name } of tables) {
      const { rows } = await database.query<{ row: string }>(
        `select to_jsonb(t)::text as row from "${name}" t`,
      );
      for (const { row } of rows) expect(found(row, [...planted.stored]), name).toEqual([]);
    }
  });
});

/** A secret in plain form and in the byte encodings used by the database and other encoders. */
function shapesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
  ];
}
