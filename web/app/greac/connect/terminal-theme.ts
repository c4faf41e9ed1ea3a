// Colors of the terminal for each color scheme of a destination.
import type { ITheme } from '@xterm/xterm';
import type { colorSchemes } from '@yagura/core/greac/session-parameters';

export type ColorScheme = (typeof colorSchemes)[number];

const onBlack: ITheme = {
  background: '#000000',
  black: '#3b4252',
  red: '#ff6b68',
  green: '#6fdca8',
  yellow: '#f5c361',
  blue: '#7fb2ff',
  magenta: '#d9a0ff',
  cyan: '#5fd7e0',
  white: '#d5dbe3',
  brightBlack: '#8b95a5',
  brightRed: '#ff9d94',
  brightGreen: '#9af0c5',
  brightYellow: '#ffdc8f',
  brightBlue: '#b0d0ff',
  brightMagenta: '#ecc8ff',
  brightCyan: '#9aecf2',
  brightWhite: '#ffffff',
  selectionBackground: '#0f5546',
};

const onWhite: ITheme = {
  background: '#ffffff',
  black: '#17211f',
  red: '#b3261e',
  green: '#0c6b45',
  yellow: '#7d4f00',
  blue: '#1257a6',
  magenta: '#8a1f83',
  cyan: '#006b7a',
  white: '#56635f',
  brightBlack: '#46524f',
  brightRed: '#c2281f',
  brightGreen: '#00713f',
  brightYellow: '#8a5a00',
  brightBlue: '#0b5fc4',
  brightMagenta: '#a3219b',
  brightCyan: '#007285',
  brightWhite: '#17211f',
  selectionBackground: '#bfe8dd',
};

const themed = (base: ITheme, foreground: string): ITheme => ({ ...base, foreground, cursor: foreground });

export const terminalThemes: Record<ColorScheme, ITheme> = {
  'gray-black': themed(onBlack, '#b8c0cc'),
  'white-black': themed(onBlack, '#ffffff'),
  'green-black': themed(onBlack, '#4ee08f'),
  'black-white': themed(onWhite, '#000000'),
};
