import { PassThrough, Readable } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { BodyBudget } from './body-budget.ts';
import { formRuleOf } from './form-body.ts';
import { readBody } from './read-body.ts';
import { checkBody, readJson } from './read-json.ts';

const kindOf = async (work: () => unknown) => {
  try {
    await work();
    return 'done';
  } catch (error) {
    return error instanceof Problem ? error.kind : error;
  }
};
const bytes = (length: number) => Buffer.alloc(length);

test('the bodies of a space take no more than its share of the budget, and give it back once', () => {
  const budget = new BodyBudget(100);
  const [one, other] = [budget.openReservation('a'), budget.openReservation('a')];
  one.reserve(50);
  other.reserve(25);
  expect(() => other.reserve(1)).toThrow(expect.objectContaining({ kind: 'unavailable', retryAfter: 1 }));
  one.release();
  one.release();
  expect(budget.usedBytes).toBe(25);
  // Data that arrives after the request was answered is not counted.
  one.reserve(100);
  other.reserve(50);
  expect(budget.usedBytes).toBe(75);
});

test('the bodies of one space leave room for those of another, and all together take no more than the budget', () => {
  const budget = new BodyBudget(100);
  const spaces = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((space) => budget.openReservation(space));
  const reserved = spaces.map((space) => {
    for (let count = 0; ; count += 1)
      try {
        space.reserve(1);
      } catch {
        return count;
      }
  });
  expect(reserved.slice(0, 3)).toEqual([75, 19, 5]);
  expect(budget.usedBytes).toBe(100);
});

test('a body is read up to its limit', async () => {
  const reservation = new BodyBudget().openReservation('a');
  const read = (length: number, declared?: number) =>
    readBody(Readable.from([bytes(length - 1), bytes(1)]), { limit: 10, declared, reservation });
  expect((await read(10)).length).toBe(10);
  expect(await kindOf(() => read(11))).toBe('too-large');
  expect(await kindOf(() => read(2, 11))).toBe('too-large');
});

test('a body beyond the budget is a 503, and one that breaks off a 400', async () => {
  const limits = { limit: 100, declared: undefined };
  const small = { ...limits, reservation: new BodyBudget(5).openReservation('a') };
  expect(await kindOf(() => readBody(Readable.from([bytes(6)]), small))).toBe('unavailable');
  const broken = new PassThrough();
  const reading = kindOf(() =>
    readBody(broken, { ...limits, reservation: new BodyBudget().openReservation('a') }),
  );
  broken.write('{"a":');
  broken.destroy();
  expect(await reading).toBe('invalid');
});

test.each([
  ['[[1]', 5, 'invalid'],
  [`${'['.repeat(101)}1${']'.repeat(101)}`, 500, 'invalid'],
  [`${'['.repeat(100)}1${']'.repeat(100)}`, 500, 'done'],
  ['[1,2,3,4,5]', 5, 'too-large'],
  ['[1,2,3,4]', 5, 'done'],
])('JSON within its bounds: %.12s of %i values', async (text, maxValues, kind) => {
  expect(await kindOf(() => readJson(Buffer.from(text), { limit: 1000, maxValues }))).toBe(kind);
});

test('of some fields only those that are given are checked, and others stay', async () => {
  const schema = z.object({ name: z.string(), count: z.number().default(3) });
  const t = await loadTranslator('en');
  expect(checkBody(schema, { count: 1, later: true }, true, t)).toEqual({ count: 1, later: true });
  expect(checkBody(schema, { name: 'a' }, true, t)).toEqual({ name: 'a' });
  expect(() => checkBody(schema, { count: 'x' }, true, t)).toThrow(
    expect.objectContaining({ invalidParams: [{ name: 'count', reason: expect.any(String) }] }),
  );
  expect(() => checkBody(schema, { count: 1 }, false, t)).toThrow(Problem);
});

test.each([
  ['/choices', false, 16 * 1024],
  ['/sign-out', false, 16 * 1024],
  ['/choices', true, 16 * 1024],
  ['/apps/alerthub/scopes/new', false, undefined],
  ['/apps/alerthub/tools/rules/imports', false, undefined],
  ['/choices/more', false, undefined],
  ['/apps/alerthub/scopes/new', true, 2 * 1024 * 1024],
  ['/apps/alerthub/tools/rules/imports.data', true, 200 * 1024 * 1024 + 65_536],
])('a form for %s, signed in: %s, may have %s bytes', (path, isSignedIn, limit) => {
  expect(formRuleOf(path, isSignedIn)?.limit).toBe(limit);
});
