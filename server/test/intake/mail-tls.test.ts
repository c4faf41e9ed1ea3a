// STARTTLS for mails to receive slots (RFC 3207), with a real SMTP client and a misbehaving raw socket.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import { createSelfSigned } from '@yagura/fixtures/sink/self-signed';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const { key, certificate } = createSelfSigned();
let server: TestServer;
let callApi: ApiCall;

beforeAll(async () => {
  const env = { YAGURA_MAIL_PORT: '0', YAGURA_MAIL_TLS_CERT: certificate, YAGURA_MAIL_TLS_KEY: key };
  server = (await startTestServer({ engine: 'embedded', env }))!;
  callApi = createApiCall(server.transportAs('privileged'));
});
afterAll(() => server.stop());

const client = (ca: string) =>
  createTransport({ host: 'localhost', port: server.mailPort!, requireTLS: true, tls: { ca } });

test('a mail comes in over TLS, checked by the certificate, and is on disk with the 250', async () => {
  const { data } = await callApi('POST', '/api/apps/alerthub/receive-slots', {
    displayName: 'TLS',
    kind: 'email',
  });
  const { primary } = data as { primary: string };
  const mail = { from: 'ups@example.com', to: primary, subject: 'On battery', text: 'Line lost.' };
  const { response } = await client(certificate).sendMail(mail);
  expect(response).toMatch(/^250 /);
  await server.settled();
  const list = await callApi('GET', '/api/apps/alerthub/message/list');
  expect(list.data).toMatchObject({ items: [{ summary: 'On battery', receiveSlotKind: 'email' }] });
});

test('a client that trusts another certificate sends nothing', async () => {
  const other = client(createSelfSigned().certificate);
  await expect(other.sendMail({ from: 'ups@example.com', to: 'x@localhost', text: 'x' })).rejects.toThrow(
    /certificate|self-signed/,
  );
});

test('what was said before the handshake counts for nothing after it', async () => {
  const plain = connect(server.mailPort!, '127.0.0.1');
  const lines = createInterface({ input: plain })[Symbol.asyncIterator]();
  const last = async () => {
    for (;;) {
      const { value } = await lines.next();
      if (value[3] === ' ') return value as string;
    }
  };
  await last();
  plain.write('EHLO before.example\r\n');
  expect(await last()).toMatch(/^250 /);
  // An attacker in the path could inject plain-text commands; they must not be executed as if received over
  // TLS.
  plain.write('STARTTLS\r\nMAIL FROM:<forged@example.com>\r\n');
  expect(await last()).toMatch(/^220 /);
  plain.removeAllListeners('data');
  const secure = connectTls({ socket: plain, ca: certificate, servername: 'localhost' });
  const replies = createInterface({ input: secure })[Symbol.asyncIterator]();
  secure.write('RCPT TO:<x@localhost>\r\n');
  expect((await replies.next()).value).toMatch(/^503 /);
  secure.destroy();
});
