// The terminal of a live session: output, keyboard, selection and size.
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import type { Terminal } from '@xterm/xterm';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { withAdoptedStyles } from './adopt-styles.ts';
import { createTerminal, type TerminalSettings } from './create-terminal.ts';
import type { SessionController, TerminalSize } from './session-controller.ts';
import { terminalThemes } from './terminal-theme.ts';

export interface TerminalHandle {
  focus(): void;
  selection(): string;
  /** Sends text as pasted. */
  paste(text: string): void;
  /** Sends a key of the on-screen keyboard. */
  press(key: OnScreenKey): void;
  /** Returns whether there is a match. */
  search(text: string, direction: 'next' | 'previous'): boolean;
}

export type OnScreenKey = 'Escape' | 'Tab' | 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

interface SessionTerminalProps {
  controller: SessionController;
  settings: TerminalSettings;
  label: string;
  hasControl: boolean;
  isScreenReaderMode: boolean;
  /** The next typed letter is sent with Ctrl. */
  ctrl: RefObject<boolean>;
  onCtrlUsed(): void;
  mayCopy: boolean;
  onPaste(text: string): void;
  onLink(address: string): void;
  onSearch(): void;
  /** The user leaves the terminal by keyboard. */
  onEscape(): void;
  handle: RefObject<TerminalHandle | null>;
}

const arrowLetters = { ArrowUp: 'A', ArrowDown: 'B', ArrowRight: 'C', ArrowLeft: 'D' } as const;
/** A window that is being resized sends its size only this often, in milliseconds. */
const resizePauseMs = 100;

export function SessionTerminal(props: SessionTerminalProps) {
  const box = useRef<HTMLDivElement>(null);
  const terminal = useRef<Terminal>(null);
  const search = useRef<SearchAddon>(null);
  const fit = useRef<() => void>(() => {});
  const applyPendingSize = useRef<() => void>(() => {});
  const latest = useRef(props);
  latest.current = props;
  const { controller, settings, hasControl, isScreenReaderMode, label } = props;

  useEffect(() => {
    const node = box.current!;
    const term = createTerminal(latest.current.settings, (address) => latest.current.onLink(address));
    const fitting = new FitAddon();
    const searching = new SearchAddon();
    term.loadAddon(fitting);
    term.loadAddon(searching);
    withAdoptedStyles(() => term.open(node));
    terminal.current = term;
    search.current = searching;
    fit.current = () => {
      const size = fitting.proposeDimensions();
      if (!size || !(size.cols > 1) || !(size.rows > 0)) return;
      if (latest.current.hasControl) term.resize(size.cols, size.rows);
      controller.setSize({ columns: size.cols, rows: size.rows });
    };
    const afterParsing = (run: () => void) => term.write('', run);
    const resize = ({ columns, rows }: TerminalSize) => term.resize(columns, rows);
    controller.start({
      write: (bytes, onParsed) => term.write(bytes, onParsed),
      clear: (size) =>
        afterParsing(() => {
          term.reset();
          resize(size);
        }),
      resize: (size) => afterParsing(() => resize(size)),
    });
    term.onData((text) => {
      const { ctrl, onCtrlUsed } = latest.current;
      if (ctrl.current && text.length === 1) {
        onCtrlUsed();
        return controller.type(withCtrl(text));
      }
      controller.type(text);
    });
    term.onBinary((text) =>
      controller.typeBytes(Uint8Array.from(text, (character) => character.charCodeAt(0))),
    );
    term.attachCustomKeyEventHandler((event) => handleKey(event, term, latest.current));
    let timer: ReturnType<typeof setTimeout> | undefined;
    applyPendingSize.current = () => {
      const size = fitting.proposeDimensions();
      if (size && (size.cols !== term.cols || size.rows !== term.rows)) fit.current();
    };
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => fit.current(), resizePauseMs);
    });
    observer.observe(node);
    fit.current();
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      term.dispose();
    };
  }, [controller]);

  useEffect(() => {
    const { options } = terminal.current!;
    options.disableStdin = !hasControl;
    options.cursorBlink = hasControl;
    if (hasControl) fit.current();
  }, [hasControl]);

  useEffect(() => {
    terminal.current!.options.screenReaderMode = isScreenReaderMode;
  }, [isScreenReaderMode]);

  useEffect(() => {
    terminal.current!.textarea?.setAttribute('aria-label', label);
  }, [label]);

  const { colorScheme, fontSize, scrollback } = settings;
  useEffect(() => {
    const { options } = terminal.current!;
    options.theme = terminalThemes[colorScheme];
    options.fontSize = fontSize;
    options.scrollback = scrollback;
    fit.current();
  }, [colorScheme, fontSize, scrollback]);

  useEffect(() => {
    const node = box.current!;
    const onPaste = (event: ClipboardEvent) => {
      event.preventDefault();
      event.stopPropagation();
      latest.current.onPaste(event.clipboardData?.getData('text/plain') ?? '');
    };
    const onCopy = (event: ClipboardEvent) => {
      if (latest.current.mayCopy) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before the listeners of the terminal.
    node.addEventListener('paste', onPaste, true);
    node.addEventListener('copy', onCopy, true);
    node.addEventListener('cut', onCopy, true);
    return () => {
      node.removeEventListener('paste', onPaste, true);
      node.removeEventListener('copy', onCopy, true);
      node.removeEventListener('cut', onCopy, true);
    };
  }, []);

  useImperativeHandle(props.handle, () => ({
    focus: () => terminal.current?.focus(),
    selection: () => terminal.current?.getSelection() ?? '',
    paste: (text) => terminal.current?.paste(text),
    press: (key) => controller.type(sequenceOf(key, terminal.current!)),
    search: (text, direction) => {
      // A size that is taken later would clear the selection, from which the next search goes on.
      applyPendingSize.current();
      return (
        (direction === 'next' ? search.current?.findNext(text) : search.current?.findPrevious(text)) ?? false
      );
    },
  }));

  return (
    <div
      className="h-full min-h-0 overflow-auto p-1"
      style={{ background: terminalThemes[colorScheme].background }}
    >
      <div ref={box} className={classNames('h-full', !hasControl && 'w-max min-w-full')} />
    </div>
  );
}

/** Returns false for a key that is not for the remote side. */
function handleKey(event: KeyboardEvent, term: Terminal, props: SessionTerminalProps): boolean {
  const isDown = event.type === 'keydown';
  if (event.key === 'F6' && (event.ctrlKey || event.metaKey)) {
    if (isDown) props.onEscape();
    event.preventDefault();
    return false;
  }
  if (event.ctrlKey && event.shiftKey && event.code === 'KeyF') {
    if (isDown) props.onSearch();
    event.preventDefault();
    return false;
  }
  // The browser pastes.
  if (event.ctrlKey && event.shiftKey && event.code === 'KeyV') return false;
  // With a selection Ctrl+C copies, otherwise it interrupts.
  if (event.ctrlKey && !event.shiftKey && !event.altKey && event.code === 'KeyC' && term.hasSelection()) {
    if (isDown && props.mayCopy) void navigator.clipboard?.writeText(term.getSelection());
    if (isDown) term.clearSelection();
    event.preventDefault();
    return false;
  }
  return true;
}

function withCtrl(letter: string): string {
  const code = letter.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code < 0x60 ? String.fromCharCode(code & 0x1f) : letter;
}

function sequenceOf(key: OnScreenKey, term: Terminal): string {
  if (key === 'Escape') return '\x1b';
  if (key === 'Tab') return '\t';
  return `\x1b${term.modes.applicationCursorKeysMode ? 'O' : '['}${arrowLetters[key]}`;
}
