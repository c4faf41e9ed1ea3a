// One connection to a desktop for several viewers. Each viewer's browser is a complete client, but only one of them
// talks to the host while the connection is made. Those who come later get the host's answers of that time, and their
// own side of it is dropped; then the host is asked to paint everything.
import { updateCodes } from '@yagura/core/greac/stream/desktop-updates';
import type { GatewayControl } from '@yagura/core/greac/stream/viewer-protocol';
import type { Display, DisplayHost } from '../display.ts';
import { DesktopLog } from '../recording/desktop-log.ts';
import { SessionError } from '../session-error.ts';
import type { TerminalSize } from '../target.ts';
import type { Viewer } from '../viewer.ts';
import { hasKeys, readUpdates, UpdateAssembler } from './fast-path.ts';
import { FrameSplitter, isTpkt } from './frames.ts';
import { ioChannelOf, parseSendData } from './mcs.ts';
import { KeyFrames } from './picture/key-frames.ts';
import { PointerShapes } from './picture/pointer-shapes.ts';
import {
  encodeRefresh,
  type HostDesktop,
  isFontList,
  readClientMessage,
  readServerMessage,
} from './share.ts';

/** A viewer whose client has begun. */
interface Client {
  frames: FrameSplitter;
  /** It gets the frames of the host. */
  isJoined: boolean;
  /** It has everything that it needs to send input. */
  isReady: boolean;
}

interface CompleteUpdate {
  code: number;
  data: Buffer;
  isFirst: boolean;
}

/** Begins the first RemoteFX message (MS-RDPRFX 2.2.2.2.1), which sets up the decoder for all that follow. */
const remoteFxSync = Buffer.from([0xc0, 0xcc, 0x0c, 0x00, 0x00, 0x00, 0xca, 0xac, 0xcc, 0xca]);
/** Another client has taken the desktop over (MS-RDPBCGR 2.2.5.1.1). */
const otherConnection = 5;
/** Of a picture that is not compressed. */
const pixelBytes = 4;
/** Bytes of a picture that wait for a viewer, whatever size the host names. */
const maxPictureBytes = 64 * 1024 * 1024;
/** Bytes of that message that are kept. */
const maxFirstPicture = 16 * 1024 * 1024;

export class DesktopDisplay implements Display {
  readonly size: TerminalSize = { columns: 80, rows: 24 };
  readonly snapshot = null;
  readonly logs = { text: null, video: new DesktopLog(() => this.opening) };
  private readonly host: DisplayHost;
  private readonly clients = new Map<Viewer, Client>();
  /** `connecting` until the host has accepted the account, `activating` until it takes input. */
  private phase: 'connecting' | 'activating' | 'active' = 'connecting';
  /** Who talks to the host before it is active. */
  private lead: Viewer | undefined;
  private needsReconnect = false;
  /** Frames that wait for a new connection. */
  private held: Buffer[] | undefined;
  private ioChannel: number | undefined;
  private initiator = 0;
  private desktop: HostDesktop = { shareId: 0, width: 0, height: 0, takesText: false };
  private connectFrames: Buffer[] = [];
  private activationFrames: Buffer[] = [];
  private firstPicture: Buffer[] = [];
  private pictureState: 'awaited' | 'begun' | 'kept' = 'awaited';
  private updates = new UpdateAssembler();
  private pointers = new PointerShapes();
  private readonly keyFrames = new KeyFrames({
    begun: () => {
      const { opening } = this;
      this.host.recorder?.keyFrame(opening);
      return opening.reduce((sum, { length }) => sum + length, 0);
    },
    completed: () => this.host.recorder?.keyFrame(null),
    wanted: () => this.refresh(),
  });

  constructor(host: DisplayHost) {
    this.host = host;
  }

