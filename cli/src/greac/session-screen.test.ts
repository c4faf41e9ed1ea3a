// What a user's terminal of any size shows of a session, compared with the session's own screen cell by cell.
import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resetModes, SessionScreen } from './session-screen.ts';

type Emulator = InstanceType<typeof headless.Terminal>;

const createEmulator = (columns: number, rows: number) =>
  new headless.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
const parsed = (emulator: Emulator, output: string) =>
  new Promise<void>((resolve) => emulator.write(output, resolve));

/** The characters, widths and attributes of a part of a screen. */
function cells(
  emulator: Emulator,
  { top = 0, left = 0, rows = emulator.rows, columns = emulator.cols } = {},
) {
  const buffer = emulator.buffer.active;
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const cell = buffer.getLine(buffer.baseY + top + row)!.getCell(left + column)!;
      const styles = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isBlink()];
      const more = [cell.isInverse(), cell.isInvisible(), cell.isStrikethrough(), cell.isOverline()];
      const colors = [cell.isFgRGB(), cell.getFgColor(), cell.isBgRGB(), cell.getBgColor()];
      const attributes = [...styles, ...more].map(Boolean);
      return [cell.getChars() || ' ', cell.getWidth(), ...attributes, ...colors].join('|');
    }),
  );
}

const lines = (emulator: Emulator) =>
  Array.from({ length: emulator.rows }, (_, row) =>
    emulator.buffer.active.getLine(emulator.buffer.active.baseY + row)!.translateToString(true),
  );

/** A session of 80 columns and 24 rows in a terminal of the given size. */
async function watch(columns: number, rows: number, session = { columns: 80, rows: 24 }) {
  const shown = createEmulator(columns, rows);
  let written = '';
  let drawing: (() => void) | undefined;
  const terminal = {
    ...{ columns, rows, on: () => undefined, off: () => undefined },
    write(bytes: Uint8Array | string, onWritten?: () => void) {
      written += typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
      shown.write(bytes, onWritten);
    },
  };
  const screen = new SessionScreen(terminal as never, {
    set: (work) => {
      drawing = work;
      return work;
    },
    clear: () => {
      drawing = undefined;
    },
  });
  const own = createEmulator(session.columns, session.rows);
  /** Resolves when everything so far is drawn. */
  const drawn = async () => {
    drawing?.();
    drawing = undefined;
    await parsed(shown, '');
  };
  screen.snapshot(session);
  const output = async (text: string) => {
    await parsed(own, text);
    await new Promise<void>((resolve) => screen.write(new TextEncoder().encode(text), resolve));
    await drawn();
  };
  return {
    ...{ screen, shown, own, drawn, output },
    written: () => written,
    async resizeTerminal(columns: number, rows: number) {
      Object.assign(terminal, { columns, rows });
      shown.resize(columns, rows);
      screen.resizeScreen();
      await drawn();
    },
    async resizeSession(columns: number, rows: number) {
      own.resize(columns, rows);
      screen.resizeSession({ columns, rows });
      // Is parsed after the change of the size.
      await output('');
    },
  };
}

test('output passes as it is if the session fits', async () => {
  const { screen, output, written } = await watch(80, 24);
  const before = written().length;
  await output('\x1b[1mok\x1b[0m\r\n\x1b[?2004h');
  expect(written().slice(before)).toBe('\x1b[1mok\x1b[0m\r\n\x1b[?2004h');
  screen.stop();
});

test('a smaller terminal shows the part around the cursor', async () => {
  const { shown, output, screen } = await watch(20, 5);
  await output(Array.from({ length: 24 }, (_, row) => `row ${row + 1} ${'-'.repeat(40)}end`).join('\r\n'));
  // The cursor is at the end of the last row.
  expect(lines(shown)[4]).toBe(`${'-'.repeat(16)}end`);
  await output('\x1b[3;1H');
  expect(lines(shown).map((line) => line.slice(0, 7))).toEqual([
    'row 3 -',
    'row 4 -',
    'row 5 -',
    'row 6 -',
    'row 7 -',
  ]);
  expect([shown.buffer.active.cursorX, shown.buffer.active.cursorY]).toEqual([0, 0]);
  await output('\x1b[6;10H');
  // As long as the cursor stays within, the part stays as it is.
  expect(lines(shown)[0]).toMatch(/^row 3 /);
  expect([shown.buffer.active.cursorX, shown.buffer.active.cursorY]).toEqual([9, 3]);
  screen.stop();
});

