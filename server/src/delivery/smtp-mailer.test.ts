import { type SmtpSink, type SmtpSinkOptions, startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { afterEach, expect, test } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import { type MailRequest, parseMailbox } from './mail-message.ts';
import type { DeliveryMeta } from './send-result.ts';
import { toSendgridRequest } from './sendgrid.ts';
import { createSmtpMailer, type SmtpMailerOptions } from './smtp-mailer.ts';
import type { WebhookRequest } from './webhook-sender.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function sink(options?: SmtpSinkOptions): Promise<SmtpSink> {
  const started = await startSmtpSink(options);
  open.push(started);
  return started;
}

function mailer(options: SmtpMailerOptions) {
  const made = createSmtpMailer({ from: 'Yagura <yagura@ops.example>', ...options });
  // Closed in this order: connections before their server.
  open.unshift(made);
  return made;
}

const meta: DeliveryMeta = {
  deliveryId: '0198c0de-0000-7000-8000-000000000002',
  timestamp: 1_767_225_600_000,
  attempt: 1,
};

function mail(rest: Partial<MailRequest> = {}): MailRequest {
  return {
    to: [{ name: '', email: 'ann@team.example' }],
    cc: [],
    bcc: [],
    subject: 'Down',
    text: 'It is down.',
    ...rest,
  };
}

test('carries Japanese names, subject and text, and a stable id', async () => {
  const server = await sink();
  const request = mail({
    to: [{ name: '監視 太郎', email: 'taro@team.example' }],
    cc: [{ name: 'O"Brien, "Bob" <x>', email: 'bob@team.example' }],
    bcc: [{ name: '', email: 'hidden@team.example' }],
    subject: '【障害】東京データセンターの温度が高くなっています。至急確認してください（第１報）😀',
    text: '温度: 41℃\n.\n..先頭の点\nFrom 行\n',
  });
  const post = mailer({ smtpUrl: server.url });
  expect(await post.sendMail(request, meta)).toEqual({
    outcome: 'succeeded',
    retry: false,
    statusCode: 250,
    reason: { word: 'delivery.sent', params: { statusCode: 250 } },
    reply: expect.stringMatching(/^250 /),
  });
  expect((await post.sendMail(request, { ...meta, attempt: 2 })).outcome).toBe('succeeded');
  const [first, second] = await server.waitFor(2);
  expect(first).toMatchObject({
    from: 'yagura@ops.example',
    to: ['taro@team.example', 'bob@team.example', 'hidden@team.example'],
    secure: false,
    text: request.text,
  });
  expect(first!.headers).toMatchObject({
    from: 'Yagura <yagura@ops.example>',
    to: '監視 太郎 <taro@team.example>',
    cc: '"O\\"Brien, \\"Bob\\" <x>" <bob@team.example>',
    subject: request.subject,
    'message-id': `<${meta.deliveryId}@ops.example>`,
    'x-yagura-delivery': meta.deliveryId,
    'auto-submitted': 'auto-generated',
    date: 'Thu, 01 Jan 2026 00:00:00 +0000',
  });
  expect(first!.raw.toString('latin1')).not.toContain('hidden');
  expect(first!.raw.every((byte) => byte < 0x80)).toBe(true);
  expect(second!.headers['message-id']).toBe(first!.headers['message-id']);
  expect(server.connections).toBe(1);
});

const pairs = (['none', 'starttls', 'full'] as const).flatMap((tls) =>
  ([null, 'PLAIN', 'LOGIN', 'CRAM-MD5'] as const).map((method) => [tls, method] as const),
);
test.each(pairs)('security %s with sign-in %s', async (tls, method) => {
  const auth = { user: 'u@ops.example', pass: 'p@ss/ワード' };
  const server = await sink({ tls, ...(method && { auth: { ...auth, methods: [method] } }) });
  const credentials = method ? `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.pass)}@` : '';
  const query = tls === 'none' && method ? '?starttls=never' : '';
  const smtpUrl = `${server.url.replace('://', `://${credentials}`).replace('127.0.0.1', 'localhost')}${query}`;
  const result = await mailer({ smtpUrl, authorities: [server.certificate] }).sendMail(mail(), meta);
  expect(result).toMatchObject({ outcome: 'succeeded' });
  expect(server.mails[0]).toMatchObject({ secure: tls !== 'none', user: method ? auth.user : null });
});

