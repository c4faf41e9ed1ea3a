// A viewer of a session behind the test's server: the real cipher, credit, and a terminal that shows what arrives.
import { randomBytes, randomUUID } from 'node:crypto';
import headless from '@xterm/headless';
import { encodeCredit, encodeFrame, type Frame, readReset } from '@yagura/core/greac/stream/frame';
import { type StreamCode, streamCodeName } from '@yagura/core/greac/stream/gateway-protocol';
import {
  StreamCipher,
  sealStreamSecret,
  streamSecretLength,
  webRecordCipher,
} from '@yagura/core/greac/stream/stream-cipher';
import {
  decodeViewerMessage,
  encodeViewerControl,
  encodeViewerMessage,
  type GatewayControl,
  gatewayControl,
  type ViewerControl,
  type ViewerMode,
} from '@yagura/core/greac/stream/viewer-protocol';
import type { KrokerFile } from '@yagura/core/kroker/machine-setup';
import { expect } from 'vitest';
import type { TestGatewayServer } from './test-gateway-server.ts';

type Control<T extends GatewayControl['type']> = Extract<GatewayControl, { type: T }>;

let nextChannel = 1;

export class TestViewer {
  readonly viewerId = randomUUID();
  readonly controls: GatewayControl[] = [];
  /** Content of files by transfer. */
  readonly files = new Map<number, Buffer[]>();
  /** All output since the last snapshot. */
  output = Buffer.alloc(0);
  received = 0;
  /** Why the stream ended; `end` without a reason. */
  ended: StreamCode | 'end' | undefined;
  /** Gives no credit any more: a viewer that hangs. */
  hangs = false;
  /** What arrives is no text. */
  isDesktop = false;
  /** Bytes for which it gives no credit before `release`; undefined if it gives credit at once. */
  heldCredit: number | undefined;
  private readonly server: TestGatewayServer;
  private readonly channel = nextChannel++;
  private readonly cipher: StreamCipher<Promise<Uint8Array>>;
  private readonly terminal = new headless.Terminal({ allowProposedApi: true, scrollback: 2000 });

  private constructor(server: TestGatewayServer, secret: Uint8Array) {
    this.server = server;
    this.cipher = new StreamCipher(secret, 'viewer', webRecordCipher);
    server.listen(this.channel, (frame) => void this.frame(frame));
  }

  static async attach(
    server: TestGatewayServer,
    { krokerId, privateKey }: Pick<KrokerFile, 'krokerId' | 'privateKey'>,
    sessionId: string,
    {
      mode = 'control' as ViewerMode,
      displayName = 'Hana',
      secondsLeft = 60,
      boundTo = sessionId,
      again = undefined as { viewerId: string } | undefined,
    } = {},
  ): Promise<TestViewer> {
    const secret = new Uint8Array(randomBytes(streamSecretLength));
    const viewer = new TestViewer(server, secret);
    const viewerId = again?.viewerId ?? viewer.viewerId;
    const exp = Math.floor(Date.now() / 1000) + secondsLeft;
    const binding = { krokerId, sessionId: boundTo, viewerId, exp };
    server.send({
      ...{ type: 'attach', sessionId, viewerId, channel: viewer.channel, userId: randomUUID() },
      ...{ displayName, mode },
      streamSecret: await sealStreamSecret(secret, binding, privateKey),
    });
    return viewer;
  }

  async type(text: string): Promise<void> {
    await this.write(new TextEncoder().encode(text));
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.send(encodeViewerMessage('terminal', bytes));
  }

  async control(message: ViewerControl): Promise<void> {
    await this.send(encodeViewerControl(message));
  }

  async file(transfer: number, content: Uint8Array): Promise<void> {
    const body = Buffer.alloc(4 + content.length);
    body.writeUInt32BE(transfer);
    body.set(content, 4);
    await this.send(encodeViewerMessage('file', body));
  }

  /** Lines of the screen without empty ones at its end. */
  async screen(): Promise<string[]> {
    await new Promise<void>((resolve) => this.terminal.write('', resolve));
    const { active } = this.terminal.buffer;
    const lines = Array.from({ length: this.terminal.rows }, (_, row) =>
      (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
  }

  /** Waits until the screen shows the text. */
  async sees(text: string | RegExp): Promise<void> {
    await expect
      .poll(async () => (await this.screen()).join('\n'), { timeout: 20_000, interval: 20 })
      .toMatch(text);
  }

  /** Waits for a control message. */
  async gets<T extends GatewayControl['type']>(
    type: T,
    fields: Partial<Control<T>> = {},
  ): Promise<Control<T>> {
    const find = () => this.controls.findLast((message) => message.type === type) as Control<T> | undefined;
    await expect
      .poll(() => find() ?? this.controls, { timeout: 20_000, interval: 20 })
      .toMatchObject({ type, ...fields });
    return find()!;
  }

  async isEnded(reason: StreamCode | 'end'): Promise<void> {
    await expect.poll(() => this.ended, { timeout: 20_000 }).toBe(reason);
  }

  sendData(payload: Uint8Array): void {
    this.server.sendFrame(encodeFrame('data', this.channel, payload));
  }

  /** Gives the credit that was held back. */
  release(): void {
    const held = this.heldCredit ?? 0;
    this.heldCredit = undefined;
    if (held > 0) this.server.sendFrame(encodeCredit(this.channel, held));
  }

  /** Disappears as a closed browser does. */
  leave(sessionId: string): void {
    this.hangs = true;
    this.server.send({ type: 'detach', sessionId, viewerId: this.viewerId });
  }

  private async send(message: Uint8Array): Promise<void> {
    this.sendData(await this.cipher.seal(message));
  }

  private async frame(frame: Frame): Promise<void> {
    if (frame.kind === 'end') this.ended = 'end';
    if (frame.kind === 'reset') this.ended = streamCodeName(readReset(frame))!;
    if (frame.kind !== 'data' || this.hangs) return;
    const { length } = frame.payload;
    const { type, body } = decodeViewerMessage(await this.cipher.open(frame.payload))!;
    if (type === 'control') this.show(gatewayControl.parse(JSON.parse(new TextDecoder().decode(body))));
    else if (type === 'file') {
      const transfer = Buffer.from(body).readUInt32BE();
      this.files.set(transfer, [...(this.files.get(transfer) ?? []), Buffer.from(body.subarray(4))]);
    } else {
      this.received += body.length;
      this.output = Buffer.concat([this.output, body]).subarray(this.isDesktop ? 0 : -200_000);
      if (!this.isDesktop) await new Promise<void>((resolve) => this.terminal.write(body, resolve));
    }
    if (this.heldCredit === undefined) this.server.sendFrame(encodeCredit(this.channel, length));
    else this.heldCredit += length;
  }

  private show(message: GatewayControl): void {
    this.controls.push(message);
    if (message.type === 'snapshot' || message.type === 'resize')
      this.terminal.resize(message.columns, message.rows);
    if (message.type !== 'snapshot') return;
    this.terminal.reset();
    this.output = Buffer.alloc(0);
  }
}