test('the beginning of the lines is shown again as soon as the cursor fits beside it', async () => {
  const { shown, output } = await watch(40, 5);
  await output('begins here\x1b[1;79H');
  expect(lines(shown)[0]).toBe('');
  await output('\x1b[1;42H');
  expect(shown.buffer.active.cursorX).toBe(2);
  await output('\x1b[1;40H');
  expect(lines(shown)[0]).toBe('begins here');
  expect(shown.buffer.active.cursorX).toBe(39);
});

test('only rows that have changed are drawn again', async () => {
  const { output, written } = await watch(40, 10);
  await output('one\r\ntwo\r\nthree');
  const before = written().length;
  await output('\x1b[2;1HTWO');
  expect(written().slice(before)).toContain('TWO');
  expect(written().slice(before)).not.toMatch(/one|three/);
});

test('a terminal that becomes large enough shows the whole session, and what follows passes', async () => {
  const { shown, own, output, resizeTerminal, written, screen } = await watch(40, 10);
  await output('\x1b[?25l\x1b[31mred\x1b[0m\r\n\x1b[20;70Hfar away\x1b[2;3H');
  await resizeTerminal(80, 24);
  expect(cells(shown)).toEqual(cells(own));
  expect([shown.buffer.active.cursorX, shown.buffer.active.cursorY]).toEqual([2, 1]);
  const before = written().length;
  await output('櫓');
  expect(written().slice(before)).toBe('櫓');
  await resizeTerminal(80, 23);
  expect(lines(shown)[0]).toBe('red');
  screen.stop();
});

test('the size of the session is followed in its turn', async () => {
  const { shown, own, output, resizeSession, screen } = await watch(80, 24);
  await output(Array.from({ length: 24 }, (_, row) => `row ${row + 1}`).join('\r\n'));
  await resizeSession(100, 30);
  await output('\x1b[30;1Hlast');
  expect(lines(shown)[23]).toBe('last');
  expect(cells(shown)).toEqual(cells(own, { top: 6, rows: 24, columns: 80 }));
  await resizeSession(80, 24);
  expect(cells(shown)).toEqual(cells(own));
  screen.stop();
});

test('who gets control sees everything, and output passes from then on', async () => {
  const { screen, shown, own, output, resizeSession, written } = await watch(40, 10);
  await output('\x1b[?1h\x1b[12;1Hprompt$ ');
  screen.setControl(true);
  await resizeSession(40, 10);
  expect(cells(shown)).toEqual(cells(own));
  const before = written().length;
  await output('ls\r\n');
  expect(written().slice(before)).toBe('ls\r\n');
  // Who has lost control sees what comes from then on.
  screen.setControl(false);
  await resizeSession(80, 24);
  await output('\x1b[H\x1b[2J\x1b[24;1Hstatus');
  expect(lines(shown)[9]).toBe('status');
});

test('keys are sent as the session wants them, and the cursor is hidden as it wants it', async () => {
  const { output, written, shown } = await watch(40, 10);
  await output('\x1b[?1h\x1b[?2004h\x1b[?25lx');
  expect(shown.modes).toMatchObject({ applicationCursorKeysMode: true, bracketedPasteMode: true });
  expect(written().endsWith('\x1b[?25l')).toBe(true);
  await output('\x1b[?1l\x1b[?2004l\x1b[?25h');
  expect(shown.modes).toMatchObject({ applicationCursorKeysMode: false, bracketedPasteMode: false });
  expect(written().endsWith('\x1b[?25h')).toBe(true);
});

test('messages of this program cover the last rows until a key is pressed', async () => {
  const { screen, shown, output, drawn } = await watch(40, 4);
  await output(Array.from({ length: 24 }, (_, row) => `row ${row + 1}`).join('\r\n'));
  screen.print('Ren requests control\n~g gives it');
  await drawn();
  expect(lines(shown)).toEqual(['row 21', 'row 22', 'Ren requests control', '~g gives it']);
  await output('\r\nrow 25');
  expect(lines(shown)).toEqual(['row 22', 'row 23', 'Ren requests control', '~g gives it']);
  screen.dismissNotice();
  await drawn();
  expect(lines(shown)).toEqual(['row 22', 'row 23', 'row 24', 'row 25']);
});

