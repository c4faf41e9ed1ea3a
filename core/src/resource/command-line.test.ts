import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scope } from '../alerthub/scope.ts';
import { trigger } from '../alerthub/trigger.ts';
import { space } from '../space/space.ts';
import { inputFlags, itemCommand, listCommand, quoteWords, splitWords } from './command-line.ts';

describe('listCommand', () => {
  it.each([
    ['a plain list', listCommand(scope), 'yagura alerthub scopes list'],
    [
      'a view',
      listCommand(scope, {
        page: 3,
        size: 25,
        sort: '-severity,displayName',
        filter: 'status eq "incident"',
      }),
      `yagura alerthub scopes list --filter 'status eq "incident"' --sort -severity,displayName --limit 25 --offset 50`,
    ],
    [
      'the children of something',
      listCommand(trigger, { columns: ['displayName', 'actionId'] }, [['scope', 'a b']]),
      `yagura alerthub triggers list --scope 'a b' --columns displayName,actionId`,
    ],
    ['the first page', listCommand(scope, { page: 1, size: 10 }), 'yagura alerthub scopes list --limit 10'],
  ])('writes %s', (_what, words, line) => {
    expect(quoteWords(words)).toBe(line);
  });
});

describe('itemCommand', () => {
  it.each([
    [itemCommand(scope, 'show', '42'), 'yagura alerthub scopes show 42'],
    [itemCommand(space, 'edit', undefined), 'yagura space space edit'],
    [itemCommand(trigger, 'delete', '7', [['scope', '1']]), 'yagura alerthub triggers delete 7 --scope 1'],
  ])('writes %j', (words, line) => {
    expect(quoteWords(words)).toBe(line);
  });
});

describe('inputFlags', () => {
  it.each([
    [{ displayName: "It's" }, `--display-name 'It'\\''s'`],
    [{ thresholds: { warning: 1, incident: 2 } }, '--thresholds.warning 1 --thresholds.incident 2'],
    [{ disabled: false, remarks: '', note: null }, '--disabled=false'],
    [{ emails: ['a@b.example', 'c@d.example'] }, '--emails a@b.example --emails c@d.example'],
    [{ body: '@home' }, '--body @@home'],
    [{ steps: [{ op: 'trim' }] }, `--steps '{"op":"trim"}'`],
  ])('writes %j', (values, line) => {
    expect(quoteWords(inputFlags(values))).toBe(line);
  });
});

describe('splitWords', () => {
  it('reads back whatever was quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitWords(quoteWords(words))).toEqual(words);
      }),
    );
  });

  it.each([
    ['  a   b ', ['a', 'b']],
    ['say "a \\"b\\" c"', ['say', 'a "b" c']],
    ['a\\ b', ['a b']],
    ["''", ['']],
    ['', []],
    ["'open", null],
  ])('reads %j', (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });
});
