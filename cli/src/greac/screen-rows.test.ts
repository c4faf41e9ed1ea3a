import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { formatRow } from './screen-rows.ts';

const esc = '\x1b';
/** The first row of a screen of 20 columns after this output; only some of its columns when these are given. */
async function row(output: string, left = 0, width = 20): Promise<string> {
  const emulator = new headless.Terminal({ cols: 20, rows: 2, allowProposedApi: true, scrollback: 0 });
  await new Promise<void>((resolve) => emulator.write(output, resolve));
  return formatRow(emulator.buffer.active, 0, left, width).replaceAll(esc, 'E');
}

test.each([
  ['plain text, without the blanks behind it', 'ab c', 'ab c'],
  ['blanks that have a color', `a${esc}[41m  ${esc}[0m`, 'aE[0;41m  E[0m'],
  ['the same attributes once', `${esc}[1mab`, 'E[0;1mabE[0m'],
  ['blanks between attributes, without them', `${esc}[1ma${esc}[0m ${esc}[1mb`, 'E[0;1maE[0m E[0;1mbE[0m'],
  ['each style', `${esc}[1;2;3;4;5;7;8;9;53mx`, 'E[0;1;2;3;4;5;7;8;9;53mxE[0m'],
  ['one of eight colors', `${esc}[37;40mx`, 'E[0;37;40mxE[0m'],
  ['one of the bright ones', `${esc}[90;107mx`, 'E[0;90;107mxE[0m'],
  ['the seventh and eighth of the palette', `${esc}[38;5;7;48;5;8mx`, 'E[0;37;100mxE[0m'],
  ['the fifteenth and sixteenth', `${esc}[38;5;15;48;5;16mx`, 'E[0;97;48;5;16mxE[0m'],
  ['any color', `${esc}[38;2;1;2;3;48;2;255;0;128mx`, 'E[0;38;2;1;2;3;48;2;255;0;128mxE[0m'],
])('a row has %s', async (_what, output, expected) => expect(await row(output)).toBe(expected));

test.each([
  ['櫓x', 0, 20, '櫓x'],
  ['櫓x', 1, 3, ' x'],
  ['a櫓x', 0, 2, 'a'],
  ['a櫓x', 0, 3, 'a櫓'],
  ['abcdef', 2, 3, 'cde'],
])('of %j, from column %i %i columns are %j', async (output, left, width, expected) => {
  expect(await row(output, left, width)).toBe(expected);
});
