// Text styles for terminals with colors.
import type { Tone } from '@yagura/core/resource/field';

export type Style = Tone | 'bold' | 'dim' | 'inverse';

/** SGR parameters (ECMA-48 8.3.117), on and off. */
const sgrCodes: Record<Style, readonly [number, number]> = {
  neutral: [39, 39],
  success: [32, 39],
  warning: [33, 39],
  danger: [31, 39],
  info: [36, 39],
  progress: [34, 39],
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
};

export function applyStyle(style: Style, text: string): string {
  if (text === '' || style === 'neutral') return text;
  const [on, off] = sgrCodes[style];
  return `\x1b[${on}m${text}\x1b[${off}m`;
}
