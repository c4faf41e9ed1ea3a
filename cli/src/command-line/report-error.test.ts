import { ipBlockedDetail, Problem, problemKinds } from '@yagura/core/http/problem';
import { describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { CancelledError, reportError, StillRunningError } from './report-error.ts';
import { UsageError } from './usage-error.ts';

describe('tellFailure', () => {
  test.each([
    ['not found', new Problem('not-found'), 1],
    ['invalid', new Problem('invalid'), 2],
    ['sign in first', new Problem('sign-in-required'), 4],
    ['forbidden', new Problem('forbidden'), 5],
    ['not understood', new UsageError('cli.usage.token'), 2],
    ['said no', new CancelledError('cli.cancelled'), 2],
    ['not over yet', new StillRunningError('cli.send.still'), 8],
    ['a defect', new TypeError('x is not a function'), 1],
    ['thrown text', 'oops', 1],
  ])('%s ends with %i', async (_name, error, code) => {
    const { terminal, out, err } = await testTerminal();
    expect(reportError(terminal, error)).toBe(code);
    expect(err()).toMatch(/\S.*\n$/);
    expect(out()).toBe('');
  });

  test('every kind of problem has a code and a sentence in both languages', async () => {
    for (const language of ['en', 'ja'] as const) {
      for (const kind of Object.keys(problemKinds) as (keyof typeof problemKinds)[]) {
        const { terminal, err } = await testTerminal({ language });
        expect(reportError(terminal, new Problem(kind))).toBe(problemKinds[kind].exit);
        expect(err()).not.toContain('problem.');
      }
    }
  });

  test('after Ctrl-C nothing is told, and the code says so', async () => {
    const interrupt = new AbortController();
    interrupt.abort();
    const { terminal, err } = await testTerminal({ signal: interrupt.signal });
    expect(reportError(terminal, new Error('aborted'))).toBe(130);
    expect(err()).toBe('');
  });

  test('a refusal of the whole body has no flag', async () => {
    const { terminal, err } = await testTerminal();
    reportError(terminal, new Problem('invalid', { invalidParams: [{ name: '', reason: 'is required' }] }));
    expect(err().split('\n')[1]).toBe('  is required');
  });

  test('refused fields are named as flags', async () => {
    const { terminal, err } = await testTerminal();
    const invalidParams = [
      { name: 'displayName', reason: 'too long' },
      { name: 'thresholds.incident', reason: 'too low' },
      { name: 'eventParams.0.scopeId', reason: 'no id' },
      { name: 'sinceAt', reason: 'no date' },
    ];
    reportError(terminal, new Problem('invalid', { invalidParams }));
    expect(err().split('\n').slice(1)).toEqual([
      '  --display-name: too long',
      '  --thresholds.incident: too low',
      '  --event-params [0.scopeId]: no id',
      '  --since: no date',
      '',
    ]);
  });

  test.each([
    [new Problem('conflict', { invalidParams: [{ name: 'displayName', reason: 'in use' }] }), 'cli.invalid'],
    [new Problem('conflict', { detail: 'in use' }), 'problem.conflict'],
  ] as const)('a conflict that names fields is about the input: %s', async (problem, key) => {
    const { terminal, err } = await testTerminal();
    expect(reportError(terminal, problem)).toBe(1);
    expect(err().startsWith(terminal.t(key))).toBe(true);
  });

  test('who is refused for their address learns who can help', async () => {
    const { terminal, err } = await testTerminal();
    expect(reportError(terminal, new Problem('forbidden', { detail: ipBlockedDetail }))).toBe(5);
    expect(err().split('\n')).toEqual([
      expect.stringContaining(ipBlockedDetail),
      terminal.t('cli.doctor.refused-remedy'),
      '',
    ]);
  });

  test('a sentence without its hint does not end with a space', async () => {
    const { terminal, err } = await testTerminal();
    reportError(terminal, new UsageError('cli.usage.unknown-command', { text: 'nope', hint: '' }));
    expect(err()).toBe('Unknown command nope.\n');
  });

  test('for a program it is one line of JSON with the type', async () => {
    const { terminal, err } = await testTerminal({ jsonErrors: true });
    reportError(terminal, new Problem('forbidden', { detail: 'no\nway' }));
    const text = err();
    expect(text.trimEnd()).not.toContain('\n');
    expect(JSON.parse(text)).toMatchObject({ type: 'urn:yagura:problem:forbidden', detail: 'no\nway' });
  });

  test('what a server says cannot steer the terminal', async () => {
    const { terminal, err } = await testTerminal();
    reportError(terminal, new Problem('conflict', { detail: '\x1b[2J\x9b1m' }));
    expect(err()).not.toMatch(/[\x1b\x9b]/);
  });
});
