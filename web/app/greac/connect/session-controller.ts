// State of a live session in the console: its stream, its viewers and the questions that it asks.

import type { SessionAttachment } from '@yagura/core/greac/session';
import { FileTransfers } from '@yagura/core/greac/stream/file-transfers';
import {
  SessionStream,
  type SessionStreamOptions,
  type StreamStatus,
} from '@yagura/core/greac/stream/session-stream';
import {
  clipboardMessages,
  type GatewayControl,
  type ViewerMode,
} from '@yagura/core/greac/stream/viewer-protocol';
import { systemTimers } from '@yagura/core/live/timers';
import { Store } from '../../ui/store.ts';
import { knownThumbprint, rememberThumbprint } from './known-gateways.ts';

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Where the output of the session goes. */
export interface TerminalOutput {
  write(bytes: Uint8Array, onParsed: () => void): void;
  /** Clears the terminal once everything written before is parsed. */
  clear(size: TerminalSize): void;
  resize(size: TerminalSize): void;
}

export type Viewer = Extract<GatewayControl, { type: 'viewers' }>['viewers'][number];

/** A gateway whose key is not the one that this browser knows. */
export interface ChangedGateway {
  known: string;
  thumbprint: string;
}

export interface SessionState {
  status: StreamStatus;
  viewers: readonly Viewer[];
  viewerId: string | null;
  hasControl: boolean;
  hostKey: { algorithm: string; fingerprint: string } | null;
  changedGateway: ChangedGateway | null;
  /** False once the gateway has said that nothing is recorded any longer. */
  isRecording: boolean;
  /** Whether the host of a desktop takes characters that no key gives; it is said before the desktop is shown. */
  takesText: boolean;
  /** Parameters of the destination; null until the session is attached. */
  parameters: SessionAttachment['parameters'] | null;
}

export const initialSessionState: SessionState = {
  status: { state: 'attaching' },
  viewers: [],
  viewerId: null,
  hasControl: false,
  hostKey: null,
  changedGateway: null,
  isRecording: true,
  takesText: true,
  parameters: null,
};

export interface ControllerOptions
  extends Pick<SessionStreamOptions, 'closeReason' | 'openSocket' | 'now' | 'random' | 'timers'> {
  sessionId: string;
  mode: ViewerMode;
  attach(): Promise<SessionAttachment>;
}

export class SessionController extends Store<SessionState> {
  /** Gets what the gateway says about the clipboard of a desktop. */
  onClipboard: (message: Extract<GatewayControl, { type: `clipboard${string}` }>) => void = () => undefined;
  readonly transfers: FileTransfers;
  private readonly stream: SessionStream;
  private output: TerminalOutput | null = null;
  private size: TerminalSize | null = null;
  private decideGateway: (isAccepted: boolean) => void = () => {};

  constructor(options: ControllerOptions) {
    super(initialSessionState);
    this.stream = new SessionStream({
      ...options,
      attach: async () => {
        const attachment = await options.attach();
        this.update({ parameters: attachment.parameters, viewerId: attachment.viewerId });
        return attachment;
      },
      isTrusted: (krokerId, thumbprint) => this.checkGateway(krokerId, thumbprint),
      onStatus: (status) => this.onStatus(status),
      handlers: {
        onControl: (message) => this.onControl(message),
        onTerminal: (bytes, onParsed) => this.output?.write(bytes, onParsed),
        onFile: (transfer, content, onStored) => this.transfers.onFile(transfer, content, onStored),
      },
    });
    this.transfers = new FileTransfers(this.stream);
  }

  /** Starts the stream; a later call only replaces the output. */
  start(output: TerminalOutput): void {
    const isStarted = this.output !== null;
    this.output = output;
    if (!isStarted) this.stream.start();
  }

  leave(): void {
    this.decideGateway(false);
    this.stream.leave();
  }

  retryNow(): void {
    this.stream.retryNow();
  }

  type(text: string): void {
    if (this.state.hasControl) this.stream.sendTerminal(new TextEncoder().encode(text));
  }

