// Keys, text of an input method, and pasting, from a text field that nobody sees: only there do browsers compose text.
import { scanCodeOf } from './scan-codes.ts';

interface KeyboardTarget {
  keys(codes: readonly number[], isPressed: boolean): void;
  /** Text that no key gives. */
  text(text: string): void;
  releaseAll(): void;
}

interface KeyboardOptions {
  /** Null while nothing may be typed. */
  target(): KeyboardTarget | null;
  /** Gives the desktop a text that it can paste then; null if it keeps its own. */
  offer(): ((text: string) => Promise<void>) | null;
  /** Gives the desktop text of an input method to paste, and resolves to whether it can; null if it is typed. */
  give(): ((text: string) => Promise<boolean>) | null;
  /** Text of an input method was typed. */
  onTyped(text: string): void;
  /** The user leaves the desktop. */
  onEscape(): void;
}

const controlKeys = ['ControlLeft', 'ControlRight'];
const pasteKeys = ['ControlLeft', 'KeyV'];
/** What browsers report for keys that an input method has taken. */
const composedKey = 229;

export class DesktopKeyboard {
  private readonly field: HTMLTextAreaElement;
  private readonly options: KeyboardOptions;
  private readonly pressed = new Set<string>();
  /** The key that pastes, while the browser has not said what. */
  private pasting: { code: string; timer: ReturnType<typeof setTimeout> } | undefined;

  /** What is entered waits for this: the desktop takes its time with a text that it is given. */
  private busy: Promise<void> | undefined;

  constructor(field: HTMLTextAreaElement, options: KeyboardOptions) {
    this.field = field;
    this.options = options;
    field.addEventListener('keydown', this.onKey);
    field.addEventListener('keyup', this.onKey);
    field.addEventListener('paste', this.onPaste);
    field.addEventListener('input', this.onInput);
    field.addEventListener('compositionend', this.onComposed);
    field.addEventListener('blur', this.release);
  }

  dispose(): void {
    const { field } = this;
    clearTimeout(this.pasting?.timer);
    field.removeEventListener('keydown', this.onKey);
    field.removeEventListener('keyup', this.onKey);
    field.removeEventListener('paste', this.onPaste);
    field.removeEventListener('input', this.onInput);
    field.removeEventListener('compositionend', this.onComposed);
    field.removeEventListener('blur', this.release);
  }

  /** Keys must not stay pressed when the user has left. */
  release = (): void => {
    this.pressed.clear();
    this.enter(() => this.options.target()?.releaseAll());
  };

  /** Gives the desktop a text and presses the keys that paste it. */
  paste(text: string, code = 'KeyV'): void {
    const isHeld = code !== 'KeyV' || controlKeys.some((key) => this.pressed.has(key));
    this.enter(async () => {
      await this.options.offer()?.(text);
      this.press(isHeld ? [code] : pasteKeys);
    });
  }

  /** Presses and releases keys by their names. */
  press(names: readonly string[]): void {
    const codes = names.flatMap((name) => scanCodeOf(name) ?? []);
    this.options.target()?.keys(codes, true);
    this.options.target()?.keys([...codes].reverse(), false);
  }

  private onKey = (event: KeyboardEvent): void => {
    if (event.code === 'F6' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.release();
      if (event.type === 'keydown') this.options.onEscape();
      return;
    }
    const isPressed = event.type === 'keydown';
    const code = scanCodeOf(event.code);
    if (code === null) return;
    if (isPressed && (event.isComposing || event.keyCode === composedKey)) return;
    if (isPressed && isPaste(event) && this.options.target() && this.options.offer()) {
      clearTimeout(this.pasting?.timer);
      // The browser follows with the text, if this key pastes there as well.
      const timer = setTimeout(() => this.finishPaste(''));
      this.pasting = { code: event.code, timer };
      return;
    }
    // A key that went to the input method, or that was pressed elsewhere.
    if (!isPressed && !this.pressed.delete(event.code)) return;
    event.preventDefault();
    if (isPressed) this.pressed.add(event.code);
    this.enter(() => this.options.target()?.keys([code], isPressed));
  };

  private onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    this.finishPaste(event.clipboardData?.getData('text/plain') ?? '');
  };

  private finishPaste(text: string): void {
    if (!this.pasting) return;
    const { code, timer } = this.pasting;
    clearTimeout(timer);
    this.pasting = undefined;
    this.paste(text, code);
  }

  private onInput = (event: Event): void => {
    if (!(event as InputEvent).isComposing) this.sendText();
  };

  private onComposed = (): void => this.sendText();

  private sendText(): void {
    const { value } = this.field;
    this.field.value = '';
    if (value === '') return;
    const give = this.options.give();
    if (give)
      this.enter(async () => {
        if (await give(value)) this.press(pasteKeys);
      });
    else this.enter(() => this.type(value));
  }

  private type(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.press(['Enter']);
      if (line !== '') this.options.target()?.text(line);
    }
    this.options.onTyped(text);
  }

  /** In the order in which it was typed. */
  private enter(action: () => void | Promise<void>): void {
    const result = this.busy ? this.busy.then(action) : action();
    if (!result) return;
    const busy = result.finally(() => {
      if (this.busy === busy) this.busy = undefined;
    });
    this.busy = busy;
  }
}

/** Ctrl+V and Shift+Insert. */
function isPaste({ code, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || metaKey) return false;
  return (code === 'KeyV' && ctrlKey && !shiftKey) || (code === 'Insert' && shiftKey && !ctrlKey);
}
