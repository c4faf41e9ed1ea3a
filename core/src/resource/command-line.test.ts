import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scope } from '../alerthub/scope.ts';
import { trigger } from '../alerthub/trigger.ts';
import { space } from '../space/space.ts';
import { inputFlags, itemCommand, listCommand, quoteShellWords } from './command-line.ts';
import type { FieldMeta } from './field.ts';

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
    expect(quoteShellWords(words)).toBe(line);
  });
});

describe('itemCommand', () => {
  it.each([
    [itemCommand(scope, 'show', '42'), 'yagura alerthub scopes show 42'],
    [itemCommand(space, 'edit', undefined), 'yagura space space edit'],
    [itemCommand(trigger, 'delete', '7', [['scope', '1']]), 'yagura alerthub triggers delete 7 --scope 1'],
  ])('writes %j', (words, line) => {
    expect(quoteShellWords(words)).toBe(line);
  });
});

describe('inputFlags', () => {
  const part = { required: false, nullable: true } as const;
  const number = { kind: 'number', ...part } as const;
  const fields: Record<string, FieldMeta> = {
    displayName: { kind: 'text', ...part },
    remarks: { kind: 'long-text', ...part, default: '' },
    limit: number,
    thresholds: { kind: 'object', ...part, fields: { warning: number, incident: number } },
    disabled: { kind: 'boolean', ...part, default: false },
    emails: { kind: 'list', ...part, item: { kind: 'email', ...part } },
    steps: { kind: 'list', ...part, item: { kind: 'object', ...part } },
    headers: { kind: 'key-values', ...part },
    flow: { kind: 'json', ...part },
    kind: { kind: 'choice', ...part, options: ['a', 'b'] },
    parameters: {
      kind: 'variant',
      ...part,
      by: 'kind',
      variants: { a: { url: { kind: 'url', ...part }, apiKey: { kind: 'secret', ...part } } },
    },
  };
  it.each([
    [{ displayName: "It's" }, `--display-name 'It'\\''s'`],
    [{ thresholds: { warning: 1, incident: 2 } }, '--thresholds.warning 1 --thresholds.incident 2'],
    [{ disabled: true, remarks: '', limit: null }, '--disabled=true'],
    [{ limit: -3 }, '--limit=-3'],
    [{ emails: ['a@b.example', 'c@d.example'] }, '--emails a@b.example --emails c@d.example'],
    [{ displayName: '@home', remarks: '@home' }, '--display-name @home --remarks @@home'],
    [{ steps: [{ op: 'trim' }] }, `--steps '{"op":"trim"}'`],
    [{ headers: { 'X-Team': 'ops', b: '=' } }, '--headers X-Team=ops --headers b=='],
    [{ headers: { 'a=b': 'c' } }, `--headers '{"a=b":"c"}'`],
    [{ flow: { steps: [] } }, `--flow '{"steps":[]}'`],
    [
      { kind: 'a', parameters: { url: 'https://a.example', apiKey: 'hidden' } },
      '--kind a --parameters.url https://a.example',
    ],
  ])('writes %j', (values, line) => {
    expect(quoteShellWords(inputFlags(values, fields))).toBe(line);
  });

  it('says what is as by default where all of it counts', () => {
    const values = { disabled: false, remarks: '', limit: null, emails: [], displayName: null };
    expect(quoteShellWords(inputFlags(values, fields, { whole: true }))).toBe(
      "--disabled=false --remarks '' --limit null --emails '[]'",
    );
  });
});

describe('quoteShellWords', () => {
  it('writes words that a shell reads back', () => {
    const words = fc.array(
      fc.string({ unit: 'binary' }).filter((word) => word.isWellFormed() && !word.includes('\0')),
    );
    const lines = fc.sample(words, { seed: 20260131, numRuns: 300 });
    // Each line becomes one record of NUL-terminated words after its number of words.
    const script = lines
      .map((line) => `set -- ${quoteShellWords(line)}; printf '%s\\0' "$#" "$@"`)
      .join('\n');
    const output = execFileSync('sh', { input: script, encoding: 'utf8' });
    expect(output.split('\0').slice(0, -1)).toEqual(lines.flatMap((line) => [String(line.length), ...line]));
  });
});
