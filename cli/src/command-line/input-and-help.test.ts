// Hidden input, files and their limits, the layout of help, and exit codes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { testTerminal } from '../../test/test-terminal.ts';
import { createProgram } from '../program.ts';
import type { Command } from './command.ts';
import { examplesOf } from './help/examples.ts';
import { exitMeanings } from './help/exit-meanings.ts';
import { helpLayout, wrapLines } from './help/help-layout.ts';
import { promptHidden } from './prompt.ts';
import { readFileOrStdin, readFileOrStdinBytes } from './read-file-or-stdin.ts';

const folder = mkdtempSync(join(tmpdir(), 'yagura-input-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('hidden input', () => {
  const typed = async (...chunks: string[]) => {
    const { terminal, err } = await testTerminal({ live: true });
    const raw: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (on: boolean) => raw.push(on),
    });
    for (const chunk of chunks) stdin.write(chunk);
    stdin.end();
    const answer = await promptHidden({ ...terminal, stdin: stdin as never }, 'Token: ').catch(
      (error: { messageKey?: string; code?: number }) => error.messageKey ?? error.code,
    );
    expect(raw).toEqual([true, false]);
    expect(err()).toBe('Token: \n');
    return answer;
  };

  test.each([
    [['secret\r'], 'secret'],
    [['se', 'cret\n', 'more'], 'secret'],
    [['secret'], 'secret'],
    [['se\x7fx\r'], 'sx'],
    [['s🙂\x7fx\b\r'], 's'],
    [['wrong\x15right\r'], 'right'],
    [['a\x01\tb \r'], 'ab '],
    [['\x7fa\r'], 'a'],
    [['ab\x03'], 130],
    [['ab\x04'], 'cli.cancelled'],
  ])('%j gives %j', async (chunks, expected) => expect(await typed(...chunks)).toBe(expected));

  test('is not waited for after an interruption', async () => {
    const interrupt = new AbortController();
    const { terminal } = await testTerminal({ live: true, signal: interrupt.signal });
    const raw: boolean[] = [];
    const stdin = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => raw.push(on) });
    const typing = promptHidden({ ...terminal, stdin: stdin as never }, 'Token: ');
    interrupt.abort(new Error('interrupted'));
    await expect(typing).rejects.toThrow();
    expect(raw).toEqual([true, false]);
  });
});

describe('a file or the input', () => {
  test('is read up to its limit', async () => {
    const path = join(folder, 'a.txt');
    writeFileSync(path, '日本語');
    const { terminal } = await testTerminal({ input: 'from the input' });
    expect(await readFileOrStdin(path, terminal, '--file')).toBe('日本語');
    expect((await readFileOrStdinBytes(path, terminal, '--file', 9)).length).toBe(9);
    await expect(readFileOrStdinBytes(path, terminal, '--file', 8)).rejects.toMatchObject({
      messageKey: 'cli.usage.too-large',
      params: { flag: '--file' },
    });
    expect(await readFileOrStdin('-', terminal, '--file')).toBe('from the input');
    await expect(readFileOrStdin(join(folder, 'gone'), terminal, '--file')).rejects.toMatchObject({
      messageKey: 'cli.usage.file',
      params: { flag: '--file', source: join(folder, 'gone') },
    });
  });

  test('is refused from the first line that is not UTF-8', async () => {
    const path = join(folder, 'shift-jis.txt');
    const { terminal } = await testTerminal();
    // Shift_JIS for "スコープ" after a line that is UTF-8.
    writeFileSync(path, Buffer.concat([Buffer.from('名前\n'), Buffer.from('83588352815b8376', 'hex')]));
    await expect(readFileOrStdin(path, terminal, '--input')).rejects.toMatchObject({
      messageKey: 'cli.usage.encoding',
      params: { flag: '--input', source: path, line: 2 },
    });
    expect((await readFileOrStdinBytes(path, terminal, '--file')).length).toBe(15);
    writeFileSync(path, '\ufeff{}');
    expect(await readFileOrStdin(path, terminal, '--input')).toBe('{}');
  });

  test('is not waited for after Ctrl-C', async () => {
    const interrupt = new AbortController();
    const { terminal } = await testTerminal({ signal: interrupt.signal });
    const reading = readFileOrStdin('-', { ...terminal, stdin: new PassThrough() as never }, '--file');
    interrupt.abort(new Error('interrupted'));
    await expect(reading).rejects.toThrow();
  });
});

describe('help', () => {
  test.each([
    ['one two three', 7, 'one two\nthree'],
    ['  one two three', 9, '  one two\n  three'],
    ['a\n\nb', 9, 'a\n\nb'],
    ['日本語です', 6, '日本語\nです'],
    ['\x1b[1mone\x1b[22m two', 7, '\x1b[1mone\x1b[22m two'],
  ])('%j in %i columns is %j', (text, columns, expected) => expect(wrapLines(text, columns)).toBe(expected));

  const item = (columns: number, description: string) =>
    helpLayout(columns).formatItem!('--flag', 10, description, undefined as never);

  test('has the description beside the flag, or below it where less than 24 columns are left', () => {
    expect(item(38, 'says what it is for')).toBe('  --flag      says what it is for');
    expect(item(38, 'says what this flag is good for')).toBe(
      '  --flag      says what this flag is\n              good for',
    );
    expect(item(37, 'says what it is for')).toBe('  --flag\n      says what it is for');
    expect(item(38, '')).toBe('  --flag');
    expect(item(37, '')).toBe('  --flag');
  });
});

describe('a command', () => {
  const commandAt = async (...path: string[]) => {
    const { terminal } = await testTerminal();
    let command = createProgram(terminal, [...path]) as Command;
    for (const name of path) command = command.commands.find((one) => one.name() === name) as Command;
    return { command, t: terminal.t };
  };
  const codes = async (...path: string[]) => {
    const { command, t } = await commandAt(...path);
    return exitMeanings(t, command);
  };

  test('has its exit codes in order, with a time limit only where it waits', async () => {
    const status = await codes('status');
    const numbers = status.map(([code]) => code);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toEqual(expect.arrayContaining([0, 1, 2, 4, 5, 130]));
    expect(numbers).not.toContain(8);
    expect((await codes('scan')).map(([code]) => code)).toContain(8);
    const { t } = await commandAt('status');
    const two = (all: [number, string][]) => all.find(([code]) => code === 2)![1];
    expect(two(status)).toBe(t('cli.reference.exit-usage'));
    expect(two(await codes('plan'))).toBe(t('cli.reference.exit-changes'));
    expect(exitMeanings(t).map(([code]) => code)).toContain(8);
    for (const [, meaning] of status) expect(meaning).not.toMatch(/[.。]$/);
  });

  test('has written examples, or one with what it requires', async () => {
    expect(examplesOf((await commandAt('why')).command)).toEqual(['yagura why MESSAGE']);
    expect(examplesOf((await commandAt('whoami')).command)).toEqual(['yagura whoami --json email,roles']);
    expect(examplesOf((await commandAt('logout')).command)).toEqual(['yagura logout']);
  });
});