  output(bytes: Uint8Array): void {
    const frame = Buffer.from(bytes);
    this.ioChannel ??= ioChannelOf(frame);
    const message = readServerMessage(frame, this.ioChannel);
    if (message.kind === 'foreign') return;
    if (message.kind === 'error-info' && message.code === otherConnection) {
      this.host.fail(new SessionError('SESSION_CONFLICT'));
      return;
    }
    if (message.kind === 'demand-active') {
      const { kind: _, ...desktop } = message;
      this.beginActivation(desktop);
    }
    const complete = message.kind === 'picture' ? this.readPicture(frame) : [];
    if (message.kind === 'update')
      complete.push({ code: updateCodes.bitmap, data: message.data, isFirst: true });
    if (this.phase === 'connecting') this.connectFrames.push(frame);
    if (this.phase === 'activating') this.activationFrames.push(frame);
    if (message.kind === 'font-map') this.phase = 'active';
    this.record(frame, complete);
    // The host paints everything now.
    if (message.kind === 'font-map') this.beginKeyFrame();
    for (const [viewer, { isJoined }] of this.clients) if (isJoined) this.send(viewer, frame);
    if (this.updates.isInside) return;
    for (const [viewer, client] of this.clients) if (!client.isJoined) this.join(viewer, client);
    if (this.phase === 'active' && this.host.recorder) this.keyFrames.ask();
  }

  input(viewer: Viewer, bytes: Uint8Array): boolean {
    // What was decrypted after its viewer had left.
    if (this.host.viewers.get(viewer.id) !== viewer) return true;
    const client = this.clients.get(viewer) ?? this.begin(viewer);
    let isTaken = true;
    for (const frame of client.frames.add(bytes))
      if (this.passes(viewer, client, frame)) isTaken = this.write(frame) && isTaken;
    return isTaken;
  }

  removed(viewer: Viewer): void {
    this.clients.delete(viewer);
    if (this.lead !== viewer || this.phase === 'active') return;
    this.lead = undefined;
    if (this.phase === 'connecting') this.needsReconnect = true;
    // The others have said what they had to say, and the host has not heard it: they begin anew.
    for (const other of [...this.clients.keys()]) other.reset('GATEWAY_AWAY');
    this.clients.clear();
  }

  get greeting(): GatewayControl[] {
    if (this.phase === 'connecting') return [];
    return [{ type: 'desktop', takesText: this.desktop.takesText }];
  }

  /** The size is agreed when the connection is made. */
  resize(): boolean {
    return false;
  }

  dispose(): void {
    this.clients.clear();
  }

  private get opening(): Buffer[] {
    return [
      ...this.connectFrames,
      ...this.activationFrames,
      ...this.firstPicture,
      ...(this.phase === 'active' ? this.pointers.frames : []),
    ];
  }

  private begin(viewer: Viewer): Client {
    const client = { frames: new FrameSplitter(), isJoined: false, isReady: false };
    this.clients.set(viewer, client);
    if (this.phase !== 'active' && !this.lead) {
      this.lead = viewer;
      if (this.phase === 'connecting' && this.needsReconnect) void this.reconnect();
    }
    if (!this.updates.isInside) this.join(viewer, client);
    return client;
  }

  private join(viewer: Viewer, client: Client): void {
    client.isJoined = true;
    for (const frame of this.opening) viewer.sendOutput(frame);
    if (this.phase === 'active') this.refresh();
  }

  /** Has the host paint everything. */
  private refresh(): void {
    this.write(encodeRefresh({ initiator: this.initiator, ioChannel: this.ioChannel!, ...this.desktop }));
    this.beginKeyFrame();
  }

  private beginKeyFrame(): void {
    if (this.host.recorder) this.keyFrames.begin(this.desktop.width, this.desktop.height);
  }

  private async reconnect(): Promise<void> {
    this.needsReconnect = false;
    this.ioChannel = undefined;
    this.connectFrames = [];
    this.held = [];
    await this.host.reconnect();
    const held = this.held;
    this.held = undefined;
    for (const frame of held) this.host.target?.write(frame);
  }