  typeBytes(bytes: Uint8Array): void {
    if (this.state.hasControl) this.stream.sendTerminal(bytes);
  }

  /** Sends bytes of a desktop's client, which the gateway judges. */
  send(bytes: Uint8Array): void {
    this.stream.sendTerminal(bytes);
  }

  /** Offers text to a desktop; the gateway judges whether it may have it. */
  sendClipboard(text: string): void {
    for (const message of clipboardMessages(text)) this.stream.sendControl(message);
  }

  /** The size that fits into the window; applied while this viewer has control. */
  setSize(size: TerminalSize): void {
    this.size = size;
    if (this.state.hasControl) this.stream.sendControl({ type: 'resize', ...size });
  }

  requestControl(): void {
    this.stream.sendControl({ type: 'request-control' });
  }

  giveControl(to: string | null): void {
    this.stream.sendControl({ type: 'give-control', to });
  }

  decideHostKey(accept: boolean): void {
    const { hostKey } = this.state;
    if (!hostKey) return;
    this.update({ hostKey: null });
    this.stream.sendControl({ type: 'host-key-decision', fingerprint: hostKey.fingerprint, accept });
  }

  decideChangedGateway(isAccepted: boolean): void {
    this.decideGateway(isAccepted);
  }

  private checkGateway(krokerId: string, thumbprint: string): boolean | Promise<boolean> {
    const known = knownThumbprint(krokerId);
    if (known === thumbprint) return true;
    if (known === null) {
      rememberThumbprint(krokerId, thumbprint);
      return true;
    }
    return new Promise((resolve) => {
      this.decideGateway = (isAccepted) => {
        this.decideGateway = () => {};
        if (isAccepted) rememberThumbprint(krokerId, thumbprint);
        this.update({ changedGateway: null });
        resolve(isAccepted);
      };
      this.update({ changedGateway: { known, thumbprint } });
    });
  }

  private onStatus(status: StreamStatus): void {
    const isConnected = status.state === 'connected';
    this.update({
      status,
      ...(isConnected || status.state === 'connecting'
        ? {}
        : { hasControl: false, viewers: [], hostKey: null }),
    });
    this.transfers.setConnected(isConnected);
    if (status.state === 'ended' || status.state === 'failed' || status.state === 'left')
      this.transfers.abort('SESSION_CLOSED');
  }

  private onControl(message: GatewayControl): void {
    switch (message.type) {
      case 'snapshot':
        this.output?.clear(message);
        break;
      case 'resize':
        this.output?.resize(message);
        break;
      case 'host-key':
        this.update({ hostKey: { algorithm: message.algorithm, fingerprint: message.fingerprint } });
        break;
      case 'recording':
        this.update({ isRecording: message.isRecording });
        break;
      case 'desktop':
        this.update({ takesText: message.takesText });
        break;
      case 'viewers':
        this.onViewers(message);
        break;
      case 'clipboard':
      case 'clipboard-taken':
      case 'clipboard-refused':
        this.onClipboard(message);
        break;
      case 'state':
        break;
      default:
        this.transfers.onControl(message);
    }
  }

  private onViewers({ viewers, you }: Extract<GatewayControl, { type: 'viewers' }>): void {
    const hadControl = this.state.hasControl;
    const hasControl = viewers.some(({ viewerId, mode }) => viewerId === you && mode === 'control');
    this.update({ viewers, viewerId: you, hasControl });
    if (hasControl && !hadControl && this.size) this.stream.sendControl({ type: 'resize', ...this.size });
  }

  private update(change: Partial<SessionState>): void {
    this.setState({ ...this.state, ...change });
  }
}

/** What a session needs from the browser. */
export const browserConnection: Pick<ControllerOptions, 'openSocket' | 'now' | 'random' | 'timers'> = {
  openSocket(path, subprotocols) {
    const address = new URL(path, location.href);
    address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    return new WebSocket(address, subprotocols);
  },
  now: () => Date.now(),
  random: () => Math.random(),
  timers: systemTimers,
};
