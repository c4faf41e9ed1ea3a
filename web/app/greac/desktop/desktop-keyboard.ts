// Keys, text of an input method, and pasting, from a text field that nobody sees: only there do browsers compose text.
import type { InputOrder } from './input-order.ts';
import { scanCodeOf } from './scan-codes.ts';

interface KeyboardTarget {
  keys(codes: readonly number[], isPressed: boolean): void;
  /** Text that no key gives. */
  text(text: string): void;
  releaseAll(): void;
}

interface KeyboardOptions {
  /** Of all that the user enters. */
  order: InputOrder;
  /** Calls back after the events of the browser that are due; returns what cancels that. */
  soon(callback: () => void): () => void;
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
  /** A key that pastes, while the browser has not said what. */
  private pasting: { resolve(text: string): void; cancel(): void } | undefined;

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
    this.pasting?.cancel();
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
    this.options.order.enter(() => this.options.target()?.releaseAll());
  };

  /** Gives the desktop a text and presses the keys that paste it. */
  paste(text: string): void {
    this.enterPaste(text, 'KeyV');
  }

  /** Presses and releases keys by their names. */
  press(names: readonly string[]): void {
    this.options.order.enter(() => this.strike(names));
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
      this.enterPaste(this.pastedText(), event.code);
      return;
    }
    // A key that went to the input method, or that was pressed elsewhere.
    if (!isPressed && !this.pressed.delete(event.code)) return;
    event.preventDefault();
    if (isPressed) this.pressed.add(event.code);
    this.options.order.enter(() => this.options.target()?.keys([code], isPressed));
  };

  private onPaste = (event: ClipboardEvent): void => {
    event.preventDefault();
    this.endPasting(event.clipboardData?.getData('text/plain') ?? '');
  };

  /** The browser follows with the text, if the key pastes there as well; empty if it does not. */
  private pastedText(): Promise<string> {
    this.endPasting('');
    return new Promise((resolve) => {
      this.pasting = { resolve, cancel: this.options.soon(() => this.endPasting('')) };
    });
  }

  private endPasting(text: string): void {
    this.pasting?.cancel();
    this.pasting?.resolve(text);
    this.pasting = undefined;
  }

  /** Takes its place among the keys at once, even if the text is still to come. */
  private enterPaste(text: string | Promise<string>, code: string): void {
    const isHeld = code !== 'KeyV' || controlKeys.some((key) => this.pressed.has(key));
    this.options.order.enter(async () => {
      const pasted = await text;
      await this.options.offer()?.(pasted);
      this.strike(isHeld ? [code] : pasteKeys);
    });
  }

  private strike(names: readonly string[]): void {
    const codes = names.flatMap((name) => scanCodeOf(name) ?? []);
    this.options.target()?.keys(codes, true);
    this.options.target()?.keys([...codes].reverse(), false);
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
      this.options.order.enter(async () => {
        if (await give(value)) this.strike(pasteKeys);
      });
    else this.options.order.enter(() => this.type(value));
  }

  private type(text: string): void {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0) this.strike(['Enter']);
      if (line !== '') this.options.target()?.text(line);
    }
    this.options.onTyped(text);
  }
}

/** Ctrl+V and Shift+Insert. */
function isPaste({ code, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (altKey || metaKey) return false;
  return (code === 'KeyV' && ctrlKey && !shiftKey) || (code === 'Insert' && shiftKey && !ctrlKey);
}
