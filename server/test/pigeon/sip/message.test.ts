// Messages: what is read and printed, limits, hostile input.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseHostPort,
  parseNameAddress,
  parseUri,
  parseVia,
  splitValue,
} from '../../../src/pigeon/sip/header-values.ts';
import {
  headerOf,
  headersOf,
  isRequest,
  MalformedMessage,
  maxMessageBytes,
  parseMessage,
  printMessage,
  type SipMessage,
} from '../../../src/pigeon/sip/message.ts';
import { StreamFramer } from '../../../src/pigeon/sip/stream-framer.ts';

const head = [
  'INVITE sip:1@carrier.test SIP/2.0',
  'v: SIP/2.0/UDP 10.0.0.2:5070 ; branch=z9hG4bK1;rport',
  'f: "Caller, \\"Inc\\" <x>"  <sip:2@carrier.test>;tag=a',
  't: <sip:1@carrier.test>',
  'i: abc@10.0.0.2',
  'CSEQ:  7 INVITE',
];
const message = (lines: readonly string[], body = '') => Buffer.from(`${[...lines, '', body].join('\r\n')}`);

test('compact names, folded lines, line feeds alone and repeated headers are read', () => {
  const bytes = message([...head, 'Route: <sip:a;lr>,', '\t<sip:b;lr>', 'Route: <sip:c;lr>', 'L: 2'], 'hi!');
  for (const one of [bytes, Buffer.from(bytes.toString().replaceAll('\r\n', '\n'))]) {
    const parsed = parseMessage(one);
    expect(headersOf(parsed, 'route')).toEqual(['<sip:a;lr>, <sip:b;lr>', '<sip:c;lr>']);
    expect(headerOf(parsed, 'call-id')).toBe('abc@10.0.0.2');
    expect(parsed.body.toString()).toBe('hi');
    expect(parseNameAddress(headerOf(parsed, 'From')!)).toEqual({
      uri: 'sip:2@carrier.test',
      params: new Map([['tag', 'a']]),
    });
    expect(parseVia(headerOf(parsed, 'Via')!)).toMatchObject({ host: '10.0.0.2', port: 5070 });
  }
});

