// Posts of senders: stored unchanged or rejected with a reason, and never blocking later ones.
import { connect } from 'node:net';
import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import type { MessageItem } from '../support/item-types.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let callApi: ApiCall;
  let slot: { receiveSlotId: string; primary: string };

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    callApi = createApiCall(server.transportAs('privileged'));
    slot = (await callApi('POST', `${api}/receive-slots`, { displayName: 'receiver' })).data as typeof slot;
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  type Detail = MessageItem & {
    content: { body: string; data?: unknown };
    metadata: { requestUrl: string; headers: Record<string, string> };
  };
  const stored = async (reply: Response): Promise<Detail> => {
    expect(reply.status).toBe(202);
    const { messageId } = (await reply.json()) as { messageId: string };
    await server!.settled();
    return (await callApi('GET', `${api}/message/detail/${messageId}`)).data as Detail;
  };
  const total = async () => ((await callApi('GET', `${api}/message/list`)).data as { total: number }).total;

  test.each([
    ['JSON', '{"a":1}', { data: { a: 1 } }],
    ['JSON that is wrong', '{"a":', { dataError: expect.stringContaining('unexpected end') }],
    ['text', 'disk full\nreally', { dataError: expect.stringContaining('not valid JSON') }],
    ['nothing', '', {}],
    ['Japanese text', '障害が発生しました 🔥', { dataError: expect.stringContaining('not valid JSON') }],
  ])('%s is kept as it came', async (_name, body, expected) => {
    const message = await stored(await post(slot.primary, body));
    expect(message.content).toEqual({ body, ...expected });
    expect(message.size).toBe(Buffer.byteLength(body));
    expect(message.evaluatedAt).not.toBeNull();
  });

  test.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/octet-stream',
    'nonsense',
    'a/b; c="d',
  ])('takes the content type %s', async (type) => {
    const message = await stored(
      await fetch(slot.primary, {
        method: 'POST',
        body: Buffer.from(`body of ${type}`),
        headers: type === undefined ? {} : { 'content-type': type },
      }),
    );
    expect(message.content.body).toBe(`body of ${type}`);
    expect(message.metadata.headers['content-type']).toBe(type);
  });

  test('bytes that are no text become replacement characters', async () => {
    const message = await stored(await post(slot.primary, Uint8Array.from([0x61, 0xff, 0x00, 0x62])));
    expect(message).toMatchObject({ size: 4, content: { body: 'a\ufffd\u0000b' }, summary: 'a\ufffd b' });
  });

  test('credentials of the sender are not kept', async () => {
    const headers = { authorization: 'Bearer canary-1', cookie: 'canary-2', 'x-other': 'kept' };
    const message = await stored(await post(slot.primary, '{"n":1}', headers));
    expect(message.metadata.headers).toMatchObject({
      authorization: '[removed]',
      cookie: '[removed]',
      'x-other': 'kept',
    });
    expect(JSON.stringify(message)).not.toContain('canary');
  });

  test('of the address that it came to a message keeps all but the token', async () => {
    const { pathname } = new URL(slot.primary);
    const token = pathname.split('/').at(-1)!;
    const masked = `/receive/webhook/****${token.slice(-4)}`;
    const headers = { 'x-original-uri': pathname, referer: slot.primary };
    const message = await stored(await post(`${slot.primary}/?from=a%20b`, '{"n":2}', headers));
    const { metadata, messageId } = message;
    expect(metadata.requestUrl).toBe(`${new URL(slot.primary).origin}${masked}/?from=a%20b`);
    expect(metadata.headers['x-original-uri']).toBe(masked);
    expect(JSON.stringify(message)).not.toContain(token);
    const encoded = slot.primary.replace(token, `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`);
    expect((await stored(await post(encoded, '{"n":3}'))).metadata.requestUrl).toMatch(
      new RegExp(`${masked.replaceAll('*', '.')}$`),
    );
    // As stored by an earlier release.
    const values = [messageId, slot.primary];
    await server!.services.database.query(
      'update message set request_url = $2 where message_id = $1',
      values,
    );
    const shown = (await callApi('GET', `${api}/message/detail/${messageId}`)).data as Detail;
    expect(shown.metadata.requestUrl).toBe(new URL(slot.primary).origin + masked);
  });

  test('a body of 10 MB is taken and one above is refused', async () => {
    const max = Buffer.alloc(10 * 1024 * 1024, 'x');
    const before = await total();
    const reply = await post(slot.primary, Buffer.concat([max, Buffer.from('y')]));
    expect(reply.status).toBe(413);
    expect(reply.headers.get('content-type')).toContain('application/problem+json');
    expect(await total()).toBe(before);
    const message = await stored(await post(slot.primary, max));
    expect(message.size).toBe(max.length);
    expect(message.summary.length).toBeLessThanOrEqual(200);
  });

  test.each(['A'.repeat(43), 'short', '', 'x'.repeat(5000), '%00', '..%2f..', `${'A'.repeat(42)}'`])(
    'there is no slot at %j',
    async (token) => {
      const reply = await post(`${server!.origin}/receive/webhook/${token}`, '{}');
      expect(reply.status).toBe(404);
      expect(reply.headers.get('content-type')).toContain('application/problem+json');
      expect(await reply.text()).not.toContain(token || 'webhook');
    },
  );

  test('only POST reaches a slot', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const reply = await fetch(slot.primary, { method });
      expect(reply.status).toBe(405);
      expect(reply.headers.get('allow')).toBe('POST, HEAD, OPTIONS');
    }
  });

  test('10,000 headers are a 431', async () => {
    const head = Array.from({ length: 10_000 }, (_, index) => `x-${index}: 1`).join('\r\n');
    const path = new URL(slot.primary).pathname;
    const reply = await raw(
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${head}\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 431 /);
    expect(reply).toContain('content-type: application/problem+json');
    expect(reply).toContain('urn:yagura:problem:header-too-large');
  });

  test.each([
    ['garbage', '\u0001\u0002\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('%s on the wire is a 400 problem', async (_name, bytes) => {
    const reply = await raw(bytes);
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
    expect(reply).toContain('application/problem+json');
  });

  test('an upload that breaks off stores nothing', async () => {
    const before = await total();
    const path = new URL(slot.primary).pathname;
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`;
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server!.origin).port), '127.0.0.1', () => {
        socket.write(`${head}5\r\nhello\r\nff\r\npart`, () => socket.destroy());
      });
      socket.once('close', () => resolve());
    });
    await stored(await post(slot.primary, '{"after":"the cut"}'));
    expect(await total()).toBe(before + 1);
    expect(server!.logLines.filter((line) => line.level === 'error')).toEqual([]);
  });

  test('a pattern made to explode ends in time; what is too long for it fails its rule and says so', async () => {
    const rule = await callApi('POST', `${api}/rules`, {
      displayName: 'explosive',
      receiveSlotId: slot.receiveSlotId,
      flow: {
        steps: [
          { operatorId: 'regex-match', params: { source: 'message.content.body', pattern: '^(a+)+$' } },
        ],
      },
    });
    expect(rule.status, rule.text).toBe(201);
    const outcome = async (body: string) => {
      const message = await stored(await post(slot.primary, body));
      const why = (await callApi('GET', `${api}/message/detail/${message.messageId}/why`))
        .data as DecisionLog;
      return why.rules.find((one) => one.displayName === 'explosive')!;
    };
    expect((await outcome(`${'a'.repeat(50_000)}!`)).outcome).toBe('unmatched');
    const failed = await outcome('a'.repeat(2_000_000));
    expect(failed).toMatchObject({ outcome: 'failed', steps: [{ outcome: 'failed' }] });
    expect(failed.steps[0]!.reason.word).toMatch(/^why\./);
    expect((await outcome('aaaa')).outcome).toBe('matched');
  });

  /** The response to raw bytes. */
  function raw(bytes: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = '';
      const socket = connect(Number(new URL(server!.origin).port), '127.0.0.1', () => socket.write(bytes));
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(answer));
    });
  }
});
