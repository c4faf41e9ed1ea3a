import { expect, test } from 'vitest';
import { toMessage } from './message-row.ts';

test('the body of a message is decoded once, when it is first read', () => {
  let decodings = 0;
  const body = Object.assign(Buffer.from('{"level":"critical"}'), {
    toString(this: Buffer, encoding?: BufferEncoding) {
      decodings += 1;
      return Buffer.prototype.toString.call(this, encoding);
    },
  });
  const { content, readData } = toMessage({
    message_id: '01890000-0000-7000-8000-000000000000',
    received_at: '2026-01-02T03:04:05.000Z',
    receive_slot_id: '01890000-0000-7000-8000-000000000001',
    receive_slot_kind: 'webhook',
    request_url: 'https://yagura.example/receive/x',
    headers: { 'content-type': 'application/json' },
    mail: null,
    body,
  });
  expect(decodings).toBe(0);
  expect(content.body).toBe('{"level":"critical"}');
  expect(readData?.()).toEqual({ data: { level: 'critical' } });
  expect(decodings).toBe(1);
});
