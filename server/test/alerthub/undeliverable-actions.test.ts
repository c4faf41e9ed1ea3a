// Actions that no delivery could send are refused when saved, naming the field; stored ones stay readable.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer;
let caller: AlertClient;
const clock = new ManualClock();

beforeAll(async () => {
  server = (await startTestServer({ clock }))!;
  caller = new AlertClient(server, clock);
});
afterAll(() => server?.stop());

const save = async (parameters: object, kind = 'webhook') => {
  const reply = await caller.callApi('POST', `${api}/actions`, {
    displayName: `${kind} action`,
    kind,
    parameters,
  });
  const names = (reply.data as { invalidParams?: { name: string; reason: string }[] }).invalidParams ?? [];
  return {
    status: reply.status,
    names: names.map(({ name }) => name),
    reasons: names.map((one) => one.reason),
  };
};

describe('a webhook', () => {
  test.each([
    ['https://duty:secret@example.com/'],
    ['https://duty@example.com/'],
    ['https://{{scope.attributes.host}}.example.com/'],
    ['https://example.com:0/'],
  ])('cannot have the URL %s', async (url) => {
    const reply = await save({ url });
    expect(reply).toMatchObject({ status: 400, names: ['parameters.url'] });
    expect(reply.reasons.join()).not.toContain('secret');
  });

  test('cannot set headers that belong to the connection or the signature', async () => {
    const headers = { Host: 'other.example.com', 'X-Own': 'yes', 'Webhook-Signature': 'v1,x' };
    expect(await save({ url: 'https://example.com/', headers })).toMatchObject({
      status: 400,
      names: ['parameters.headers.Host', 'parameters.headers.Webhook-Signature'],
    });
  });

  test('can have braces after its host', async () => {
    const url = 'https://example.com/a?filter={"a":1}';
    expect(await save({ url, headers: { 'X-Own': '{{scope.displayName}}' } })).toMatchObject({ status: 201 });
  });
});

test('a stored action that could not be saved any more is still read', async () => {
  const { actionId } = await caller.make<{ actionId: string }>('actions', {
    displayName: 'old',
    kind: 'webhook',
    parameters: { url: 'https://example.com/' },
  });
  await server.services.database.query(
    `update resource set body = jsonb_set(body, '{parameters,headers}', '{"Host":"other.example.com"}') where id = $1`,
    [actionId],
  );
  expect((await caller.callApi('GET', `${api}/actions/${actionId}`)).status).toBe(200);
});

test('a runbook names a step that the template of its action cannot read', async () => {
  const { actionId } = await caller.make<{ actionId: string }>('actions', {
    displayName: 'reads a step',
    kind: 'webhook',
    parameters: { url: 'https://example.com/', body: '{{steps.other.output.body}}' },
  });
  const reply = await caller.callApi('POST', `${api}/runbooks`, {
    displayName: 'reads a step',
    startStepId: 'call',
    steps: [{ stepId: 'call', kind: 'action', params: { actionId } }],
  });
  expect(reply.data).toMatchObject({
    status: 400,
    invalidParams: [{ name: 'steps.0.params.actionId', reason: 'There is no step "other" to read from' }],
  });
  expect(await caller.list('runbooks')).toEqual([]);
});

describe('an email without a sender', () => {
  const email = (displayName: string, parameters: object = {}) =>
    caller.make<{ actionId: string; deliveryWarning: string | null }>('actions', {
      displayName,
      kind: 'email',
      parameters: { to: [{ email: 'duty@example.com' }], subject: 'Alert', ...parameters },
    });

  test('is saved with a warning while there is no mail server', async () => {
    const { actionId, deliveryWarning } = await email('mail');
    expect(deliveryWarning).toMatch(/^This email cannot be sent: no mail server is configured/);
    expect(await caller.show(`actions/${actionId}`)).toMatchObject({ deliveryWarning });
    const smtp = { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'yagura@example.com' };
    await server.restart(smtp);
    expect(await caller.show(`actions/${actionId}`)).toMatchObject({ deliveryWarning: null });
    await server.restart({ smtpUrl: undefined, mailFrom: undefined });
  });

  test('has no warning if it names a sender', async () => {
    const { emailActionSenderSettingId } = await caller.make<{ emailActionSenderSettingId: string }>(
      'email-action-sender/settings',
      {
        from: { email: 'yagura@example.com' },
        provider: 'smtp',
        parameters: { host: 'mail.example.com', username: 'yagura', password: 'secret' },
      },
    );
    expect(await email('mail by own', { emailActionSenderSettingId })).toMatchObject({
      deliveryWarning: null,
    });
  });
});
