// Mails to receive slots, from a real SMTP client and from a raw socket, up to the resulting event.
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { receiveMail } from '../../src/commands/receive-mail-command.ts';
import { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { MessageItem } from '../support/item-types.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
interface Slot {
  receiveSlotId: string;
  kind: string;
  primary: string;
  secondary: string;
}
type Detail = MessageItem & {
  summary: string;
  receiveSlotKind: string;
  content: {
    subject: string;
    text: string;
    html: string;
    attachments: { index: number; contentType: string }[];
    cut: string[];
  };
  metadata: { from: Body; recipient: string; headers: Record<string, string> };
};
const api = '/api/apps/alerthub';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  let clock: ManualClock;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    server = await startTestServer({
      engine,
      clock,
      env: { YAGURA_MAIL_PORT: '0', YAGURA_MAIL_MEGABYTES: '1', YAGURA_SLOT_RATE: '20' },
    });
    if (server) callApi = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  async function makeSlot(change: Body = {}): Promise<Slot> {
    const body = { displayName: `mail slot ${++count}`, kind: 'email', ...change };
    const { status, data } = await callApi('POST', `${api}/receive-slots`, body);
    expect(status).toBe(201);
    return data as Slot;
  }

  async function send(mail: SendMailOptions): Promise<string> {
    const client = createTransport({ host: '127.0.0.1', port: server!.mailPort!, ignoreTLS: true });
    try {
      const { response } = await client.sendMail({ from: 'Backup <backup@example.com>', ...mail });
      return response;
    } catch (error) {
      return (error as { response?: string }).response ?? String(error);
    } finally {
      client.close();
    }
  }

  async function messagesOf(slot: Slot): Promise<Detail[]> {
    await server!.settled();
    const filter = encodeURIComponent(`receiveSlotId eq "${slot.receiveSlotId}"`);
    const { data } = await callApi('GET', `${api}/message/list?sort=receivedAt&filter=${filter}`);
    const { items } = data as { items: MessageItem[] };
    return Promise.all(
      items.map(async ({ messageId }) => {
        const shown = await callApi('GET', `${api}/message/detail/${messageId}`);
        return shown.data as Detail;
      }),
    );
  }

  test('a slot of mails has two addresses that any mail system keeps as they are', async () => {
    const slot = await makeSlot();
    for (const address of [slot.primary, slot.secondary]) expect(address).toMatch(/^[a-z2-7]{32}@localhost$/);
    expect(slot.primary).not.toBe(slot.secondary);
  });

  test('a mail is stored with what it says and raises the event of its rule', async () => {
    const slot = await makeSlot();
    const scope = (await callApi('POST', `${api}/scopes`, {
      displayName: 'mailed',
      thresholds: { warning: 1, incident: 2 },
    })) as { data: { scopeId: string } };
    const rule = await callApi('POST', `${api}/rules`, {
      displayName: 'backup failed',
      receiveSlotId: slot.receiveSlotId,
      flow: {
        steps: [
          {
            operatorId: 'text-compare',
            params: { source: 'message.content.subject', comparison: 'contains', value: '失敗' },
          },
          {
            operatorId: 'text-compare',
            params: {
              source: 'message.metadata.from.email',
              comparison: 'equals',
              value: 'backup@example.com',
            },
          },
        ],
      },
      eventParams: [{ scopeId: scope.data.scopeId, delta: 2 }],
    });
    expect(rule.status).toBe(201);
    const response = await send({
      to: slot.primary,
      subject: 'バックアップに失敗しました',
      text: '.\n.. 点で始まる行\n本文',
      html: '<p>本文</p>',
      attachments: [{ filename: '結果.csv', content: 'a,b\n', contentType: 'text/csv' }],
    });
    expect(response).toMatch(/^250 2\.6\.0 stored as [0-9a-f-]{36}$/);
    const [message] = await messagesOf(slot);
    expect(message).toMatchObject({
      receiveSlotKind: 'email',
      summary: 'バックアップに失敗しました',
      ruleResult: { matched: 1, total: 1 },
      content: {
        subject: 'バックアップに失敗しました',
        text: '.\n.. 点で始まる行\n本文',
        html: '<p>本文</p>',
        attachments: [{ index: 2, filename: '結果.csv', contentType: 'text/csv', size: 4 }],
        cut: [],
      },
      metadata: { from: { name: 'Backup', email: 'backup@example.com' }, recipient: slot.primary },
    });
    expect(message!.metadata.headers.subject).toBe('バックアップに失敗しました');
    const shown = await callApi('GET', `${api}/scopes/${scope.data.scopeId}`);
    expect(shown.data).toMatchObject({ status: 'incident', severity: 2 });
  });

  test('the address is known in capitals and behind another host', async () => {
    const slot = await makeSlot();
    const [name] = slot.primary.split('@');
    expect(await send({ to: `${name!.toUpperCase()}@relay.example.com`, text: 'x' })).toMatch(/^250 /);
    expect(await messagesOf(slot)).toHaveLength(1);
  });

  test('one mail to both addresses, or sent again, is one message', async () => {
    const slot = await makeSlot();
    const mail = { messageId: '<same@example.com>', date: new Date(0), subject: 'once', text: 'once' };
    const first = await send({ ...mail, to: [slot.primary, slot.secondary] });
    expect(await send({ ...mail, to: slot.secondary })).toBe(first);
    expect(await messagesOf(slot)).toHaveLength(1);
    // A device that reuses one message id for every mail still sends different messages.
    expect(await send({ ...mail, to: slot.primary, text: 'twice' })).toMatch(/^250 /);
    expect(await messagesOf(slot)).toHaveLength(2);
  });

  test('a mail for several slots is a message in each of them', async () => {
    const slots = [await makeSlot(), await makeSlot(), await makeSlot()];
    expect(await send({ to: slots.map((slot) => slot.primary), subject: 'all', text: 'x' })).toMatch(/^250 /);
    for (const slot of slots) expect(await messagesOf(slot)).toHaveLength(1);
  });

  test('refuses unknown, replaced and disabled addresses and those of webhooks', async () => {
    const slot = await makeSlot();
    const renewed = await callApi('POST', `${api}/receive-slots/${slot.receiveSlotId}/regenerate`, {
      address: 'secondary',
    });
    expect(renewed.status).toBe(200);
    const after = renewed.data as Slot;
    expect(after).toMatchObject({ primary: slot.primary, kind: 'email' });
    expect(after.secondary).not.toBe(slot.secondary);
    const unknown = '550 5.1.1 no receive slot has this address';
    expect(await send({ to: slot.secondary, text: 'x' })).toBe(unknown);
    expect(await send({ to: `${'a'.repeat(32)}@localhost`, text: 'x' })).toBe(unknown);
    expect(await send({ to: 'postmaster@localhost', text: 'x' })).toBe(unknown);
    const webhook = await makeSlot({ kind: 'webhook' });
    expect(await send({ to: `${webhook.primary.split('/').pop()}@localhost`, text: 'x' })).toBe(unknown);
    expect(await send({ to: after.secondary, text: 'x' })).toMatch(/^250 /);
    await callApi('PUT', `${api}/receive-slots/${slot.receiveSlotId}`, {
      displayName: 'off',
      kind: 'email',
      disabled: true,
    });
    expect(await send({ to: slot.primary, text: 'x' })).toBe('550 5.2.1 this receive slot is disabled');
  });

  test('the kind of a slot stays', async () => {
    const slot = await makeSlot();
    const changed = await callApi('PUT', `${api}/receive-slots/${slot.receiveSlotId}`, {
      displayName: 'other',
      kind: 'webhook',
    });
    expect(changed.status).toBe(400);
    expect(changed.data).toMatchObject({ invalidParams: [{ name: 'kind' }] });
  });

  test('a slot takes only so many in a minute, and more in the next one', async () => {
    const slot = await makeSlot();
    const client = createTransport({
      host: '127.0.0.1',
      port: server!.mailPort!,
      ignoreTLS: true,
      pool: true,
    });
    const mail = { from: 'a@example.com', to: slot.primary, text: 'x' };
    for (let sent = 0; sent < 20; sent++) await client.sendMail(mail);
    await expect(client.sendMail(mail)).rejects.toMatchObject({ responseCode: 450 });
    clock.advance(60_000);
    await expect(client.sendMail(mail)).resolves.toMatchObject({ accepted: [slot.primary] });
    client.close();
  });

  test('a mail over the limit is refused after its end, and the connection goes on', async () => {
    const slot = await makeSlot();
    const big = `Subject: big\r\n\r\n${`${'x'.repeat(98)}\r\n`.repeat(12_000)}`;
    const replies = await talk(server!.mailPort!, [
      'EHLO here',
      `MAIL FROM:<a@example.com>\r\nRCPT TO:<${slot.primary}>\r\nDATA`,
      `${big}.`,
      `MAIL FROM:<>\r\nRCPT TO:<${slot.primary}>\r\nDATA`,
      'Subject: small\r\n\r\nx\r\n.',
      'QUIT',
    ]);
    expect(replies.filter((reply) => reply.startsWith('552'))).toEqual([
      '552 5.3.4 a mail may have at most 1 MB',
    ]);
    expect(await messagesOf(slot)).toMatchObject([{ content: { subject: 'small' } }]);
  });

  test('a declared size over the limit is refused before the data, with the same code and text', async () => {
    const slot = await makeSlot();
    const replies = await talk(server!.mailPort!, [
      'EHLO here',
      'MAIL FROM:<a@example.com> SIZE=2000000',
      `MAIL FROM:<a@example.com> SIZE=1000\r\nRCPT TO:<${slot.primary}>`,
      'QUIT',
    ]);
    expect(replies.filter((reply) => reply.startsWith('552'))).toEqual([
      '552 5.3.4 a mail may have at most 1 MB',
    ]);
    expect(replies).toContain('250 Accepted');
  });

  test('an empty mail is refused, as over HTTP', async () => {
    const slot = await makeSlot();
    const replies = await talk(server!.mailPort!, [
      'EHLO here',
      `MAIL FROM:<>\r\nRCPT TO:<${slot.primary}>\r\nDATA`,
      '.',
      'QUIT',
    ]);
    expect(replies).toContain('554 5.6.0 the mail is empty');
    expect(await messagesOf(slot)).toHaveLength(0);
  });

  test('a detail after a plus sign belongs to the address, and rules can read it', async () => {
    const slot = await makeSlot();
    const to = slot.primary.replace('@', '+Backup@');
    expect(await send({ to, subject: 'detail', text: 'x' })).toMatch(/^250 /);
    expect(await messagesOf(slot)).toMatchObject([{ metadata: { recipient: to } }]);
  });

  test('commands may come all at once, and dots at the beginning of lines are kept', async () => {
    const slot = await makeSlot();
    await talk(server!.mailPort!, [
      'EHLO here',
      `MAIL FROM:<a@example.com>\r\nRCPT TO:<${slot.primary}>\r\nRCPT TO:<${'b'.repeat(32)}@x>\r\nDATA`,
      'Subject: dots\r\n\r\n..one\r\n...two\r\nthree.\r\n.',
      'QUIT',
    ]);
    const [message] = await messagesOf(slot);
    expect(message!.content.text).toBe('.one\n..two\nthree.\n');
  });

  test('a mail that goes in circles is refused', async () => {
    const slot = await makeSlot();
    const hops = 'Received: from a by b; Thu, 1 Jan 1970 00:00:00 +0000\r\n'.repeat(101);
    const replies = await talk(server!.mailPort!, [
      'EHLO here',
      `MAIL FROM:<>\r\nRCPT TO:<${slot.primary}>\r\nDATA`,
      `${hops}Subject: round\r\n\r\nx\r\n.`,
      'QUIT',
    ]);
    expect(replies).toContain('554 5.4.6 the mail was passed on 101 times');
    expect(await messagesOf(slot)).toHaveLength(0);
  });

  test('whoever guesses addresses is sent away', async () => {
    const lines = Array.from({ length: 25 }, (_, index) => `RCPT TO:<${'c'.repeat(30)}${index + 22}@x>`);
    const replies = await talk(server!.mailPort!, ['EHLO here', 'MAIL FROM:<>', ...lines]);
    expect(replies.at(-1)).toBe('421 4.7.0 too many unknown addresses');
  });

  test('a mail server hands mails over by HTTP', async () => {
    const slot = await makeSlot();
    const raw = 'From: a@example.com\nSubject: =?utf-8?B?44OR44Kk44OX?=\n\nfrom a pipe\n';
    const post = (address: string, body: string) =>
      fetch(`${server!.origin}/receive/mail/${encodeURIComponent(address)}`, { method: 'POST', body });
    expect((await post(slot.primary, raw)).status).toBe(202);
    expect((await post(`${'d'.repeat(32)}@x`, raw)).status).toBe(404);
    expect((await post(slot.primary, '')).status).toBe(400);
    expect((await post(slot.primary, 'x'.repeat(2 << 20))).status).toBe(413);
    expect(await messagesOf(slot)).toMatchObject([{ content: { subject: 'パイプ', text: 'from a pipe\n' } }]);
  });

  test('a command hands mails over and says what becomes of them', async () => {
    const slot = await makeSlot();
    const run = async (mail: string, ...args: string[]) => {
      const said: string[] = [];
      const input = Readable.from([Buffer.from(mail)]);
      const code = await receiveMail({ args, env: {}, input, say: (line) => said.push(line) });
      return { code, said: said.join('\n') };
    };
    const { origin } = server!;
    const mail = 'From: cron@example.com\nSubject: by command\n\nx\n';
    expect(await run(mail, '--server', origin, '--slot', slot.primary)).toEqual({ code: 0, said: '' });
    expect(await messagesOf(slot)).toMatchObject([{ content: { subject: 'by command' } }]);
    const unknown = await run(mail, '--server', origin, '--slot', `${'e'.repeat(32)}@x`);
    expect(unknown).toEqual({ code: 67, said: 'no receive slot has this address' });
    expect(await run('', '--server', origin, '--slot', slot.primary)).toMatchObject({ code: 65 });
    expect(await run(mail, '--slot')).toMatchObject({ code: 64 });
    expect(await run(mail, '--server', 'ftp://x', '--slot', slot.primary)).toMatchObject({ code: 64 });
    const away = await run(mail, '--server', 'http://127.0.0.1:9', '--slot', slot.primary);
    expect(away).toEqual({
      code: 75,
      said: 'The server cannot be reached: http://127.0.0.1:9 (bad port)',
    });
    const other = createServer((request, response) => {
      const type = request.url!.endsWith('json') ? 'application/json' : 'text/html';
      response
        .writeHead(404, { 'content-type': type })
        .end(type === 'text/html' ? '<html>' : '{"title":"No"}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    for (const name of ['html', 'json'])
      expect(await run(mail, '--server', address, '--slot', name)).toEqual({
        code: 75,
        said: `${address} did not respond as a Yagura server does (status 404)`,
      });
    other.close();
    for (let sent = 1; sent < 20; sent++)
      await run(`${mail}${sent}`, '--server', origin, '--slot', slot.primary);
    expect(await run(mail, '--server', origin, '--slot', slot.primary)).toMatchObject({ code: 75 });
    await callApi('PUT', `${api}/receive-slots/${slot.receiveSlotId}`, {
      displayName: 'command off',
      kind: 'email',
      disabled: true,
    });
    expect(await run(mail, '--server', origin, '--slot', slot.primary)).toMatchObject({ code: 69 });
  });

  test('bytes, attachments and HTML leave as files that do no harm', async () => {
    const slot = await makeSlot();
    const png = Buffer.from('iVBORw0KGgo=', 'base64');
    await send({
      to: slot.primary,
      subject: 'files',
      html: `<p onclick="x()">safe</p><script>alert(1)</script><img src="http://example.com/t.png" alt="far">
        <img src="cid:logo@x"><a href="javascript:x()">link</a><style>@import url(http://example.com)</style>
        <iframe src="http://example.com"></iframe><form action="http://example.com"><input name=a></form>`,
      attachments: [
        { filename: '報告"書.html', content: '<script>alert(1)</script>', contentType: 'text/html' },
        { filename: 'logo.png', content: png, cid: 'logo@x' },
      ],
    });
    const [message] = await messagesOf(slot);
    const path = `${api}/message/detail/${message!.messageId}`;
    const report = message!.content.attachments.find(({ contentType }) => contentType === 'text/html')!;
    const file = await callApi('GET', `${path}/attachment?index=${report.index}`);
    expect(file).toMatchObject({ status: 200, text: '<script>alert(1)</script>' });
    expect(file.headers.get('content-disposition')).toBe(
      'attachment; filename="____.html"; filename*=UTF-8\'\'%E5%A0%B1%E5%91%8A_%E6%9B%B8.html',
    );
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    const html = await callApi('GET', `${path}/html`);
    expect(html.headers.get('content-security-policy')).toContain("sandbox; default-src 'none'");
    expect(html.text).toContain('<p>safe</p>');
    expect(html.text).toContain('data:image/png;base64,iVBORw0KGgo=');
    for (const evil of ['<script', 'onclick', 'http://example.com', '<iframe', '<form', 'href', '@import'])
      expect(html.text).not.toContain(evil);
    const raw = await callApi('GET', `${path}/raw`);
    expect(raw.type).toBe('message/rfc822');
    expect(raw.text).toContain('Subject: files');
    expect((await callApi('GET', `${path}/attachment?index=99`)).status).toBe(404);
    expect((await callApi('GET', `${path}/attachment?index=x`)).data).toMatchObject({
      invalidParams: [{ name: 'index' }],
    });
    const plain = await makeSlot();
    await send({ to: plain.primary, text: 'no page' });
    const [text] = await messagesOf(plain);
    expect((await callApi('GET', `${api}/message/detail/${text!.messageId}/html`)).status).toBe(404);
  });

  test('nothing that was sent went wrong in the log', () => {
    expect(server!.logLines.filter((line) => line.level === 'error')).toEqual([]);
  });
});

/** Raw SMTP dialog: each entry is sent after the reply to the previous one; returns the reply lines. */
function talk(port: number, entries: string[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const replies: string[] = [];
    const waiting = [...entries];
    let rest = '';
    let due = 1;
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(20_000, () => socket.destroy(new Error('no reply')));
    socket.on('data', (chunk) => {
      rest += chunk.toString('utf8');
      const lines = rest.split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (/^\d{3}-/.test(line)) continue;
        replies.push(line);
        due--;
      }
      if (due > 0) return;
      const next = waiting.shift();
      if (next === undefined) return;
      due = next.endsWith('\r\n.') ? 1 : next.split('\r\n').length;
      socket.write(`${next}\r\n`);
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(replies));
  });
}