test.each([
  ['an empty datagram', Buffer.alloc(0), false],
  ['no end of the headers', Buffer.from(head.join('\r\n')), false],
  ['another protocol', message(['GET / HTTP/1.1', ...head.slice(1)]), false],
  ['a status that does not exist', message(['SIP/2.0 999 X', ...head.slice(1)]), false],
  ['a header without a colon', message([...head, 'nonsense']), true],
  ['a zero byte', message([...head, 'X: a\0b']), false],
  ['a body that is too short', message([...head, 'Content-Length: 5'], 'four'), true],
  ['a length that is no number', message([...head, 'Content-Length: -1']), true],
  ['a number above the limit', message([...head.slice(0, 5), 'CSeq: 2147483648 INVITE']), true],
  ['CSeq of another method', message([...head.slice(0, 5), 'CSeq: 1 ACK']), true],
  ['no Call-ID', message(head.filter((line) => !line.startsWith('i:'))), true],
  ['201 headers', message([...head, ...Array(196).fill('X: y')]), false],
  ['more than 64 KiB', message([...head, `X: ${'y'.repeat(maxMessageBytes)}`]), false],
])('%s is malformed', (_name, bytes, answerable) => {
  let error: unknown;
  try {
    parseMessage(bytes);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(MalformedMessage);
  expect((error as MalformedMessage).request !== undefined).toBe(answerable);
});

test('200 headers are taken', () => {
  expect(parseMessage(message([...head, ...Array(195).fill('X: y')])).headers).toHaveLength(200);
});

test('a value with a line break is never printed', () => {
  const parsed = parseMessage(message(head));
  parsed.headers.push({ name: 'X', value: 'a\r\nBYE: b' });
  expect(() => printMessage(parsed)).toThrow('line break');
});

const word = fc.stringMatching(/^[A-Za-z0-9]{1,12}$/);
const text = fc.stringMatching(/^[!-~¡-ÿ]([ -~¡-ÿ]{0,20}[!-~¡-ÿ])?$/);
const messages: fc.Arbitrary<SipMessage> = fc
  .record({
    request: fc.boolean(),
    word,
    text,
    status: fc.integer({ min: 100, max: 699 }),
    headers: fc.array(fc.record({ name: word.map((name) => `X-${name}`), value: text }), { maxLength: 20 }),
    body: fc.uint8Array({ maxLength: 200 }),
  })
  .map(({ request, word, text, status, headers, body }) => ({
    ...(request ? { method: word, uri: `sip:${word}@a` } : { status, reason: text }),
    headers: [
      { name: 'Via', value: 'SIP/2.0/UDP a;branch=b' },
      { name: 'From', value: text },
      { name: 'To', value: text },
      { name: 'Call-ID', value: word },
      { name: 'CSeq', value: `${status} ${word}` },
      ...headers,
      { name: 'Content-Length', value: String(body.length) },
    ],
    body: Buffer.from(body),
  }));

describe('any message', () => {
  test('is read as it was printed, as a datagram and from a stream in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(messages, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 300 }),
        (all, size) => {
          expect(all.map((one) => parseMessage(printMessage(one)))).toEqual(all);
          const framed: SipMessage[] = [];
          let pings = 0;
          const framer = new StreamFramer({
            onMessage: (one) => framed.push(one),
            onMalformed: (error) => expect.unreachable(error.message),
            onPing: () => {
              pings += 1;
            },
          });
          const bytes = Buffer.concat(all.flatMap((one) => [printMessage(one), Buffer.from('\r\n\r\n')]));
          for (let at = 0; at < bytes.length; at += size) framer.push(bytes.subarray(at, at + size));
          expect(framed).toEqual(all);
          if (size >= bytes.length) expect(pings).toBe(all.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('with random bytes is refused without another error', () => {
    const pieces = fc.constantFrom(...head, '\r\n', ' ', ':', '<', '"', '\\', ';', ',', '\0', 'é', 'l: 9');
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
      fc.array(pieces, { maxLength: 40 }).map((parts) => Buffer.from(`${parts.join('\r\n')}\r\n\r\n`)),
    );
    fc.assert(
      fc.property(bytes, (all) => {
        const framer = new StreamFramer({ onMessage: () => {}, onMalformed: () => {}, onPing: () => {} });
        for (const take of [() => parseMessage(all), () => framer.push(all)]) {
          try {
            take();
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedMessage);
          }
        }
        const value = all.toString('latin1');
        for (const parse of [parseUri, parseVia, parseNameAddress, parseHostPort]) parse(value);
      }),
      { numRuns: 200 },
    );
  });
});

test.each([
  ['many lines', (length: number) => 'a:b\r\n'.repeat(length / 5)],
  ['one long line', (length: number) => `X: ${' ;,"<'.repeat(length / 5)}`],
  ['folded lines', (length: number) => `X: a\r\n${' \r\n'.repeat(length / 3)}`],
  ['quotes and escapes', (length: number) => `To: ${'"\\"<>'.repeat(length / 5)}`],
])('%s are read in linear time', (_name, make) => {
  const work = (length: number) => {
    const bytes = message([...head, make(length)]);
    const value = make(length);
    const begun = process.cpuUsage();
    for (let turn = 0; turn < 20; turn += 1) {
      try {
        parseMessage(bytes);
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error;
      }
      splitValue(value, ',');
      parseNameAddress(value);
      parseVia(value);
    }
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  let ratio = Number.POSITIVE_INFINITY;
  // Eight times the input; quadratic work would take 64 times as long. Other work only slows it down.
  for (let turn = 0; turn < 6 && ratio > 20; turn += 1) {
    ratio = Math.min(ratio, work(56_000) / Math.max(work(7_000), 1000));
  }
  expect(ratio).toBeLessThan(20);
});

describe('a stream', () => {
  const framer = () =>
    new StreamFramer({ onMessage: () => {}, onMalformed: (error) => errors.push(error), onPing: () => {} });
  const errors: MalformedMessage[] = [];

  test('is given up where the end of a message is unknown', () => {
    expect(() => framer().push(message(head))).toThrow('no Content-Length');
    expect(() =>
      framer().push(message([...head, 'Content-Length: 65000', `X: ${'y'.repeat(2000)}`])),
    ).toThrow('too large');
    const endless = framer();
    const line = Buffer.from(`X: ${'y'.repeat(30_000)}\r\n`);
    endless.push(Buffer.from(`${head[0]}\r\n`));
    endless.push(line);
    endless.push(line);
    expect(() => endless.push(line)).toThrow('too large');
  });

  test('goes on after a malformed message whose length is known', () => {
    framer().push(message([...head.slice(0, 4), 'CSeq: 1 INVITE', 'Content-Length: 0']));
    expect(errors.map((error) => [error.message, isRequest(error.request!)])).toEqual([['no Call-ID', true]]);
  });
});

test('URIs and addresses', () => {
  expect(parseUri('sips:%2381:pw@[::1]:5071;transport=TLS?X=y')).toEqual({
    ...{ scheme: 'sips', user: '#81', host: '::1', port: 5071 },
    params: new Map([['transport', 'TLS']]),
  });
  for (const wrong of ['tel:1', 'sip:', 'sip:a@', 'sip:a@b:0', 'sip:a@b:70000', 'sip:a@b c', 'sip:a@b"']) {
    expect(parseUri(wrong)).toBeUndefined();
  }
  expect(parseHostPort('a.test:5061')).toEqual({ host: 'a.test', port: 5061 });
});