  private write(frame: Buffer): boolean {
    if (!this.held) return this.host.target?.write(frame) ?? true;
    this.held.push(frame);
    return true;
  }

  /** Whether a viewer's frame goes to the host. */
  private passes(viewer: Viewer, client: Client, frame: Buffer): boolean {
    if (this.ioChannel === undefined) return this.lead === viewer;
    const kind = readClientMessage(frame, this.ioChannel);
    if (this.phase === 'connecting') return this.lead === viewer && kind !== 'foreign';
    if (!client.isReady) client.isReady = kind === 'activation' && isFontList(frame);
    if (this.phase === 'activating') {
      if (this.lead !== viewer || (kind !== 'confirm-active' && kind !== 'activation')) return false;
      this.initiator = parseSendData(frame)!.initiator;
      return true;
    }
    if (kind === 'acknowledge') return viewer === this.pacer;
    if (kind !== 'input' || viewer.mode !== 'control' || !client.isReady) return false;
    if (isTpkt(frame) || hasKeys(frame)) this.host.typed(viewer);
    return true;
  }

  /** Whose speed the host goes by. */
  private get pacer(): Viewer | undefined {
    const { controller } = this.host.viewers;
    return controller && this.clients.has(controller) ? controller : this.clients.keys().next().value;
  }

  private beginActivation(desktop: HostDesktop): void {
    if (this.phase === 'active') this.lead = this.pacer;
    this.phase = 'activating';
    this.desktop = desktop;
    this.activationFrames = [];
    this.firstPicture = [];
    this.pictureState = 'awaited';
    this.updates = new UpdateAssembler();
    this.pointers = new PointerShapes();
    this.keyFrames.reset();
    for (const message of this.greeting) this.host.viewers.broadcast(message);
  }

  /** Returns the updates that are complete with this frame. */
  private readPicture(frame: Buffer): CompleteUpdate[] {
    const complete: CompleteUpdate[] = [];
    const before = this.pictureState;
    for (const [index, update] of readUpdates(frame).entries()) {
      const { code } = update;
      const data = this.updates.add(update);
      if (data) complete.push({ code, data, isFirst: index === 0 });
      if (data) this.pointers.add(code, data);
      if (
        this.pictureState === 'awaited' &&
        code === updateCodes.surface &&
        update.data.includes(remoteFxSync)
      )
        this.pictureState = 'begun';
      if (this.pictureState === 'begun' && !this.updates.isInside) this.pictureState = 'kept';
    }
    if (before !== 'kept' && this.pictureState !== 'awaited') this.keepFirstPicture(frame);
    return complete;
  }

  private keepFirstPicture(frame: Buffer): void {
    this.firstPicture.push(frame);
    if (this.firstPicture.reduce((sum, { length }) => sum + length, 0) <= maxFirstPicture) return;
    this.firstPicture = [];
    this.pictureState = 'kept';
  }

  private record(frame: Buffer, updates: readonly CompleteUpdate[]): void {
    if (!this.host.recorder) return;
    this.host.recorder.output(frame);
    this.keyFrames.recorded(frame.length);
    // The browser's client reads only the first update of a frame.
    for (const { code, data, isFirst } of updates) if (isFirst) this.keyFrames.painted(code, data);
  }

  private send(viewer: Viewer, frame: Buffer): void {
    viewer.sendOutput(frame);
    // The host may paint all of the screen at once.
    const { width, height } = this.desktop;
    const pictureBytes = Math.min(width * height * pixelBytes, maxPictureBytes);
    if (viewer.mode !== 'watch' || !viewer.isLost(pictureBytes)) return;
    // Frames cannot be left out: who is too slow attaches again, and begins with the screen as it is then.
    viewer.forgetOutput();
    viewer.reset('CREDIT_EXCEEDED');
  }
}
