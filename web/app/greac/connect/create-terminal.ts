// Creates the terminal emulator of sessions and recordings. What the remote side sends can neither reach the
// clipboard nor the window's title, and opens links only after a question.
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { type ColorScheme, terminalThemes } from './terminal-theme.ts';

export interface TerminalSettings {
  colorScheme: ColorScheme;
  /** In pixels. */
  fontSize: number;
  /** Number of lines. */
  scrollback: number;
}

const clipboardSequence = 52;
const titleSequences = [0, 1, 2];

export function createTerminal(
  { colorScheme, fontSize, scrollback }: TerminalSettings,
  onLink?: (address: string) => void,
): Terminal {
  const terminal = new Terminal({
    theme: terminalThemes[colorScheme],
    fontSize,
    scrollback,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--font-mono') || 'monospace',
    // Input is read outside of the emulator.
    disableStdin: true,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    linkHandler: { activate: (_event, address) => onLink?.(address) },
  });
  for (const sequence of [clipboardSequence, ...titleSequences])
    terminal.parser.registerOscHandler(sequence, () => true);
  return terminal;
}

/** The address if it is one of the web; null for all others, such as `javascript:`. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}
