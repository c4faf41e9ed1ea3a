// Mails through the senders of a space, and failure notification mails, with real SMTP and HTTP servers as
// targets.
import { startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, type ApiReply, createApiCall } from '../support/api-request.ts';
import type { ActionRecordItem } from '../support/item-types.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
const api = '/api/apps/alerthub';
const secret = 'correct-horse-battery';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let callApi: ApiCall;
  let count = 0;
  const auth = { user: 'duty', pass: secret, methods: ['PLAIN', 'CRAM-MD5'] as const };
  let mail: Awaited<ReturnType<typeof startSmtpSink>>;
  let own: Awaited<ReturnType<typeof startSmtpSink>>;
  let sendgrid: Awaited<ReturnType<typeof startHttpSink>>;

  beforeAll(async () => {
    clock = new ManualClock();
    [mail, own, sendgrid] = await Promise.all([
      startSmtpSink({ auth }),
      startSmtpSink(),
      startHttpSink({ behaviour: { kind: 'status', status: 202 } }),
    ]);
    server = await startTestServer({
      engine,
      clock,
      env: {
        YAGURA_MAIL_FROM: 'no-reply@example.com',
        YAGURA_SMTP_URL: own.url,
        YAGURA_SENDGRID_URL: sendgrid.url,
        YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
      },
    });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(async () => {
    await Promise.all([mail?.close(), own?.close(), sendgrid?.close()]);
    await server?.stop();
  });

  const smtp = (change: Body = {}): Body => ({
    host: '127.0.0.1',
    port: mail.port,
    security: 'plain',
    authentication: 'plain',
    username: 'duty',
    password: secret,
    ...change,
  });
  const sender = (parameters: Body, provider = 'smtp'): Body => ({
    from: { name: '当番', email: 'duty@example.com' },
    provider,
    parameters,
  });

  async function made<T = Body>(path: string, body: Body): Promise<T> {
    const reply = await callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as T;
  }

  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await server!.settled();
    await server!.services.failureNotices.runNow();
  }

  async function record(actionRecordId: string): Promise<ActionRecordItem> {
    return (await callApi('GET', `${api}/action-records/${actionRecordId}`)).data as ActionRecordItem;
  }

  /** Sends a test mail with this sender and returns its action record. */
  async function drill(emailActionSenderSettingId: string | null): Promise<ActionRecordItem> {
    const action = await made<{ actionId: string }>('actions', {
      displayName: `mail ${++count}`,
      kind: 'email',
      parameters: {
        emailActionSenderSettingId,
        to: [{ email: 'operator@example.com' }],
        subject: '{{message.content.data.title}}',
        text: 'Severity {{event.severity}}',
      },
    });
    const reply = await callApi('POST', `${api}/actions/${action.actionId}/test`, {});
    expect(reply.status, reply.text).toBe(200);
    await server!.settled();
    return record((reply.data as { actionRecordId: string }).actionRecordId);
  }

  test.each(['plain', 'cram-md5'])('an SMTP sender signs in by %s', async (authentication) => {
    mail.clear();
    const { emailActionSenderSettingId } = await made<{ emailActionSenderSettingId: string }>(
      'email-action-sender/settings',
      sender(smtp({ authentication })),
    );
    const sent = await drill(emailActionSenderSettingId);
    expect(sent).toMatchObject({ status: 'succeeded', drill: true, scopeId: null, eventId: null });
    expect(mail.mails).toMatchObject([
      { from: 'duty@example.com', user: 'duty', headers: { subject: '[Drill / 訓練] Drill / 訓練' } },
    ]);
  });

  test('the password is never told, is kept without being given, and goes to no other host or port, nor with other encryption', async () => {
    const path = `${api}/email-action-sender/settings`;
    const first = await callApi('POST', path, sender(smtp()));
    const id = (first.data as { emailActionSenderSettingId: string }).emailActionSenderSettingId;
    expect(first.data).toMatchObject({ displayName: '当番', hasSecret: true });
    const { password: _, ...rest } = smtp();
    const edit = (parameters: Body): Promise<ApiReply> => callApi('PATCH', `${path}/${id}`, { parameters });
    expect((await edit({ ...rest, username: 'night' })).status).toBe(200);
    expect((await edit(rest)).status).toBe(200);
    for (const change of [{ host: 'mail.attacker.example' }, { port: 1 }, { security: 'tls' }]) {
      const moved = await edit({ ...rest, ...change });
      expect(moved.status).toBe(400);
      expect(moved.data).toMatchObject({ invalidParams: [{ name: 'parameters.password' }] });
    }
    const answers = [
      first,
      await callApi('GET', `${path}/${id}`),
      await callApi('GET', `${path}?limit=1000`),
    ];
    for (const { text } of answers) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain('sealed');
    }
    const { rows } = await server!.services.database.query<{ body: unknown }>(
      "select body from resource where kind = 'email-action-sender-setting'",
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(JSON.stringify(server!.logLines)).not.toContain(secret);
    mail.clear();
    expect(await drill(id)).toMatchObject({ status: 'succeeded' });
  });

  test.each([
    ['no password', { password: undefined }, 'parameters.password'],
    ['no user', { username: '' }, 'parameters.username'],
    ['a host with a path', { host: 'a/b' }, 'parameters.host'],
    ['no such port', { port: 70_000 }, 'parameters.port'],
  ])('refuses %s', async (_, change, name) => {
    const reply = await callApi('POST', `${api}/email-action-sender/settings`, sender(smtp(change)));
    expect(reply.status).toBe(400);
    expect(reply.data).toMatchObject({ invalidParams: [{ name }] });
  });

  test('SendGrid gets the mail with the key, and its refusal is on the record', async () => {
    const { emailActionSenderSettingId } = await made<{ emailActionSenderSettingId: string }>(
      'email-action-sender/settings',
      sender({ apiKey: secret }, 'sendgrid'),
    );
    expect(await drill(emailActionSenderSettingId)).toMatchObject({ status: 'succeeded' });
    const [call] = sendgrid.requests;
    expect(call).toMatchObject({
      url: '/v3/mail/send',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(call!.body)).toMatchObject({
      personalizations: [{ to: [{ email: 'operator@example.com' }] }],
      from: { email: 'duty@example.com', name: '当番' },
      content: [{ type: 'text/plain', value: 'Severity 1' }],
    });
    sendgrid.behave({ kind: 'status', status: 401, body: '{"errors":[{"message":"bad key"}]}' });
    const refused = await drill(emailActionSenderSettingId);
    expect(refused).toMatchObject({ status: 'failed', attempts: [{ statusCode: 401 }] });
    expect(JSON.stringify(refused)).not.toContain(secret);
  });

  test('a sender in use is not removed, and one that is not there is refused', async () => {
    const { emailActionSenderSettingId } = await made<{ emailActionSenderSettingId: string }>(
      'email-action-sender/settings',
      sender(smtp()),
    );
    await drill(emailActionSenderSettingId);
    const path = `${api}/email-action-sender/settings/${emailActionSenderSettingId}`;
    expect((await callApi('DELETE', path)).status).toBe(409);
    const reply = await callApi('POST', `${api}/actions`, {
      displayName: 'dangling',
      kind: 'email',
      parameters: {
        emailActionSenderSettingId: '0190a0a0-0000-7000-8000-000000000000',
        to: [{ email: 'a@example.com' }],
        subject: 'x',
      },
    });
    expect(reply.data).toMatchObject({ invalidParams: [{ name: 'parameters.emailActionSenderSettingId' }] });
  });

  test('a delivery that was given up is sent again by hand, under its id', async () => {
    const hook = await startHttpSink({ behaviour: { kind: 'status', status: 400 } });
    const { actionId } = await made<{ actionId: string }>('actions', {
      displayName: 'again',
      kind: 'webhook',
      parameters: { url: hook.url, body: 'x' },
    });
    const drilled = await callApi('POST', `${api}/actions/${actionId}/test`);
    const { actionRecordId } = drilled.data as { actionRecordId: string };
    await server!.settled();
    expect(await record(actionRecordId)).toMatchObject({ status: 'failed' });
    hook.behave({ kind: 'ok' });
    await pass(60_000);
    expect((await callApi('POST', `${api}/action-records/${actionRecordId}/resend`)).status).toBe(200);
    await server!.settled();
    expect(await record(actionRecordId)).toMatchObject({
      status: 'succeeded',
      attempts: [
        { number: 1, statusCode: 400 },
        { number: 2, statusCode: 200 },
      ],
    });
    expect(new Set(hook.requests.map((request) => request.headers['webhook-id'])).size).toBe(1);
    expect(hook.requests[0]!.headers['x-yagura-drill']).toBe('true');
    const again = await callApi('POST', `${api}/action-records/${actionRecordId}/resend`);
    expect(again.status).toBe(409);
    await hook.close();
  });

  test('failures are gathered into one mail for each address, and more of them an hour later', async () => {
    own.clear();
    const { scopeId } = await made<{ scopeId: string }>('scopes', { displayName: 'noisy' });
    const { actionId } = await made<{ actionId: string }>('actions', {
      displayName: 'broken hook',
      kind: 'webhook',
      parameters: { url: 'http://10.0.0.1/', body: 'x' },
    });
    await made(`scopes/${scopeId}/triggers`, {
      displayName: 'all',
      target: { kind: 'action', id: actionId },
    });
    await made('notification-settings/emails', { name: 'one', email: 'one@example.com' });
    await made('notification-settings/emails', { name: 'two', email: 'two@example.com' });
    await made('notification-settings/emails', { name: 'off', email: 'off@example.com', disabled: true });
    const fail = () => made(`scopes/${scopeId}/events`, { delta: 1 });
    for (let turn = 0; turn < 5; turn++) await fail();
    await server!.settled();
    await pass(10_000);
    expect(own.mails).toEqual([]);
    await pass(30_000);
    expect(own.mails.map((one) => one.to[0]).sort()).toEqual(['one@example.com', 'two@example.com']);
    const { headers, text } = own.mails[0]!;
    expect(headers.subject).toContain('broken hook');
    expect(text).toContain('broken hook: 5 failed');
    expect(text).toContain(`/apps/alerthub/scopes/${scopeId}`);
    expect(text).toContain(`/apps/alerthub/actions/${actionId}`);
    own.clear();
    for (let turn = 0; turn < 3; turn++) await fail();
    await pass(1_800_000);
    expect(own.mails).toEqual([]);
    await server!.restart();
    await pass(1_800_000);
    expect(own.mails).toHaveLength(2);
    expect(own.mails[0]!.text).toContain('broken hook: 3 failed');
    await pass(7_200_000);
    expect(own.mails).toHaveLength(2);
  });
});
