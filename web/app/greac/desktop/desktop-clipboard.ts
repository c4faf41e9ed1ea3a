// Text between the clipboards of the browser and of the desktop. The newer text wins, whichever side it is from.
import {
  type ClipboardRefusal,
  type ClipboardText,
  type GatewayControl,
  maxClipboardText,
} from '@yagura/core/greac/stream/viewer-protocol';

type ClipboardMessage = Extract<GatewayControl, { type: `clipboard${string}` }>;

interface ClipboardOptions {
  send(text: string): void;
  /** Text was copied on the desktop. */
  onCopied(text: string): void;
  onRefused(reason: ClipboardRefusal): void;
  /** Calls back later; returns what cancels that. */
  later(callback: () => void, ms: number): () => void;
}

/** Milliseconds that the desktop has to take a text. */
const takeMs = 2000;

export class DesktopClipboard {
  private readonly options: ClipboardOptions;
  private incoming = '';
  /** What the two sides are known to have. */
  private ofBrowser: string | null = null;
  private ofDesktop: string | null = null;
  /** What the desktop would paste, if that is known. */
  private held: string | null = null;
  private waiting: ((isTaken: boolean) => void) | undefined;

  constructor(options: ClipboardOptions) {
    this.options = options;
  }

  receive(message: ClipboardMessage): void {
    if (message.type === 'clipboard') this.add(message);
    else this.waiting?.(message.type === 'clipboard-taken');
    if (message.type !== 'clipboard-refused') return;
    // The next paste tries again.
    if (message.reason !== 'too-long') this.ofBrowser = null;
    this.options.onRefused(message.reason);
  }

  /** Gives the desktop the browser's text if that is new; resolves when the desktop can paste. */
  async offer(text: string): Promise<void> {
    if (text !== '' && text !== this.ofBrowser && text !== this.ofDesktop) await this.give(text);
  }

  /** Gives the desktop a text, whichever side has the newer one; resolves to whether the desktop can paste it. */
  async give(text: string): Promise<boolean> {
    if (text === this.held) return true;
    if (text.length > maxClipboardText) {
      this.options.onRefused('too-long');
      return false;
    }
    this.ofBrowser = text;
    this.held = null;
    this.waiting?.(false);
    return new Promise<boolean>((resolve) => {
      const cancel = this.options.later(() => this.waiting?.(false), takeMs);
      this.waiting = (isTaken) => {
        this.waiting = undefined;
        cancel();
        if (isTaken) this.held = text;
        resolve(isTaken);
      };
      this.options.send(text);
    });
  }

  private add({ text, isLast }: ClipboardText): void {
    this.incoming += text;
    if (!isLast) return;
    this.ofDesktop = this.incoming;
    this.held = this.incoming;
    this.incoming = '';
    this.options.onCopied(this.ofDesktop);
  }
}
