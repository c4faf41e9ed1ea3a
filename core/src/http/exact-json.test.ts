import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ExactNumber,
  JsonError,
  type JsonLimits,
  JsonTooLargeError,
  maxNumberLength,
  parseExactJson,
  parseJson,
  printExactJson,
} from './exact-json.ts';
import { send } from './transport.ts';

const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/);

/** The error of parsing a text that is refused. */
function errorOf(text: string, limits?: JsonLimits): JsonError {
  try {
    parseJson(text, limits);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
}

/** One spelling of each decimal value; the text itself for infinity. */
function spelled(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  const shown = significant.replace(/0+$/, '');
  if (sign === undefined) return text;
  return shown && `${sign}${shown}e${Number(exponent) - fraction.length + significant.length - shown.length}`;
}

describe('exact JSON', () => {
  it('keeps every digit', () => {
    fc.assert(
      fc.property(digits, digits, (posX, other) => {
        const text = `{"posX":${posX},"list":[${other},"${other}"],"__proto__":${other}}`;
        expect(printExactJson(parseExactJson(text))).toBe(text);
        expect((parseExactJson(`{"posX":${posX}}`, ['posX']) as { posX: ExactNumber }).posX.digits).toBe(
          posX,
        );
      }),
    );
  });
  it('is JSON.parse and JSON.stringify where no field is named', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseExactJson(text, [])).toEqual(JSON.parse(text));
        expect(printExactJson(parseExactJson(text, []))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
  it.each(['{1:2}', '01', '1.', '-', '{"a":1e}', '', '['.repeat(9000) + ']'.repeat(9000)])(
    'refuses %.20s',
    (text) => expect(() => parseExactJson(text)).toThrow(SyntaxError),
  );
  it('keeps the digits only of numbers that a double cannot hold', () => {
    const isNumber = (text: string) => typeof parseJson(text, { exact: 'lossy' }) === 'number';
    const held = ['-0', '0e400', '0.000', '1e5', '100000000000000000000', '3.141592653589793', '5e-324'];
    const alsoHeld = ['1.7976931348623157e308', '12345678901234567e3', '0.1000000000000000000000', '1e-7'];
    for (const text of [...held, ...alsoHeld]) expect([text, isNumber(text)]).toEqual([text, true]);
    const lost = ['1e400', '1e-400', '12345678901234567890', '0.12345678901234567891', '3.1415926535897931'];
    const alsoLost = ['9007199254740993', '90071992547409931e-5', '2e-324', '1.7976931348623158e308'];
    for (const text of [...lost, ...alsoLost]) expect([text, isNumber(text)]).toEqual([text, false]);
    fc.assert(
      fc.property(
        fc.oneof(digits, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
        (text) => {
          expect(isNumber(text)).toBe(spelled(text) === spelled(String(Number(text))));
        },
      ),
      { numRuns: 2000 },
    );
  });
  it('is JSON.parse for whatever bytes come', () => {
    const signs = fc.constantFrom(
      ...'{}[]":,.\\ \n\t\r0123-+eE"ab\u0001tfn',
      'true',
      'null',
      '\\u00e9',
      '\\x',
    );
    const outcome = (read: () => unknown) => {
      try {
        return { value: read() };
      } catch (error) {
        return { refused: error instanceof SyntaxError };
      }
    };
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(outcome(() => parseJson(text))).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: 5000 },
    );
  });
  it.each([
    ['[[[1]]]', { maxDepth: 2 }, { word: 'why.json.depth', params: { most: 2 } }],
    ['{"a":{"b":[]}}', { maxDepth: 2 }, { word: 'why.json.depth', params: { most: 2 } }],
    ['[1,2,3]', { maxValues: 3 }, { word: 'why.json.values', params: { most: 3 } }],
    ['{"a":1,"b":2}', { maxValues: 4 }, { word: 'why.json.values', params: { most: 4 } }],
    [
      `{"posX":1.${'0'.repeat(maxNumberLength)}}`,
      { exact: ['posX'] },
      { word: 'why.json.number', params: { most: 1000, column: 9 } },
    ],
  ])('stops at a bound: %s', (text, bounds, fault) => {
    const error = errorOf(text, bounds);
    expect(error).toBeInstanceOf(JsonTooLargeError);
    expect(error.fault).toEqual(fault);
  });
  it.each([
    ['{"a":', { word: 'why.json.end' }],
    ['{"a":1 "b"}', { word: 'why.json.character', params: { found: '"\\""', column: 8 } }],
  ])('tells what is wrong with %s', (text, fault) => expect(errorOf(text).fault).toEqual(fault));
  it.each([
    ['[[1]]', { maxDepth: 2 }],
    ['[1,2]', { maxValues: 3 }],
    ['{"a":1}', { maxValues: 3 }],
    [`[${'1'.repeat(maxNumberLength)}]`, {}],
  ])('takes what just keeps it: %.20s', (text, bounds) => {
    expect(parseJson(text, bounds)).toEqual(JSON.parse(text));
  });
  it('stops reading where a bound is passed', () => {
    // The rest is not JSON, so a parser that continued would report a syntax error.
    expect(() => parseJson('[[[[ nonsense', { maxDepth: 3 })).toThrow(JsonTooLargeError);
    expect(() => parseJson('[1,1,1,1, nonsense', { maxValues: 4 })).toThrow(JsonTooLargeError);
  });
  it('refuses digits that are no number', () =>
    expect(() => new ExactNumber('1,"x":2')).toThrow(SyntaxError));
  it('goes over the wire both ways', async () => {
    const sent: unknown[] = [];
    const fetch = async (_: string, init: RequestInit) => {
      sent.push(init.body);
      return new Response(String(init.body), { headers: { 'content-type': 'application/json' } });
    };
    const body = { posX: new ExactNumber('0.10000000000000000001'), n: 1 };
    const request = { method: 'PUT', path: '/x', body, exactFields: ['posX', 'posY'] };
    expect((await send({ fetch, origin: 'http://a.test' }, request)).data).toEqual(body);
    expect(sent).toEqual(['{"posX":0.10000000000000000001,"n":1}']);
  });
});
