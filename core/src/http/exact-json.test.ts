import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, parseExact, printExact } from './exact-json.ts';
import { send } from './transport.ts';

const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/);

describe('exact JSON', () => {
  it('keeps every digit', () => {
    fc.assert(
      fc.property(digits, digits, (posX, other) => {
        const text = `{"posX":${posX},"list":[${other},"${other}"],"__proto__":${other}}`;
        expect(printExact(parseExact(text))).toBe(text);
        expect((parseExact(`{"posX":${posX}}`, ['posX']) as { posX: ExactNumber }).posX.digits).toBe(posX);
      }),
    );
  });
  it('is JSON.parse and JSON.stringify where no field is named', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseExact(text, [])).toEqual(JSON.parse(text));
        expect(printExact(parseExact(text, []))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
  it.each(['{1:2}', '01', '1.', '-', '{"a":1e}', '', '['.repeat(9000) + ']'.repeat(9000)])(
    'refuses %.20s',
    (text) => expect(() => parseExact(text)).toThrow(SyntaxError),
  );
  it('refuses digits that are no number', () =>
    expect(() => new ExactNumber('1,"x":2')).toThrow(SyntaxError));
  it('goes over the wire both ways', async () => {
    const sent: unknown[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      sent.push(init.body);
      return new Response(String(init.body), { headers: { 'content-type': 'application/json' } });
    };
    const body = { posX: new ExactNumber('0.10000000000000000001'), n: 1 };
    const request = { method: 'PUT', path: '/x', body, exact: ['posX', 'posY'] };
    expect((await send({ fetch, origin: 'http://a.test' }, request)).data).toEqual(body);
    expect(sent).toEqual(['{"posX":0.10000000000000000001,"n":1}']);
  });
});
