// What a session shows, and how it gets to the viewers: a terminal or a desktop.
import type { GatewayControl } from '@yagura/core/greac/stream/viewer-protocol';
import type { SessionLogs, SessionRecorder } from './recording/recorder.ts';
import type { SessionError } from './session-error.ts';
import type { Target, TerminalSize } from './target.ts';
import type { Viewer } from './viewer.ts';
import type { Viewers } from './viewers.ts';

/** The session of a display. */
export interface DisplayHost {
  readonly viewers: Viewers;
  readonly target: Target | undefined;
  readonly recorder: SessionRecorder | null;
  /** The display has fallen behind the output, or has caught up. */
  setBehind(isBehind: boolean): void;
  /** Something was written by a viewer. */
  typed(viewer: Viewer): void;
  /** Ends the session. */
  fail(error: SessionError): void;
  /** Connects to the host again, for viewers that begin anew. */
  reconnect(): Promise<void>;
}

export interface Display {
  readonly size: TerminalSize;
  /** Null for those of a terminal. */
  readonly logs: SessionLogs | null;
  /** What viewers are told when they come. */
  readonly greeting: readonly GatewayControl[];
  output(bytes: Uint8Array): void;
  /** Takes what a viewer sends. False if the target takes its time. Throws for what is not of the protocol. */
  input(viewer: Viewer, bytes: Uint8Array): boolean;
  /** False if the size stays. */
  resize(size: TerminalSize): boolean;
  /** Text that draws the screen as it is; null if viewers begin by themselves. */
  snapshot: (() => Promise<TerminalSize & { text: string }>) | null;
  removed(viewer: Viewer): void;
  dispose(): void;
}
