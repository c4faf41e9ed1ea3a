// A running RDP client on a canvas: frames of the host in, frames of the user out.
import { DesktopSocket, withDesktopSocket } from './desktop-socket.ts';
import { acknowledgedFrame, encodeFrameEnd } from './frame-marker.ts';
import { type Pointer, PointerUpdates } from './pointer-updates.ts';

type Iron = typeof import('./iron-rdp.client.ts');
type IronSession = Awaited<ReturnType<InstanceType<Iron['Backend']['SessionBuilder']>['connect']>>;

export interface DesktopSize {
  width: number;
  height: number;
}

export interface DesktopClientOptions {
  canvas: HTMLCanvasElement;
  /** Wanted size; the destination or the host may have another. */
  size: DesktopSize;
  /** Gets what the client says to the host. */
  onSent(bytes: Uint8Array): void;
  onConnected(): void;
  /** The pointer of the desktop has another shape. Recordings have no use for it: nobody points there. */
  onPointer?(pointer: Pointer): void;
  /** The client cannot go on; called once, and never after `close`. */
  onFailed(error: unknown): void;
}

let loading: Promise<Iron> | undefined;

/** Loads the client ahead of its first use. */
export function loadDesktopClient(): Promise<Iron> {
  loading ??= import('./iron-rdp.client.ts').then(async (iron) => {
    await iron.init('error');
    return iron;
  });
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

export class DesktopClient {
  private readonly options: DesktopClientOptions;
  private readonly socket: DesktopSocket;
  private iron: Iron | undefined;
  private session: IronSession | undefined;
  private isClosed = false;
  /** Numbers of frames whose end the client will acknowledge. */
  private readonly awaited = new Map<number, () => void>();
  private lastFrame = 0x8000_0000;

  constructor(options: DesktopClientOptions) {
    this.options = options;
    const pointers = new PointerUpdates();
    this.socket = new DesktopSocket(
      (bytes) => {
        if (this.isClosed) return;
        const drawn = this.awaited.get(acknowledgedFrame(bytes) ?? 0);
        if (!drawn) options.onSent(bytes);
        drawn?.();
      },
      (frame) => {
        const pointer = options.onPointer ? pointers.read(frame) : null;
        if (pointer) options.onPointer!(pointer);
      },
    );
    void this.run();
  }

  /** Takes what the host says. */
  receive(bytes: Uint8Array): void {
    if (this.isClosed) return;
    try {
      this.socket.receive(bytes);
    } catch (error) {
      this.isClosed = true;
      this.options.onFailed(error);
    }
  }

  /** Resolves when everything up to here is on the canvas. Only for a client that is connected, between two updates. */
  drawn(): Promise<void> {
    const frame = ++this.lastFrame;
    return new Promise((resolve) => {
      this.awaited.set(frame, () => {
        this.awaited.delete(frame);
        resolve();
      });
      this.receive(encodeFrameEnd(frame));
    });
  }

  /** Sends keys, in this order. */
  keys(codes: readonly number[], isPressed: boolean): void {
    const { DeviceEvent } = this.iron?.Backend ?? {};
    if (!DeviceEvent) return;
    this.send(
      codes.map((code) => (isPressed ? DeviceEvent.keyPressed(code) : DeviceEvent.keyReleased(code))),
    );
  }

  /** Types characters, whatever the keyboard layout of the host. */
  text(text: string): void {
    const { DeviceEvent } = this.iron?.Backend ?? {};
    if (!DeviceEvent) return;
    for (const character of text)
      this.send([DeviceEvent.unicodePressed(character), DeviceEvent.unicodeReleased(character)]);
  }

  pointer(x: number, y: number): void {
    const { DeviceEvent } = this.iron?.Backend ?? {};
    if (DeviceEvent) this.send([DeviceEvent.mouseMove(x, y)]);
  }

  button(button: number, isPressed: boolean): void {
    const { DeviceEvent } = this.iron?.Backend ?? {};
    if (!DeviceEvent) return;
    this.send([isPressed ? DeviceEvent.mouseButtonPressed(button) : DeviceEvent.mouseButtonReleased(button)]);
  }

  /** `amount` is in pixels, as browsers report it. */
  wheel(isVertical: boolean, amount: number): void {
    const { DeviceEvent } = this.iron?.Backend ?? {};
    if (DeviceEvent && amount !== 0) this.send([DeviceEvent.wheelRotations(isVertical, -amount, 0)]);
  }

  /** Keys must not stay pressed when the user has left. */
  releaseAll(): void {
    if (!this.isClosed) this.session?.releaseAllInputs();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.socket.close();
  }

  private async run(): Promise<void> {
    const { canvas, size, onConnected, onFailed } = this.options;
    try {
      this.iron = await loadDesktopClient();
      if (this.isClosed) return;
      const { Backend, enableCredssp } = this.iron;
      const builder = new Backend.SessionBuilder()
        // The gateway puts in the account and the host.
        .username('-')
        .password('-')
        .destination('desktop')
        .authToken('-')
        .proxyAddress(DesktopSocket.address)
        .desktopSize(new Backend.DesktopSize(size.width, size.height))
        .renderCanvas(canvas)
        .setCursorStyleCallbackContext(null)
        // See `PointerUpdates`.
        .setCursorStyleCallback(() => undefined)
        .extension(enableCredssp(false));
      this.session = await withDesktopSocket(this.socket, () => builder.connect());
      if (this.isClosed) return;
      onConnected();
      await this.session.run();
      if (!this.isClosed) throw new Error('the desktop has ended');
    } catch (error) {
      if (this.isClosed) return;
      this.isClosed = true;
      onFailed(error);
    }
  }

  private send(events: ReturnType<Iron['Backend']['DeviceEvent']['mouseMove']>[]): void {
    if (!this.session || this.isClosed) return;
    const transaction = new this.iron!.Backend.InputTransaction();
    for (const event of events) transaction.addEvent(event);
    try {
      this.session.applyInputs(transaction);
    } catch (error) {
      this.isClosed = true;
      this.options.onFailed(error);
    }
  }
}
