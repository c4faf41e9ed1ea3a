// Passes text between the clipboard of a desktop and the viewer that controls the session.
import {
  type ClipboardRefusal,
  type ClipboardText,
  clipboardMessages,
  maxClipboardText,
} from '@yagura/core/greac/stream/viewer-protocol';
import type { DisplayHost } from './display.ts';
import type { Viewer } from './viewer.ts';

export class ClipboardRelay {
  private readonly host: DisplayHost;
  /** Beginnings of texts; null for one that is too long. */
  private readonly incoming = new WeakMap<Viewer, string | null>();

  constructor(host: DisplayHost) {
    this.host = host;
  }

  /** A piece of text from a viewer. */
  received(viewer: Viewer, { text, isLast }: ClipboardText): void {
    const begun = this.incoming.get(viewer);
    const whole =
      begun === null || (begun ?? '').length + text.length > maxClipboardText ? null : (begun ?? '') + text;
    if (!isLast) {
      this.incoming.set(viewer, whole);
      return;
    }
    this.incoming.delete(viewer);
    const refusal = this.offer(viewer, whole);
    if (refusal) viewer.sendControl({ type: 'clipboard-refused', reason: refusal });
    else this.host.recorder?.clipboard('pasted', whole!.length, viewer.identity.displayName);
  }

  /** Text that was copied on the desktop; null if it is too long. */
  copied(text: string | null): void {
    const { controller } = this.host.viewers;
    if (!controller) return;
    if (text === null) {
      controller.sendControl({ type: 'clipboard-refused', reason: 'too-long' });
      return;
    }
    this.host.recorder?.clipboard('copied', text.length, controller.identity.displayName);
    for (const message of clipboardMessages(text)) controller.sendControl(message);
  }

  taken(): void {
    this.host.viewers.controller?.sendControl({ type: 'clipboard-taken' });
  }

  private offer(viewer: Viewer, text: string | null): ClipboardRefusal | null {
    if (viewer.mode !== 'control') return 'not-allowed';
    if (text === null) return 'too-long';
    return this.host.target?.offerText?.(text) ?? null;
  }
}
