import { expect, test } from 'vitest';
import { summarize } from './message-summary.ts';

test.each([
  ['a subject', { subject: 'Disk full', message: 'longer' }, 'Disk full'],
  ['a title after an empty subject', { subject: ' ', title: 'T' }, 'T'],
  ['an annotation', { commonAnnotations: { summary: 'High load' } }, 'High load'],
  ['the first alert', { alerts: [{ name: 'one' }, { name: 'two' }] }, 'one'],
  ['the first of a list', [{ text: 'first' }, { text: 'second' }], 'first'],
  ['nothing telling', { a: 1 }, '{"a":1}'],
  ['no own member', JSON.parse('{"__proto__":{"title":"no"},"x":1}'), '{"__proto__":{"title":"no"},"x":1}'],
  ['a headline that is no text', { title: { a: 1 }, name: 'N' }, 'N'],
  ['line breaks and overrides', { title: 'a\nb\u0000c\u202ed' }, 'a b c d'],
])('JSON with %s', (_name, data, wanted) => {
  expect(summarize(Buffer.from(JSON.stringify(data)))).toBe(wanted);
});

test.each([
  ['nothing', '', ''],
  ['text', '  one\r\n\ttwo  ', 'one two'],
  ['JSON that is wrong', '{"title":', '{"title":'],
  ['exactly 200 characters', '🔥'.repeat(200), '🔥'.repeat(200)],
  ['more than 200 characters', '🔥'.repeat(201), `${'🔥'.repeat(199)}…`],
])('%s', (_name, body, wanted) => {
  expect(summarize(Buffer.from(body))).toBe(wanted);
});

test('a body too long to parse shows how it begins', () => {
  const body = JSON.stringify({ filler: 'x'.repeat(70_000), title: 'T' });
  expect(summarize(Buffer.from(body))).toBe(`${body.slice(0, 199)}…`);
});