test('a password never goes over an open line unless that was asked for', async () => {
  const server = await sink({ auth: { user: 'u', pass: 's3cret' } });
  const result = await mailer({ smtpUrl: server.url.replace('://', '://u:s3cret@') }).sendMail(mail(), meta);
  expect(result).toMatchObject({ outcome: 'failed', retry: true });
  expect(server.mails).toHaveLength(0);
  expect(JSON.stringify(result)).not.toContain('s3cret');
});

test.each(['starttls', 'full'] as const)('a certificate nobody vouches for is refused (%s)', async (tls) => {
  const server = await sink({ tls });
  const smtpUrl = server.url + (tls === 'starttls' ? '?starttls=required' : '');
  const result = await mailer({ smtpUrl }).sendMail(mail(), meta);
  expect(result).toMatchObject({
    outcome: 'failed',
    retry: true,
    statusCode: null,
    reason: { word: 'delivery.connection', params: { detail: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
  });
  expect(server.mails).toHaveLength(0);
});

test('a refused sign-in may be tried again, and its reason holds no credentials', async () => {
  const server = await sink({ auth: { user: 'robot-user', pass: 'right' } });
  const smtpUrl = `${server.url.replace('://', '://robot-user:s3cret@')}?starttls=never`;
  const result = await mailer({ smtpUrl }).sendMail(mail(), meta);
  expect(result).toMatchObject({
    outcome: 'failed',
    retry: true,
    statusCode: 535,
    reason: { word: 'delivery.mailRefused', params: { detail: '535 Wrong password for ***' } },
  });
  expect(JSON.stringify(result)).not.toMatch(/s3cret|robot-user/);
});

test.each([
  ['bob', '535 Wrong password for ***'],
  // Shorter names are in many words.
  ['or', '535 Wrong password for or'],
])('the user name %s in a reply of the server is told as %s', async (user, detail) => {
  const server = await sink({ auth: { user: 'robot-user', pass: 'right' } });
  const smtpUrl = `${server.url.replace('://', `://${user}:s3cret@`)}?starttls=never`;
  expect(await mailer({ smtpUrl }).sendMail(mail(), meta)).toMatchObject({ reason: { params: { detail } } });
});

test.each([
  ['sender', 451, true],
  ['sender', 553, false],
  ['recipient', 450, true],
  ['recipient', 550, false],
  ['message', 452, true],
  ['message', 554, false],
] as const)('the %s refused with %i: retry %s', async (at, code, retry) => {
  const server = await sink({ refuse: (step) => (step.at === at ? { code, text: 'No thanks' } : null) });
  expect(await mailer({ smtpUrl: server.url }).sendMail(mail(), meta)).toEqual({
    outcome: 'failed',
    retry,
    statusCode: code,
    reason: { word: 'delivery.mailRefused', params: { detail: `${code} No thanks` } },
    reply: `${code} No thanks`,
  });
  expect(server.mails).toHaveLength(0);
});

test('greylisting: refused for now, then taken under the same id', async () => {
  const server = await sink({
    refuse: (step) =>
      step.at === 'recipient' && step.count === 0 ? { code: 451, text: 'Come back later' } : null,
  });
  const post = mailer({ smtpUrl: server.url });
  expect(await post.sendMail(mail(), meta)).toMatchObject({
    outcome: 'failed',
    retry: true,
    statusCode: 451,
  });
  expect(await post.sendMail(mail(), { ...meta, attempt: 2 })).toMatchObject({ outcome: 'succeeded' });
  expect(server.mails[0]!.headers['message-id']).toBe(`<${meta.deliveryId}@ops.example>`);
});

test('recipients refused in part are named, and nobody gets the mail twice', async () => {
  const server = await sink({
    refuse: (step) => (step.address?.startsWith('gone') ? { code: 550, text: 'No such user' } : null),
  });
  const request = mail({
    cc: [
      { name: '', email: 'gone1@team.example' },
      { name: '', email: 'gone2@team.example' },
    ],
  });
  expect(await mailer({ smtpUrl: server.url }).sendMail(request, meta)).toMatchObject({
    outcome: 'failed',
    retry: false,
    statusCode: 550,
    reason: {
      word: 'delivery.recipientsRefused',
      params: { addresses: 'gone1@team.example, gone2@team.example' },
    },
  });
  expect(server.mails.map((one) => one.to)).toEqual([['ann@team.example']]);
});

test('line breaks and control signs can not make headers', async () => {
  const server = await sink();
  const request = mail({
    to: [{ name: 'Ann\r\nBcc: evil@evil.example', email: 'ann@team.example' }],
    subject: 'Down\r\nBcc: evil@evil.example\r\n\r\nnew body\0\u2028x',
    text: 'Bcc: evil@evil.example\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n',
  });
  expect((await mailer({ smtpUrl: server.url }).sendMail(request, meta)).outcome).toBe('succeeded');
  const [got] = server.mails;
  expect(got!.to).toEqual(['ann@team.example']);
  expect(got!.headers).not.toHaveProperty('bcc');
  expect(got!.headers.subject).toBe('Down Bcc: evil@evil.example new body x');
  expect(got!.text.trim().split('\n')).toHaveLength(3);
});

test('a subject and names reorder nothing around them, and a subject is cut to what servers accept', async () => {
  const server = await sink();
  const name = 'Ann\u202egpj.exe\u2069';
  const to = [{ name, email: 'ann@team.example' }];
  const post = mailer({ smtpUrl: server.url });
  const subject = `\u202eDown\u2066${'障'.repeat(998)}😀${'x'.repeat(100_000)}`;
  expect((await post.sendMail(mail({ to, subject }), meta)).outcome).toBe('succeeded');
  const [{ headers } = { headers: {} as Record<string, string> }] = server.mails;
  expect(headers.to).toBe('"Ann gpj.exe" <ann@team.example>');
  expect(headers.subject).toBe(`Down ${'障'.repeat(994)}…`);
  const account = {
    baseUrl: 'https://mail.example',
    apiKey: 'k',
    from: { name: '', email: 'a@mail.example' },
  };
  const request = toSendgridRequest(mail({ to, subject }), meta, account);
  const sent = JSON.parse((request as WebhookRequest).body!);
  expect(sent).toMatchObject({
    subject: headers.subject,
    personalizations: [{ to: [{ name: 'Ann gpj.exe' }] }],
  });
});

test.each([
  'ann@team.example\r\nRCPT TO:<evil@evil.example>',
  'ann@team.example, evil@evil.example',
  'ann@team.example> SIZE=1',
  '<ann@team.example>',
  'Ann <ann@team.example>',
  'team: ann@team.example;',
  'ann',
  '@team.example',
  'a@b@c.example',
  `${'a'.repeat(65)}@team.example`,
  '',
])('the address %j is refused', async (email) => {
  const server = await sink();
  const result = await mailer({ smtpUrl: server.url }).sendMail(mail({ cc: [{ name: '', email }] }), meta);
  expect(result).toMatchObject({
    outcome: 'failed',
    retry: false,
    reason: { word: 'delivery.invalidRecipient' },
  });
  expect(server.connections).toBe(0);
});

test('a text that looks like a file or an address is only text', async () => {
  const server = await sink();
  const text = '/etc/passwd http://127.0.0.1/ data:text/plain,x';
  await mailer({ smtpUrl: server.url }).sendMail(mail({ text }), meta);
  expect(server.mails[0]!.text.trim()).toBe(text);
});

test.each([
  ['no server', { from: 'a@b.example' }],
  ['no sender', { smtpUrl: 'smtp://127.0.0.1:1', from: undefined }],
])('with %s every mail fails for good', async (_, options) => {
  const result = await createSmtpMailer(options).sendMail(mail(), meta);
  expect(result).toEqual({
    outcome: 'failed',
    retry: false,
    statusCode: null,
    reason: { word: 'delivery.noSender', params: {} },
    reply: null,
  });
});

test('a mail to nobody fails for good', async () => {
  const result = await mailer({ smtpUrl: 'smtp://127.0.0.1:1' }).sendMail(mail({ to: [] }), meta);
  expect(result).toMatchObject({ retry: false, reason: { word: 'delivery.noRecipient' } });
});

test('a sender that is no address is refused at once', () => {
  expect(() => createSmtpMailer({ smtpUrl: 'smtp://mail.example', from: 'Yagura' })).toThrow(/sender/);
});

test.each([
  ['a@b.example', { name: '', email: 'a@b.example' }],
  [' Yagura <a@b.example> ', { name: 'Yagura', email: 'a@b.example' }],
  ['"やぐら, 運用" <a@b.example>', { name: 'やぐら, 運用', email: 'a@b.example' }],
  ['<a@b.example>', { name: '', email: 'a@b.example' }],
  ['Yagura', null],
  ['a@b.example, c@d.example', null],
  ['Yagura <a@b.example', null],
])('the mailbox %j', (text, mailbox) => {
  expect(parseMailbox(text)).toEqual(mailbox);
});

test('nobody listening, and a server that never greets', async () => {
  const gone = await startSmtpSink();
  await gone.close();
  expect(await mailer({ smtpUrl: gone.url }).sendMail(mail(), meta)).toMatchObject({
    retry: true,
    reason: { word: 'delivery.connection', params: { detail: 'ECONNREFUSED' } },
  });
  const silent = await sink({ silent: true });
  const hasty = mailer({ smtpUrl: silent.url, timeouts: { connect: 150, whole: 5000 } });
  expect(await hasty.sendMail(mail(), meta)).toMatchObject({
    retry: true,
    reason: { word: 'delivery.timeout', params: { seconds: 0.15 } },
  });
});

test('a server that stalls is cut by the time for everything, and the next mail goes over a new connection', async () => {
  const server = await sink({ silent: (connection) => connection === 1 });
  const hasty = mailer({ smtpUrl: server.url, connections: 1, timeouts: { connect: 60_000, whole: 1000 } });
  expect(await hasty.sendMail(mail(), meta)).toMatchObject({
    retry: true,
    reason: { word: 'delivery.timeout', params: { seconds: 1 } },
  });
  expect(await hasty.sendMail(mail(), meta)).toMatchObject({ outcome: 'succeeded' });
  expect(server.connections).toBe(2);
});

test('a mail that waits for a free connection is cut by its own time as well', async () => {
  const silent = await sink({ silent: true });
  const hasty = mailer({ smtpUrl: silent.url, connections: 1, timeouts: { connect: 60_000, whole: 200 } });
  const waiting = [hasty.sendMail(mail(), meta), hasty.sendMail(mail(), meta), hasty.sendMail(mail(), meta)];
  for (const result of await Promise.all(waiting))
    expect(result).toMatchObject({
      retry: true,
      reason: { word: 'delivery.timeout', params: { seconds: 0.2 } },
    });
});

test.each(['none', 'starttls', 'full'] as const)('through the guard, security %s', async (tls) => {
  const server = await sink({ tls });
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const smtpUrl = server.url.replace('127.0.0.1', 'localhost');
  const authorities = [server.certificate];
  const refused = mailer({ smtpUrl, authorities, guard: createAddressGuard({ allow: [], resolve }) });
  expect(await refused.sendMail(mail(), meta)).toMatchObject({
    retry: false,
    reason: { word: 'delivery.blockedAddress', params: { address: '127.0.0.1' } },
  });
  expect(server.connections).toBe(0);
  const literal = mailer({ smtpUrl: server.url, authorities, guard: createAddressGuard({ allow: [] }) });
  expect((await literal.sendMail(mail(), meta)).reason.word).toBe('delivery.blockedAddress');
  const allowed = mailer({
    smtpUrl,
    authorities,
    guard: createAddressGuard({ allow: ['127.0.0.1'], resolve }),
  });
  expect(await allowed.sendMail(mail(), meta)).toMatchObject({ outcome: 'succeeded' });
  expect(server.mails[0]!.secure).toBe(tls !== 'none');
});

test('through the guard, a name that never resolves and a closed port', async () => {
  const never = createAddressGuard({ allow: ['127.0.0.1'], resolve: () => new Promise(() => {}) });
  const slow = mailer({ smtpUrl: 'smtp://mail.example', guard: never, timeouts: { connect: 100 } });
  expect((await slow.sendMail(mail(), meta)).reason).toEqual({
    word: 'delivery.timeout',
    params: { seconds: 0.1 },
  });
  const gone = await startSmtpSink();
  await gone.close();
  const closed = mailer({ smtpUrl: gone.url, guard: createAddressGuard({ allow: ['127.0.0.1'] }) });
  expect((await closed.sendMail(mail(), meta)).reason).toEqual({
    word: 'delivery.connection',
    params: { detail: 'ECONNREFUSED' },
  });
});
