// Gateway for tests of viewers: speaks the real protocol with the real cipher over sockets in memory.
import { exportJWK, generateKeyPair } from 'jose';
import type { PublicKey } from '../../kroker/public-key.ts';
import {
  CreditWindow,
  decodeFrame,
  encodeCredit,
  encodeFrame,
  encodeReset,
  readCredit,
  viewerChannel,
} from './frame.ts';
import { type StreamCode, streamCodes } from './gateway-protocol.ts';
import type { Attachment } from './session-stream.ts';
import { openStreamSecret, StreamCipher, webRecordCipher } from './stream-cipher.ts';
import type { StreamSocket } from './stream-connection.ts';
import {
  decodeViewerMessage,
  encodeViewerControl,
  encodeViewerMessage,
  type GatewayControl,
  streamBegin,
  type ViewerControl,
  type ViewerMode,
  viewerControl,
} from './viewer-protocol.ts';

/** A received message: a control message, typed text, or the content of a file. */
export type ReceivedMessage =
  | ViewerControl
  | { type: 'terminal'; text: string }
  | { type: 'file'; transfer: number; content: Uint8Array };

/** Id of a viewer by the order in which the viewers attach. */
export function viewerIdOf(index: number): string {
  return `0190a0a0-0000-7000-8000-${String(index + 1).padStart(12, '0')}`;
}

export class TestGateway {
  readonly sessionId: string;
  readonly krokerId = '0190a0a0-0000-7000-8000-0000000000bb';
  readonly sockets: TestSocket[] = [];
  private readonly keys = generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true });
  private viewers = 0;
  readonly clock: () => number;

  constructor(clock: () => number, sessionId = '0190a0a0-0000-7000-8000-0000000000aa') {
    this.clock = clock;
    this.sessionId = sessionId;
  }

  async attach(): Promise<Attachment> {
    const { publicKey } = await this.keys;
    this.viewers += 1;
    return {
      ticket: `ticket-${this.viewers}`,
      viewerId: viewerIdOf(this.viewers - 1),
      krokerId: this.krokerId,
      publicKey: (await exportJWK(publicKey)) as PublicKey,
    };
  }

  readonly openSocket = (path: string, subprotocols: string[]): StreamSocket => {
    const socket = new TestSocket(this, path, subprotocols);
    this.sockets.push(socket);
    return socket;
  };

  /** The connection of the viewer that attached last. */
  get socket(): TestSocket {
    return this.sockets.at(-1)!;
  }

  async privateKey(): Promise<CryptoKey> {
    return (await this.keys).privateKey;
  }
}

export class TestSocket implements StreamSocket {
  binaryType = 'blob';
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  readonly path: string;
  readonly subprotocols: string[];
  readonly received: ReceivedMessage[] = [];
  /** Credit that the viewer has given. */
  readonly window = new CreditWindow();
  isClosed = false;
  /** What the viewer has asked for. */
  mode: ViewerMode | undefined;
  /** Id of the viewer whose stream this one takes over. */
  replaces: string | undefined;
  /** Gives no credit for what is received. */
  holdsCredit = false;
  private readonly gateway: TestGateway;
  private cipher: StreamCipher<Promise<Uint8Array>> | undefined;
  private waiting: (() => void)[] = [];

  constructor(gateway: TestGateway, path: string, subprotocols: string[]) {
    this.gateway = gateway;
    this.path = path;
    this.subprotocols = subprotocols;
    queueMicrotask(() => this.onopen?.({} as never));
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    void this.receive(bytes.slice());
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    queueMicrotask(() => this.onclose?.({} as never));
    this.wakeAll();
  }

  /** Resolves once a condition is met; checked after every received message. */
  async until(isMet: (socket: this) => boolean): Promise<void> {
    while (!isMet(this)) {
      await new Promise<void>((wake) => {
        this.waiting.push(wake);
      });
    }
  }

  controls<T extends ViewerControl['type']>(type: T): Extract<ViewerControl, { type: T }>[] {
    return this.received.filter((one) => one.type === type) as Extract<ViewerControl, { type: T }>[];
  }

  async sendControl(message: GatewayControl): Promise<void> {
    await this.sendPlaintext(encodeViewerControl(message));
  }

  async sendTerminal(bytes: Uint8Array | string): Promise<void> {
    const body = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
    await this.sendPlaintext(encodeViewerMessage('terminal', body));
  }

  async sendFile(transfer: number, content: Uint8Array): Promise<void> {
    const body = new Uint8Array(4 + content.length);
    new DataView(body.buffer).setUint32(0, transfer);
    body.set(content, 4);
    await this.sendPlaintext(encodeViewerMessage('file', body));
  }

  /** Ends the channel with a code. */
  reset(code: StreamCode): void {
    this.sendFrame(encodeReset(viewerChannel, streamCodes[code]));
  }

  /** Resolves once the viewer's stream secret is opened. */
  async ready(): Promise<void> {
    await this.until(() => this.cipher !== undefined);
  }

  sendFrame(frame: Uint8Array<ArrayBuffer>): void {
    if (!this.isClosed) this.onmessage?.({ data: frame.buffer } as never);
  }

  private wakeAll(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }

  private async sendPlaintext(plaintext: Uint8Array): Promise<void> {
    await this.ready();
    const record = await this.cipher!.seal(plaintext);
    if (!this.window.use(record.length)) throw new Error('the viewer has given no credit');
    this.sendFrame(encodeFrame('data', viewerChannel, record));
  }

  private async receive(bytes: Uint8Array): Promise<void> {
    const frame = decodeFrame(bytes)!;
    if (frame.kind === 'control') await this.begin(frame.payload);
    else if (frame.kind === 'credit') this.window.add(readCredit(frame)!);
    else if (frame.kind === 'data') {
      const { type, body } = decodeViewerMessage(await this.cipher!.open(frame.payload))!;
      if (type === 'control') this.received.push(viewerControl.parse(JSON.parse(decode(body))));
      else if (type === 'terminal') this.received.push({ type, text: decode(body) });
      else {
        const transfer = new DataView(body.buffer, body.byteOffset).getUint32(0);
        this.received.push({ type, transfer, content: body.slice(4) });
      }
      if (!this.holdsCredit) this.sendFrame(encodeCredit(viewerChannel, frame.payload.length));
    }
    this.wakeAll();
  }

  private async begin(payload: Uint8Array): Promise<void> {
    const { mode, streamSecret, replaces } = streamBegin.parse(JSON.parse(decode(payload)));
    this.mode = mode;
    this.replaces = replaces;
    const { krokerId, sessionId, sockets, clock } = this.gateway;
    const viewerId = viewerIdOf(sockets.indexOf(this));
    const expected = { krokerId, sessionId, viewerId, now: clock() };
    const secret = await openStreamSecret(streamSecret, expected, await this.gateway.privateKey());
    if (!secret) throw new Error('the stream secret cannot be opened');
    this.cipher = new StreamCipher(secret, 'gateway', webRecordCipher);
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
