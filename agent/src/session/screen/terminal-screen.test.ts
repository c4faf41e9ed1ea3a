import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { TerminalScreen } from './terminal-screen.ts';

const columns = 40;
const rows = 10;
const scrollback = 50;
const encoder = new TextEncoder();
const lines = (count: number, end = '\r\n') =>
  Array.from({ length: count }, (_, at) => `line ${at} ${'x'.repeat(at % 60)}${end}`).join('');
/** More than is drawn at a time. */
const flood = lines(8000);
const longLines = Array.from({ length: rows }, () => 'remains'.repeat(5)).join('\r\n');

class Reference {
  readonly terminal = new headless.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
  private readonly serializer = new serialize.SerializeAddon();

  constructor() {
    this.terminal.loadAddon(this.serializer);
  }

  write(text: string): Promise<void> {
    return new Promise((resolve) => this.terminal.write(text, resolve));
  }

  get shown() {
    const { cursorX, cursorY, baseY } = this.terminal.buffer.active;
    return { text: this.serializer.serialize(), cursorX, cursorY, baseY };
  }
}

/** What a viewer sees that attaches after the output, and gets what follows. */
async function seenLate(output: string[], following = ''): Promise<Reference['shown']> {
  const screen = new TerminalScreen({ columns, rows }, scrollback, () => undefined);
  for (const text of output)
    for (const bytes of pieces(encoder.encode(text), 16_000)) {
      screen.write(bytes);
      // Some of it is drawn meanwhile.
      if (bytes.length < 16_000) await new Promise((resolve) => setImmediate(resolve));
    }
  const { text } = await screen.snapshot();
  screen.dispose();
  const viewer = new Reference();
  await viewer.write(text);
  await viewer.write(following);
  return viewer.shown;
}

async function seenAtOnce(output: string[]): Promise<Reference['shown']> {
  const viewer = new Reference();
  for (const text of output) await viewer.write(text);
  return viewer.shown;
}

function pieces(bytes: Uint8Array, length: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
    bytes.subarray(at * length, (at + 1) * length),
  );
}

test.each([
  ['a flood', [flood, '$ ']],
  ['a flood over lines that it does not cover', [`${longLines}\x1b[H`, flood, '$ ']],
  ['a flood between others that are colored', [`\x1b[31m${flood}`, flood, flood, `\x1b[0m${lines(30)}`]],
  ['a flood on the alternate screen', [`before\x1b[?1049h${longLines}\x1b[H`, flood, 'end']],
  ['lines without a return', [lines(8000, '\n'), 'end']],
  ['lines with some returns', [lines(5000, '\n'), lines(40), lines(3000, '\n')]],
  ['one line', ['y'.repeat(200_000)]],
])('%s leaves the same screen as without gathering', async (_, output) => {
  expect(await seenLate(output)).toEqual(await seenAtOnce(output));
});

test.each([
  ['below', '\x1b[1;3r\x1b[8;1H'],
  ['within', '\x1b[3;6r\x1b[4;1H'],
])('a flood %s a scroll region leaves the rest of the screen', async (_, region) => {
  const output = [longLines, region, flood, 'end'];
  expect(await seenLate(output)).toEqual(await seenAtOnce(output));
});

test.each(['', '\x1b[?6h'])('a late viewer has the scroll region and the cursor (%j)', async (mode) => {
  const output = [longLines, '\x1b[3;6r', mode, '\x1b[4;3H', 'here'];
  const following = '\r\none\r\ntwo\r\nthree';
  expect(await seenLate(output, following)).toEqual(await seenAtOnce([...output, following]));
});

test('a snapshot has what came before it and nothing of what came after', async () => {
  const screen = new TerminalScreen({ columns, rows }, scrollback, () => undefined);
  screen.write(encoder.encode('before'));
  const snapshot = screen.snapshot();
  screen.write(encoder.encode('after'));
  expect((await snapshot).text).toBe('before');
  screen.dispose();
});

test('a new size applies to what follows it', async () => {
  const screen = new TerminalScreen({ columns, rows }, scrollback, () => undefined);
  screen.write(encoder.encode('a'.repeat(columns + 1)));
  screen.resize({ columns: 5, rows: 4 });
  screen.write(encoder.encode(`\r\n${'b'.repeat(6)}`));
  const { text, ...size } = await screen.snapshot();
  expect(size).toEqual({ columns: 5, rows: 4 });
  expect(text.endsWith('bbbbbb')).toBe(true);
  screen.dispose();
});
