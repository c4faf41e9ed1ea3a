import fc from 'fast-check';
import Mustache from 'mustache';
import { describe, expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { checkTemplate, renderTemplate } from './render-template.ts';

const context = {
  a: 'x',
  quote: 'say "hi"\n<b>',
  n: 0,
  no: false,
  yes: true,
  none: null,
  empty: [],
  list: [{ v: 1 }, { v: 2 }],
  words: ['p', 'q'],
  object: { v: '3', deep: { 'a.b': 'c' } },
  call: () => 'called',
  own: JSON.parse('{"__proto__":"mine"}') as unknown,
};

describe('renderTemplate', () => {
  it.each<[string, string, string[]]>([
    ['', '', []],
    ['plain } { }}', 'plain } { }}', []],
    ['{{a}}{{ a }}{{{a}}}{{&a}}', 'xxxx', []],
    ['{{quote}}', 'say "hi"\n<b>', []],
    ['{{n}} {{no}} {{yes}}', '0 false true', []],
    ['<{{none}}{{gone}}{{gone}}{{a.b}}>', '<>', ['none', 'gone', 'a.b']],
    ['{{object.v}} {{object.deep["a.b"]}} {{list.1.v}} {{list.length}}', '3 c 2 2', []],
    ['{{object}} {{{list}}}', '{"v":"3","deep":{"a.b":"c"}} [{"v":1},{"v":2}]', []],
    ['{{#list}}{{v}}{{a}};{{/list}}', '1x;2x;', []],
    ['{{#words}}{{.}}{{/words}}', 'pq', []],
    ['{{#object}}{{v}}{{#deep}}{{v}}{{/deep}}{{/object}}', '33', []],
    ['{{#yes}}{{a}}{{/yes}}{{^yes}}no{{/yes}}', 'x', []],
    ['{{#gone}}{{b}}{{/gone}}{{^gone}}none{{/gone}}', 'none', []],
    ['{{#empty}}x{{/empty}}{{^empty}}empty{{/empty}}{{#n}}x{{/n}}{{^n}}zero{{/n}}', 'emptyzero', []],
    ['{{! a comment }}b', 'b', []],
    ['1\n{{#yes}}\n2\n{{/yes}}\n3', '1\n2\n3', []],
    [
      '{{constructor}}{{__proto__}}{{toString}}{{a.length}}{{object.hasOwnProperty}}',
      '',
      ['constructor', '__proto__', 'toString', 'a.length', 'object.hasOwnProperty'],
    ],
    ['{{own.__proto__}}', 'mine', []],
    ['{{call}}{{#call}}x{{/call}}', '', ['call']],
  ])('%j', (template, text, missing) => {
    expect(renderTemplate(template, context, { escape: 'none' })).toMatchObject({ text, missing });
  });

  it.each([
    ['{"a":"{{quote}}"}', '{"a":"say \\"hi\\"\\n<b>"}'],
    ['{"a":"{{object}}"}', '{"a":"{\\"v\\":\\"3\\",\\"deep\\":{\\"a.b\\":\\"c\\"}}"}'],
    ['{"a":{{{object}}}}', '{"a":{"v":"3","deep":{"a.b":"c"}}}'],
    ['{"a":{{n}},"b":{{yes}}}', '{"a":0,"b":true}'],
    ['{{{quote}}}', 'say "hi"\n<b>'],
  ])('escapes JSON in %s', (template, text) => {
    expect(renderTemplate(template, context, { escape: 'json' }).text).toBe(text);
  });

  it('keeps any text inside a JSON string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const { text } = renderTemplate('{"a":"{{v}}"}', { v: value }, { escape: 'json' });
        expect(JSON.parse(text)).toEqual({ a: value });
      }),
    );
  });

  it('agrees with Mustache on plain data', { timeout: 30_000 }, () => {
    const name = fc.constantFrom('a', 'b', 'c', 'a.b', 'b.c');
    const tree = fc.letrec<{ template: string }>((tie) => ({
      template: fc
        .array(
          fc.oneof(
            { depthSize: 'small' },
            fc.constantFrom('text', '\n', ' ', '{', '}'),
            name.map((path) => `{{${path}}}`),
            name.map((path) => `{{{${path}}}}`),
            fc
              .tuple(fc.constantFrom('#', '^'), name, tie('template'))
              .map(([sign, path, inner]) => `{{${sign}${path}}}${inner}{{/${path}}}`),
          ),
          { maxLength: 4 },
        )
        .map((parts) => parts.join('')),
    })).template;
    const scalar = fc.oneof(fc.constantFrom('t', 'u'), fc.integer({ min: 0, max: 3 }), fc.boolean());
    const data = fc.record(
      {
        a: scalar,
        b: fc.oneof(scalar, fc.record({ c: scalar }, { requiredKeys: [], noNullPrototype: true })),
        c: fc.oneof(scalar, fc.array(fc.record({ a: scalar }, { noNullPrototype: true }), { maxLength: 3 })),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    // Mustache has its own formatting of lists and objects; ours is JSON.
    const printable = (value: unknown): string =>
      typeof value === 'object' ? JSON.stringify(value) : String(value);
    class JsonWriter extends Mustache.Writer {
      override unescapedValue(token: string[], context: Mustache.Context): string {
        const value: unknown = context.lookup(token[1]!);
        return value === undefined || value === null ? '' : printable(value);
      }
    }
    const writer = new JsonWriter();
    fc.assert(
      fc.property(tree, data, (template, view) => {
        if (checkTemplate(template)) return;
        const expected = writer.render(template, view, undefined, { escape: printable });
        expect(renderTemplate(template, view, { escape: 'none' }).text).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('bad templates', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['{{a', 'why.template.unclosedTag', { line: 1, column: 1 }],
    ['x\n y{{{a}} z', 'why.template.unclosedTag', { line: 2, column: 3 }],
    ['{{#a}}', 'why.template.unclosed', { line: 1, column: 1, name: 'a' }],
    ['{{/a}}', 'why.template.unopened', { line: 1, column: 1, name: 'a' }],
    ['{{#a}}{{#b}}{{/a}}{{/b}}', 'why.template.unopened', { name: 'a', column: 13 }],
    ['{{}}', 'why.template.badName', { name: '' }],
    ['{{a..b}}', 'why.template.badName', { name: 'a..b' }],
    ['{{>partial}}', 'why.template.unsupported', { tag: '{{>' }],
    ['{{=<% %>=}}', 'why.template.unsupported', { tag: '{{=' }],
    [`{{${' '.repeat(2000)}a}}`, 'why.template.longTag', {}],
    ['{{#a}}'.repeat(33) + '{{/a}}'.repeat(33), 'why.template.deep', {}],
    ['x'.repeat(1_048_577), 'why.template.long', {}],
  ])('%.40j', (template, word, params) => {
    const error = checkTemplate(template);
    expect(error?.reason).toMatchObject({ word, params });
    expect(() => renderTemplate(template, {}, { escape: 'none' })).toThrow(FlowError);
  });
});

it('a template of exactly the maximum length is rendered', () => {
  const template = 'x'.repeat(1_048_576);
  expect(renderTemplate(template, {}, { escape: 'none' }).text.length).toBe(template.length);
});

describe('bounds', { timeout: 30_000 }, () => {
  const many = {
    list: Array.from({ length: 1000 }, () => 'x'),
    big: 'x'.repeat(600_000),
    data: Array(900_000).fill(0),
  };
  it.each<[string, string]>([
    ['{{big}}{{big}}', 'why.template.outputLong'],
    ['{{data}}', 'why.template.outputLong'],
    ['{{#list}}{{#list}}{{#list}}{{/list}}{{/list}}{{/list}}', 'why.template.tooMuchWork'],
    ['{{#list}}{{big}}{{/list}}', 'why.template.outputLong'],
    ['{{a}}'.repeat(200_001), 'why.template.tooMuchWork'],
  ])('%.40s', (template, word) => {
    const started = process.cpuUsage();
    try {
      renderTemplate(template, many, { escape: 'json' });
      expect.unreachable();
    } catch (error) {
      expect((error as FlowError).reason?.word).toBe(word);
    }
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });

  it.each<[string, string]>([
    ['many tags', '{{a}}'.repeat(200_000)],
    ['open tags', '{{'.repeat(500_000)],
    ['a tag of blanks', `{{${' '.repeat(1_000_000)}`],
    ['triple tags of blanks', '{{{         '.repeat(80_000)],
    ['closing sections', '{{/a}}'.repeat(150_000)],
  ])('checks %s in linear time', (_name, template) => {
    const started = process.cpuUsage();
    checkTemplate(template);
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  });
});
