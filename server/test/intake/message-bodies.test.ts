// Bodies of senders in every format: stored byte for byte, and read as data by rules and by the message page.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const api = '/api/apps/alerthub';

describe('bodies', () => {
  let server: TestServer;
  let callApi: ApiCall;
  let slot: { receiveSlotId: string; primary: string };

  beforeAll(async () => {
    server = (await startTestServer({ engine: 'embedded' }))!;
    callApi = createApiCall(server.transportAs('privileged'));
    slot = (await callApi('POST', `${api}/receive-slots`, { displayName: 'bodies' })).data as typeof slot;
  });
  afterAll(() => server.stop());

  interface Stored {
    messageId: string;
    summary: string;
    content: { body: string; data?: unknown; dataError?: string; cut?: string[] };
  }
  const send = async (body: Buffer, headers: Record<string, string>, query = ''): Promise<Stored> => {
    const init = { method: 'POST', body: new Uint8Array(body), headers };
    const reply = await fetch(slot.primary, init);
    expect(reply.status).toBe(202);
    const { messageId } = (await reply.json()) as { messageId: string };
    await server.settled();
    const message = (await callApi('GET', `${api}/message/detail/${messageId}${query}`)).data as Stored;
    const raw = await server
      .transportAs('privileged')
      .fetch(`${server.origin}${api}/message/detail/${messageId}/raw`, {
        headers: await server.transportAs('privileged').headers!(),
      });
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(body);
    return message;
  };
  /** What a rule writes to a severity name when it reads this path. */
  const readByRule = async (messageId: string, path: string): Promise<unknown> => {
    const steps = [{ operatorId: 'exists', params: { source: path } }];
    const rule = {
      receiveSlotId: slot.receiveSlotId,
      flow: { steps },
      eventParams: [],
      conditionalEventParams: [],
    };
    const { data } = await callApi('POST', `${api}/rules/test`, { rule, messageId });
    const why = (data as { why: { rules: { steps: { seen: string | null }[] }[] } }).why;
    return why.rules[0]?.steps[0]?.seen;
  };

  const json = '{"title":"異常","id":12345678901234567890}';
  const jsonHeaders = { 'content-type': 'application/json' };
  const shiftJis = Buffer.from([...Buffer.from('{"title":"'), 0x88, 0xd9, 0x8f, 0xed, ...Buffer.from('"}')]);
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');

  test.each<[string, Buffer, Record<string, string>]>([
    ['UTF-8', Buffer.from(json), jsonHeaders],
    ['a byte order mark', Buffer.from(`\ufeff${json}`), jsonHeaders],
    ['Shift_JIS', shiftJis, { 'content-type': 'application/json; charset=Shift_JIS' }],
    ['UTF-16 by charset', utf16(json), { 'content-type': 'application/json; charset=utf-16le' }],
    ['UTF-16 by byte order mark', utf16(`\ufeff${json}`), jsonHeaders],
    [
      'UTF-16 of the other order',
      utf16(`\ufeff${json}`).swap16(),
      { 'content-type': 'text/plain; charset="utf-16"' },
    ],
    ['gzip', gzipSync(json), { ...jsonHeaders, 'content-encoding': 'gzip' }],
    ['deflate', deflateSync(json), { ...jsonHeaders, 'content-encoding': 'deflate' }],
    ['deflate without its header', deflateRawSync(json), { ...jsonHeaders, 'content-encoding': 'deflate' }],
    ['Brotli', brotliCompressSync(json), { ...jsonHeaders, 'content-encoding': 'br' }],
    [
      'a form',
      Buffer.from('title=%E7%95%B0%E5%B8%B8'),
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ])('%s is data', async (_name, body, headers) => {
    const message = await send(body, headers);
    expect(message.content.dataError).toBeUndefined();
    expect(message.content.data).toMatchObject({ title: '異常' });
    expect(message.summary).toBe('異常');
    expect(await readByRule(message.messageId, 'message.content.data.title')).toBe('異常');
  });

  test('a rule reads every digit of a number', async () => {
    const { messageId } = await send(Buffer.from(json), jsonHeaders);
    expect(await readByRule(messageId, 'message.content.data.id')).toBe('12345678901234567890');
  });

  test('the fields of a multipart form are data, and its files are described', async () => {
    const form = new FormData();
    form.append('state', '異常');
    form.append('host', 'web1');
    form.append('host', 'web2');
    form.append('payload', '{"title":"disk full"}');
    form.append(
      'graph',
      new File([Uint8Array.from([0xff, 0x0a, 0x0d, 0x0a])], 'グラフ.png', { type: 'image/png' }),
    );
    const encoded = new Response(form);
    const contentType = encoded.headers.get('content-type')!;
    const message = await send(Buffer.from(await encoded.arrayBuffer()), { 'content-type': contentType });
    expect(message.content.data).toEqual({
      state: '異常',
      host: ['web1', 'web2'],
      payload: { title: 'disk full' },
      graph: { filename: 'グラフ.png', contentType: 'image/png', size: 4 },
    });
    expect(message.summary).toBe('[異常] disk full');
    expect(await readByRule(message.messageId, 'message.content.data.graph.size')).toBe('4');
  });

  const bomb = gzipSync(Buffer.alloc(8 << 20, ' '));
  test.each<[string, Buffer, Record<string, string>, string]>([
    ['JSON that is cut', Buffer.from('{"a":'), jsonHeaders, 'not valid JSON: unexpected end'],
    ['XML that is cut', Buffer.from('<a><b>'), { 'content-type': 'text/xml' }, 'element "b"'],
    ['no gzip', Buffer.from('{}'), { ...jsonHeaders, 'content-encoding': 'gzip' }, 'not valid gzip data'],
    ['a gzip bomb', bomb, { ...jsonHeaders, 'content-encoding': 'gzip' }, 'larger than 524288 bytes'],
    [
      'two encodings',
      gzipSync(gzipSync('{}')),
      { ...jsonHeaders, 'content-encoding': 'gzip, gzip' },
      '"gzip, gzip"',
    ],
    ['an encoding that is unknown', Buffer.from('{}'), { 'content-encoding': 'zstd' }, '"zstd"'],
    ['a form without boundary', Buffer.from('a'), { 'content-type': 'multipart/form-data' }, 'no boundary'],
    [
      'a form of too many parts',
      Buffer.from('--b\r\n\r\n\r\n'.repeat(1100)),
      { 'content-type': 'multipart/form-data; boundary=b' },
      'too many parts',
    ],
  ])('%s is stored with the reason', async (_name, body, headers, expected) => {
    const { content, messageId } = await send(body, headers);
    expect(content.dataError).toContain(expected);
    expect(content.data).toBeUndefined();
    expect(await readByRule(messageId, 'message.content.data')).toBeNull();
  });

  test('a large body is read in another thread, and its beginning can be asked for', async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => ({
      host: `web${index}`,
      random: Math.imul(index, 2654435761),
    }));
    const text = JSON.stringify({ title: '異常', items });
    const body = gzipSync(text);
    const headers = { ...jsonHeaders, 'content-encoding': 'gzip' };
    expect(body.length).toBeLessThan(256 << 10);
    expect((await send(body, headers)).content.data).toEqual(JSON.parse(text));
    const cut = (await send(body, headers, '?contentLimit=1000')).content;
    expect(cut.cut).toEqual(['body']);
    expect(cut.body.length).toBeGreaterThan(1000);
    expect(text.startsWith(cut.body)).toBe(true);
    const plain = (await send(Buffer.from(text), jsonHeaders)).content;
    expect(plain).toEqual({ body: text, data: JSON.parse(text) });
  });
});
