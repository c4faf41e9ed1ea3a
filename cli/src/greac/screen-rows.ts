// Rows of an emulated terminal as text with the control sequences of their colors (ECMA-48, SGR).
import type { IBuffer, IBufferCell } from '@xterm/headless';

/** Columns `left` to `left + width` of a row of the screen. A wide character that is cut is left out. */
export function formatRow(buffer: IBuffer, row: number, left: number, width: number): string {
  const line = buffer.getLine(buffer.baseY + row);
  if (!line) return '';
  let text = '';
  let attributes = '';
  let blanks = '';
  for (let column = left; column < left + width; column++) {
    const cell = line.getCell(column);
    // The second half of a wide character.
    if (!cell || (cell.getWidth() === 0 && column > left)) continue;
    const isCut = cell.getWidth() === 0 || column + cell.getWidth() > left + width;
    const characters = isCut ? ' ' : cell.getChars() || ' ';
    const wanted = formatAttributes(cell);
    if (wanted === '' && characters === ' ') {
      blanks += ' ';
      continue;
    }
    if (blanks !== '') {
      text += (attributes === '' ? '' : '\x1b[0m') + blanks;
      attributes = '';
      blanks = '';
    }
    if (wanted !== attributes) text += `\x1b[0${wanted}m`;
    attributes = wanted;
    text += characters;
  }
  return attributes === '' ? text : `${text}\x1b[0m`;
}

/** Parameters of SGR after the 0, e.g. `;1;31`; empty for plain text. */
function formatAttributes(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return '';
  const styles = [
    ...[cell.isBold() && 1, cell.isDim() && 2, cell.isItalic() && 3, cell.isUnderline() && 4],
    ...[cell.isBlink() && 5, cell.isInverse() && 7, cell.isInvisible() && 8, cell.isStrikethrough() && 9],
    cell.isOverline() && 53,
  ].filter(Boolean);
  const foreground = formatColor(30, cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor());
  const background = formatColor(40, cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor());
  return [...styles, ...foreground, ...background].map((parameter) => `;${parameter}`).join('');
}

/** `base` is the parameter of the first of the eight colors. */
function formatColor(base: number, isRgb: boolean, isPalette: boolean, color: number): number[] {
  if (isRgb) return [base + 8, 2, color >> 16, (color >> 8) & 0xff, color & 0xff];
  if (!isPalette) return [];
  if (color < 8) return [base + color];
  return color < 16 ? [base + 52 + color] : [base + 8, 5, color];
}
