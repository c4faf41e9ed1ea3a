import { describe, expect, it, test } from 'vitest';
import { printExactJson } from '../../../../http/exact-json.ts';
import { toNumber, toText } from '../convert-values.ts';
import { readBodyData } from './body-data.ts';
import { maxDataDepth } from './json-data.ts';

const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;

describe('readBodyData', () => {
  it.each<[string, string, string, unknown]>([
    ['JSON', 'application/json', '{"a":1}', { a: 1 }],
    ['JSON of an own type', 'application/vnd.api+json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['JSON without a type', '', ' {"a":1}\n', { a: 1 }],
    ['JSON sent as text', 'text/plain', '[1]', [1]],
    ['JSON sent as a form', 'application/x-www-form-urlencoded', '{"a":"b=c&d"}', { a: 'b=c&d' }],
    ['JSON with a byte order mark', 'application/json', '\ufeff{"a":1}', { a: 1 }],
    ['JSON with a member that is special', '', '{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&b=x+y%20z&a=2', { a: ['1', '2'], b: 'x y z' }],
    [
      'a form with a payload',
      'application/x-www-form-urlencoded',
      'payload=%7B%22text%22%3A%22up%22%7D',
      { payload: { text: 'up' } },
    ],
    ['a form with another payload', 'application/x-www-form-urlencoded', 'payload=up', { payload: 'up' }],
    ['a form in Japanese', 'application/x-www-form-urlencoded', 'a=%E7%95%B0%E5%B8%B8', { a: '異常' }],
    ['lines of JSON', 'application/x-ndjson', '{"a":1}\r\n\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['a sequence of JSON', 'application/json-seq', '\u001e{"a":1}\n\u001e2\n', [{ a: 1 }, 2]],
    ['text', 'text/plain', 'disk full', undefined],
    ['text that begins like JSON', '', '{disk} full', undefined],
    ['nothing', 'application/json', ' ', undefined],
    [
      'XML',
      'text/xml',
      '<?xml version="1.0"?>\n<!-- c --><alert id="7"><host>web1</host><host>web2</host><text>a &lt;b&gt; &#x3042;<![CDATA[<c>]]></text><empty/></alert>\n',
      {
        alert: {
          '@id': '7',
          host: [{ '#text': 'web1' }, { '#text': 'web2' }],
          text: { '#text': 'a <b> あ<c>' },
          empty: {},
        },
      },
    ],
    [
      'XML of an own type',
      'application/cap+xml',
      '<cap:a xmlns:cap="urn:x"/>',
      { 'cap:a': { '@xmlns:cap': 'urn:x' } },
    ],
    ['XML without a type', '', '<?xml version="1.0"?><a>1</a>', { a: { '#text': '1' } }],
    [
      'entities of XML that are not the five',
      'text/xml',
      '<a>&nbsp;&amp;</a>',
      { a: { '#text': '&nbsp;&' } },
    ],
  ])('reads %s', (_name, contentType, body, data) => {
    expect(readBodyData(body, contentType)).toEqual(data === undefined ? {} : { data });
  });

  it.each<[string, string, string, string]>([
    ['JSON that is cut', 'application/json', '{"a":', 'why.data.json'],
    ['JSON nested too deeply', 'application/json', nested(maxDataDepth + 1), 'why.data.json'],
    ['a wrong line', 'application/x-ndjson', '{}\n{', 'why.data.line'],
    ['too many fields', 'application/x-www-form-urlencoded', 'a&'.repeat(20_001), 'why.data.tooManyFields'],
    ['a document type', 'text/xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'why.data.documentType'],
    ['XML that is cut', 'text/xml', '<a><b>1</b>', 'why.data.xmlElement'],
    ['crossing elements', 'text/xml', '<a><b></a></b>', 'why.data.xmlElement'],
    ['two documents', 'text/xml', '<a/><b/>', 'why.data.xmlElement'],
    ['a document without an element', 'text/xml', '<?xml version="1.0"?><!-- none -->', 'why.data.xml'],
    ['text after the document', 'text/xml', '<a/>x', 'why.data.xml'],
    ['text instead of XML', 'text/xml', 'disk full', 'why.data.xml'],
    ['deep XML', 'text/xml', '<a>'.repeat(201), 'why.data.xmlDepth'],
    ['much XML', 'text/xml', `<a>${'<b/>'.repeat(200_000)}</a>`, 'why.data.xmlNodes'],
    ['long XML', 'text/xml', `<a>${'x'.repeat(1_048_577)}</a>`, 'why.data.xmlText'],
    ['an element with many attributes', 'text/xml', `<a${' b=""'.repeat(1001)}/>`, 'why.data.xmlAttributes'],
    ['many entities', 'text/xml', `<a>${'&'.repeat(400_001)}</a>`, 'why.data.xmlNodes'],
    ['many comments', 'text/xml', `<a>${'<!---->'.repeat(400_001)}</a>`, 'why.data.xmlNodes'],
    ['XML of more than 4 MiB', 'text/xml', `<${'a'.repeat(4_194_304)}/>`, 'why.data.tooLong'],
    ['many values', 'application/json', `[${'0,'.repeat(200_000)}0]`, 'why.data.json'],
    ['many values in text', 'text/plain', `[${'0,'.repeat(200_000)}0]`, 'why.data.json'],
    ['many lines', 'application/x-ndjson', `1${'\n'.repeat(50_000)}`, 'why.data.lines'],
    ['many values in lines', 'application/x-ndjson', `[${'0,'.repeat(999)}0]\n`.repeat(200), 'why.data.line'],
    ['a body of more than 10 MB', 'text/xml', ' '.repeat(10_485_760).concat('<a/>'), 'why.data.tooLong'],
  ])('says why it does not read %s', (_name, contentType, body, word) => {
    expect(readBodyData(body, contentType)).toEqual({ error: expect.objectContaining({ word }) });
  });

  it('reads 20,000 fields of a form', () => {
    const { data } = readBodyData('a=1&'.repeat(20_000), 'application/x-www-form-urlencoded');
    expect(data).toEqual({ a: Array.from({ length: 20_000 }, () => '1') });
  });

  it('reads 1,000 attributes of each XML element', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    const element = `<b ${names.map((name) => `${name}=""`).join(' ')}/>`;
    const read = Object.fromEntries(names.map((name) => [`@${name}`, '']));
    expect(readBodyData(`<a>${element}${element}</a>`, 'text/xml')).toEqual({
      data: { a: { b: [read, read] } },
    });
  });

  it('reads 200,000 values', () => {
    const { data } = readBodyData(`[${'0,'.repeat(199_998)}0]`, 'application/json');
    expect(data).toHaveLength(199_999);
  });

  it('reads JSON that is nested 200 deep', () => {
    const { data } = readBodyData(nested(200), 'application/json');
    expect(toText(data)).toBe(nested(200));
  });

  test.each([
    '9007199254740993',
    '-12345678901234567890',
    '0.1000000000000000055511151231257827',
    '1e400',
    '123456789.123456789123456789',
  ])('the number %s keeps every digit', (digits) => {
    const { data } = readBodyData(`{"n":${digits},"of":[${digits}]}`, 'application/json');
    const { n } = data as { n: unknown };
    expect(toText(n)).toBe(digits);
    expect(toText(data)).toBe(`{"n":${digits},"of":[${digits}]}`);
    expect(printExactJson(n)).toBe(digits);
    expect(toNumber(n)).toBe(Number.isFinite(Number(digits)) ? Number(digits) : undefined);
  });

  test.each([
    '0',
    '-1',
    '1.50',
    '1e3',
    '1.5E-7',
    '9007199254740992',
    '0.30000000000000004',
    '100000000000000000000',
    '0.000000000000000000',
  ])('the number %s is a number', (digits) => {
    expect(readBodyData(digits, 'application/json')).toEqual({ data: Number(digits) });
  });
});