test('a new snapshot begins anew, and output before it is accounted for', async () => {
  const { screen, shown, output, drawn } = await watch(40, 10);
  await output('before');
  const written = new Promise<void>((resolve) => screen.write(new TextEncoder().encode('late'), resolve));
  screen.snapshot({ columns: 80, rows: 24 });
  await written;
  await new Promise<void>((resolve) => screen.write(new TextEncoder().encode('after'), resolve));
  await drawn();
  expect(lines(shown)[0]).toBe('after');
});

test('the terminal is left on its normal screen', async () => {
  const { screen, shown, output } = await watch(40, 10);
  await output('x');
  expect(shown.buffer.active.type).toBe('alternate');
  screen.stop();
  await parsed(shown, '');
  expect(shown.buffer.active.type).toBe('normal');
});

const text = fc.stringMatching(/^[ -~]{1,12}$/);
const number = (max: number) => fc.integer({ min: 1, max });
const sequence = fc.oneof(
  text,
  fc.constantFrom('櫓', '日本語', 'e\u0301', '\r\n', '\n', '\r', '\t', '\b', '\x1b[K', '\x1b[1K', '\x1b[J'),
  fc.tuple(number(14), number(32)).map(([row, column]) => `\x1b[${row};${column}H`),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(0, 1, 2, 3, 4, 5, 7, 8, 9, 53),
        fc.integer({ min: 30, max: 37 }),
        number(17).map((n) => 90 + (n % 8)),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((styles) => `\x1b[${styles.join(';')}m`),
  fc.integer({ min: 0, max: 255 }).map((color) => `\x1b[38;5;${color}m`),
  fc.tuple(number(255), number(255)).map(([red, blue]) => `\x1b[48;2;${red};0;${blue}m`),
  number(5).map((count) => `\x1b[${count}L`),
  number(5).map((count) => `\x1b[${count}P`),
  fc.tuple(number(6), number(6)).map(([top, rows]) => `\x1b[${top};${top + rows}r`),
);

test('any output is drawn as the session has it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(sequence, { maxLength: 12 }), { maxLength: 6 }), async (outputs) => {
      const { shown, own, output, screen } = await watch(16, 6, { columns: 32, rows: 14 });
      for (const parts of outputs) await output(parts.join(''));
      const { cursorX, cursorY } = own.buffer.active;
      const top = cursorY - shown.buffer.active.cursorY;
      const left = Math.min(cursorX, 31) - shown.buffer.active.cursorX;
      const seen = cells(own, { top, left, rows: 6, columns: 16 }).map((row) => {
        // Of a wide character that is cut, nothing is shown.
        const [first, last] = [row[0]!.split('|'), row.at(-1)!.split('|')];
        return [first[1] === '0' ? 'cut' : row[0], ...row.slice(1, -1), last[1] === '2' ? 'cut' : row.at(-1)];
      });
      const drawn = cells(shown).map((row, at) =>
        row.map((cell, column) => (seen[at]![column] === 'cut' ? 'cut' : cell)),
      );
      expect(drawn).toEqual(seen);
      screen.stop();
    }),
    { numRuns: 150 },
  );
});

test('what a program has left behind does not stay in the terminal', async () => {
  const terminal = new headless.Terminal({ cols: 20, rows: 6, allowProposedApi: true });
  const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
  const usual = { ...terminal.modes };
  await write('one\r\ntwo');
  // Margins, text that is inserted, reports of the focus, keys and lines in place of letters.
  await write('\x1b7\x1b[2;3r\x1b8\x1b[4h\x1b[?1004h\x1b[?1h\x1b=\x1b[?2004h\x1b[?1003h\x1b(0');
  await write(resetModes);
  expect(terminal.modes).toEqual(usual);
  await write('\rq3\r\n4\r\n5\r\n6');
  const rows = Array.from({ length: 6 }, (_, row) =>
    terminal.buffer.active.getLine(row)?.translateToString(true),
  );
  expect(rows).toEqual(['one', 'q3o', '4', '5', '6', '']);
});
