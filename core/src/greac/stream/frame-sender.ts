// Sends the frames of many channels over one WebSocket: control messages first, then interactive channels in turns, and
// bulk channels (log uploads) when nobody else has something to send. Of the interactive channels those with a small
// frame go before those with a large one, so that a key does not wait for the files of others.

/** Bytes handed to the socket that it has not yet passed on; the rest waits here, where its turn can still change. */
const maxInFlight = 64 * 1024;
/** Bytes of a frame that goes before larger ones: what is typed, and what a terminal shows of it. */
const smallFrame = 2 * 1024;
/** Small frames that go before a large one. */
const maxSmallInTurn = 16;

export type Priority = 'control' | 'interactive' | 'bulk';
const priorities: readonly Priority[] = ['control', 'interactive', 'bulk'];

export interface FrameSocket {
  send(data: Uint8Array, done: (error?: Error | null) => void): void;
  /** What is sent until `uncork` goes to the network in one piece. */
  cork?(): void;
  uncork?(): void;
}

export interface ControlLimit {
  /** Bytes of control frames that may wait. */
  maxBytes: number;
  /** Called when more are waiting, because the other side reads too slowly. */
  onExceeded(): void;
}

type Turn = [channel: number, queue: Waiting[]];

interface Waiting {
  bytes: Uint8Array;
  onSent?: (() => void) | undefined;
}

export class FrameSender {
  /** Bytes of frames for interactive channels so far. */
  interactiveBytes = 0;
  private readonly socket: FrameSocket;
  private readonly controlLimit: ControlLimit | undefined;
  private readonly queues: Record<Priority, Map<number, Waiting[]>> = {
    control: new Map(),
    interactive: new Map(),
    bulk: new Map(),
  };
  private controlBytes = 0;
  private inFlight = 0;
  private smallInTurn = 0;
  private isScheduled = false;

  constructor(socket: FrameSocket, controlLimit?: ControlLimit) {
    this.socket = socket;
    this.controlLimit = controlLimit;
  }

  /** Frames of one channel keep their order; `onSent` is called when the frame was handed to the network. */
  push(priority: Priority, channel: number, bytes: Uint8Array, onSent?: () => void): void {
    const queues = this.queues[priority];
    const queue = queues.get(channel);
    if (queue) queue.push({ bytes, onSent });
    else queues.set(channel, [{ bytes, onSent }]);
    if (priority === 'control') {
      this.controlBytes += bytes.length;
      if (this.controlLimit && this.controlBytes > this.controlLimit.maxBytes) {
        this.controlLimit.onExceeded();
        return;
      }
    }
    if (priority === 'interactive') this.interactiveBytes += bytes.length;
    this.schedule();
  }

  /** Forgets what the channel has not sent yet. */
  drop(channel: number): void {
    for (const { bytes } of this.queues.control.get(channel) ?? []) this.controlBytes -= bytes.length;
    for (const priority of priorities) this.queues[priority].delete(channel);
  }

  /** What is pushed in one turn is sent together. */
  private schedule(): void {
    if (this.isScheduled || this.inFlight >= maxInFlight) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.pump();
    });
  }

  private pump(): void {
    this.socket.cork?.();
    while (this.inFlight < maxInFlight) {
      const next = this.take();
      if (!next) break;
      const { length } = next.bytes;
      this.inFlight += length;
      this.socket.send(next.bytes, () => {
        this.inFlight -= length;
        next.onSent?.();
        this.schedule();
      });
    }
    this.socket.uncork?.();
  }

  private take(): Waiting | undefined {
    for (const priority of priorities) {
      const queues = this.queues[priority];
      const turn = priority === 'interactive' ? this.interactiveTurn() : first(queues);
      if (!turn) continue;
      const [channel, queue] = turn;
      const next = queue.shift()!;
      if (priority === 'control') this.controlBytes -= next.bytes.length;
      // The channel goes to the end of the line.
      queues.delete(channel);
      if (queue.length > 0) queues.set(channel, queue);
      return next;
    }
    return undefined;
  }

  private interactiveTurn(): Turn | undefined {
    let small: Turn | undefined;
    let large: Turn | undefined;
    for (const turn of this.queues.interactive) {
      const [, [next]] = turn;
      if (next!.bytes.length <= smallFrame) small ??= turn;
      else large ??= turn;
      if (small && large) break;
    }
    const turn = this.smallInTurn < maxSmallInTurn ? (small ?? large) : (large ?? small);
    // Only small frames that a large one waits for are counted.
    this.smallInTurn = turn === small && large ? this.smallInTurn + 1 : 0;
    return turn;
  }
}

function first(queues: Map<number, Waiting[]>): Turn | undefined {
  const [turn] = queues;
  return turn;
}
