// Every kind of secret is planted through the API; then logs, audit log, export, lists and refusals are searched for it.
import { randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password } from '../src/identity/test-server.ts';
import { type Ask, asker } from './ask.ts';
import { startWorld, type World } from './world.ts';

const canary = (kind: string) => `canary-${kind}-${randomBytes(9).toString('hex')}`;
type Body = Record<string, unknown>;

describe('a secret', () => {
  let world: World;
  let ask: Ask;
  let byToken: Ask;
  /** By kind; each is searched for everywhere. */
  const secrets: Record<string, string> = {};
  /** May be read by whoever may see the slot, but stands in no log. */
  const addresses: string[] = [];

  const make = async (path: string, body: Body = {}) => {
    const reply = await ask('POST', path, body);
    expect(reply.status, `${path} ${reply.text}`).toBeLessThan(300);
    return reply.data as Record<string, string>;
  };

  beforeAll(async () => {
    secrets.clientSecret = canary('oidc');
    world = (await startWorld({
      engine: 'embedded',
      env: {
        YAGURA_OIDC_ISSUER: 'http://127.0.0.1:1/',
        YAGURA_OIDC_CLIENT_ID: 'yagura',
        YAGURA_OIDC_CLIENT_SECRET: secrets.clientSecret,
      },
    }))!;
    const person = await world.signedIn('privileged');
    ask = asker(person);
    byToken = asker(world.as('privileged'));
    secrets.accessToken = person.accessToken;
    secrets.password = password;
    secrets.apiToken = (await make('/api/space/api-tokens', { displayName: 'canary', roles: null })).token!;
    const mfa = '/api/internal/profile/mfa';
    secrets.totp = (await make(`${mfa}/prepare`, { password })).secret!;
    const code = new TOTP({ secret: secrets.totp }).generate();
    const on = await ask('PUT', mfa, { enabled: true, code });
    const codes = (on.data as { recoveryCodes: string[] }).recoveryCodes;
    secrets.firstRecoveryCode = codes[0]!;
    secrets.lastRecoveryCode = codes[9]!;

    const slot = await make('/api/apps/alerthub/receive-slots', { displayName: 'canary', kind: 'webhook' });
    addresses.push(new URL(slot.primary!).pathname, new URL(slot.secondary!).pathname);
    const sender = (provider: string, parameters: Body) =>
      make('/api/apps/alerthub/email-action-sender/settings', {
        displayName: `canary ${provider}`,
        from: { name: 'Duty', email: 'duty@example.com' },
        provider,
        parameters,
      });
    secrets.smtp = canary('smtp');
    secrets.sendgrid = canary('sendgrid');
    await sender('smtp', {
      host: 'mail.example.com',
      port: 587,
      security: 'starttls',
      authentication: 'plain',
      username: 'duty',
      password: secrets.smtp,
    });
    await sender('sendgrid', { apiKey: secrets.sendgrid });

    const key = await make('/api/apps/greac/log-keys/refresh');
    const opened = await ask('GET', `/api/apps/greac/log-keys/${key.keyId}/private-key`);
    secrets.logKey = (opened.data as { privateKey?: string }).privateKey ?? opened.text;
    const ksocket = await make('/api/ksocket/slots', { displayName: 'canary', remarks: '' });
    secrets.agentToken = (
      await make(`/api/ksocket/slots/${ksocket.ksocketSlotId}/tokens`, { displayName: 'canary' })
    ).token!;
  }, 120_000);
  afterAll(() => world?.stop());

  /** Names of the secrets that stand in a text. */
  const found = (text: string) =>
    Object.entries(secrets)
      .filter(([, secret]) => text.includes(secret))
      .map(([name]) => name);

  test('is long enough to be found by no accident', () => {
    for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(7);
    expect(Object.keys(secrets)).toHaveLength(11);
  });

  test('stands in no export of the space, nor in any list', async () => {
    const all = await ask('GET', '/api/internal/space/export');
    expect(all.status).toBe(200);
    expect(all.text.length).toBeGreaterThan(2_000);
    expect(found(all.text)).toEqual([]);
  });

  test('stands in no refusal, where it was sent in the wrong place', async () => {
    for (const [name, secret] of Object.entries(secrets)) {
      const replies = await Promise.all([
        byToken('POST', '/api/apps/alerthub/email-action-sender/settings', {
          displayName: 1,
          provider: 'smtp',
          parameters: { password: { secret }, host: 5 },
        }),
        byToken('POST', '/api/space/api-tokens', { displayName: 'x', token: { secret }, roles: [secret] }),
        ask('PUT', '/api/internal/profile/mfa', { enabled: true, code: secret }),
        byToken('POST', '/api/apps/alerthub/scopes', undefined, {
          raw: `{"displayName": "${secret}`,
          headers: { 'content-type': 'application/json' },
        }),
        byToken('GET', '/api/apps/alerthub/scopes', undefined, {
          headers: { 'x-authorization': `Token ${secret}x`, authorization: `Bearer ${secret}x` },
        }),
      ]);
      for (const { status, text } of replies) {
        expect(status).toBeGreaterThan(399);
        expect(text, name).not.toContain(secret);
      }
    }
  });

  test('stands on no page of the sign-in, in the log of the server and in the audit log neither', async () => {
    for (const path of ['/link-account', '/change-password', '/activate-invitation', '/oidc/device']) {
      const page = await fetch(`${world.origin}${path}?token=${encodeURIComponent(secrets.apiToken!)}`);
      expect(found(await page.text()), path).toEqual([]);
    }
    await world.settled();
    const log = JSON.stringify(world.lines);
    expect(found(log)).toEqual([]);
    let audit = '';
    for (let offset = 0; ; offset += 500) {
      const { data, text } = await ask('GET', `/api/space/audit-records?limit=500&offset=${offset}`);
      audit += text;
      if ((data as { items: unknown[] }).items.length < 500) break;
    }
    expect(audit).toContain('email-action-sender-setting');
    expect(found(audit)).toEqual([]);
    for (const address of addresses) {
      expect(log).not.toContain(address);
      expect(audit).not.toContain(address);
    }
  });
});
