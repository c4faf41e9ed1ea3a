// A session at a stub gateway of the real server: viewers, control, files, and a terminal that echoes what is typed.

import { recordOverhead } from '@yagura/core/greac/stream/stream-cipher';
import {
  decodeViewerMessage,
  encodeViewerControl,
  encodeViewerMessage,
  type GatewayControl,
  type RemoteFile,
  type ViewerControl,
  viewerControl,
} from '@yagura/core/greac/stream/viewer-protocol';
import { send, type Transport } from '@yagura/core/http/transport';
import { type KrokerMachine, setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectGateway, type GatewayStream, type TestGateway } from '@yagura/fixtures/testbed/test-gateway';
import type { Product } from '../product-fixture.ts';

interface StubViewer {
  stream: GatewayStream;
  viewerId: string;
  displayName: string;
  mode: 'control' | 'watch';
  wantsControl: boolean;
}

export class StubSession {
  readonly typed: string[] = [];
  readonly sizes: { columns: number; rows: number }[] = [];
  readonly uploaded: Buffer[] = [];
  files: RemoteFile[] = [];
  /** Content of every download. */
  content: Buffer = Buffer.alloc(0);
  /** Asked about before the session connects. */
  hostKey: string | null = null;
  readonly sessionId: string;
  private readonly origin: string;
  private readonly machine: KrokerMachine;
  private gateway: TestGateway | null = null;
  private screen = '$ ';
  private viewers: StubViewer[] = [];
  private uploadSize = 0;

  private constructor(origin: string, machine: KrokerMachine, sessionId: string) {
    this.origin = origin;
    this.machine = machine;
    this.sessionId = sessionId;
  }

  /** Sets up a gateway and opens a session at a destination of it. */
  static async open(product: Product, parameters: Record<string, unknown> = {}): Promise<StubSession> {
    const { origin, token } = product;
    const transport: Transport = {
      fetch,
      origin,
      headers: () => ({ 'x-authorization': `Token ${token}` }),
    };
    const displayName = `web ${crypto.randomUUID().slice(0, 8)}`;
    const machine = await setUpKroker(transport, { displayName });
    const post = async (path: string, body: unknown) =>
      (await send<Record<string, string>>(transport, { method: 'POST', path, body })).data;
    const { destinationId } = await post('/api/apps/greac/destinations', {
      displayName,
      protocol: 'ssh',
      host: '192.0.2.1',
      krokerId: machine.krokerId,
      parameters,
      fileTransfer: { enabled: true },
    });
    const { sessionId } = await post('/api/apps/greac/sessions', { destinationId, remarks: '' });
    const stub = new StubSession(origin, machine, sessionId!);
    await stub.connect([]);
    return stub;
  }

  /** Output of the remote side. */
  async show(text: string): Promise<void> {
    this.screen += text;
    await Promise.all(this.viewers.map((viewer) => this.sendText(viewer, text)));
  }

  async disconnect(): Promise<void> {
    this.viewers = [];
    await this.gateway!.close();
  }

  async reconnect(): Promise<void> {
    await this.connect([{ sessionId: this.sessionId, state: 'connected' }]);
  }

  /** The remote side ends the session. */
  async end(): Promise<void> {
    await this.sendAll({ type: 'state', state: 'ended', code: 'ended' });
  }

  close(): Promise<void> {
    return this.disconnect();
  }

  private async connect(sessions: { sessionId: string; state: 'connected' }[]): Promise<void> {
    const gateway = await connectGateway({ origin: this.origin, machine: this.machine, sessions });
    this.gateway = gateway;
    void this.answerOpen(gateway);
    void this.acceptViewers(gateway);
    void this.removeViewers(gateway);
  }

  private async answerOpen(gateway: TestGateway): Promise<void> {
    await gateway.next('open');
    gateway.send({ type: 'opened', sessionId: this.sessionId });
  }

  private async acceptViewers(gateway: TestGateway): Promise<void> {
    for (;;) {
      const order = await gateway.next('attach');
      const viewer: StubViewer = {
        stream: await gateway.accept(order),
        viewerId: order.viewerId,
        displayName: order.displayName,
        mode:
          order.mode === 'watch' || this.viewers.some(({ mode }) => mode === 'control') ? 'watch' : 'control',
        wantsControl: false,
      };
      this.viewers.push(viewer);
      await this.welcome(viewer);
      void this.read(viewer);
    }
  }

  private async removeViewers(gateway: TestGateway): Promise<void> {
    for (;;) {
      const { viewerId } = await gateway.next('detach');
      this.viewers = this.viewers.filter((viewer) => viewer.viewerId !== viewerId);
      await this.announce();
    }
  }

  private async welcome(viewer: StubViewer): Promise<void> {
    if (this.hostKey !== null) {
      await this.send(viewer, { type: 'state', state: 'connecting' });
      const key = { algorithm: 'ssh-ed25519', fingerprint: this.hostKey };
      return this.send(viewer, { type: 'host-key', ...key });
    }
    await this.send(viewer, { type: 'state', state: 'connected' });
    await this.send(viewer, { type: 'snapshot', columns: 80, rows: 24 });
    await this.sendText(viewer, this.screen);
    await this.announce();
  }

  private async announce(): Promise<void> {
    const viewers = this.viewers.map(({ stream: _stream, ...viewer }) => viewer);
    for (const viewer of this.viewers)
      await this.send(viewer, { type: 'viewers', you: viewer.viewerId, viewers });
  }

  private async read(viewer: StubViewer): Promise<void> {
    for (;;) {
      const record = await viewer.stream.typed();
      viewer.stream.giveCredit(record.length + recordOverhead);
      const { type, body } = decodeViewerMessage(record)!;
      if (type === 'terminal') {
        this.typed.push(new TextDecoder().decode(body));
        await this.show(new TextDecoder().decode(body));
      } else if (type === 'file') await this.store(viewer, body);
      else await this.handle(viewer, viewerControl.parse(JSON.parse(new TextDecoder().decode(body))));
    }
  }

  private async handle(viewer: StubViewer, message: ViewerControl): Promise<void> {
    switch (message.type) {
      case 'resize':
        this.sizes.push({ columns: message.columns, rows: message.rows });
        return this.sendAll(message);
      case 'request-control':
        viewer.wantsControl = true;
        return this.announce();
      case 'give-control':
        for (const other of this.viewers) {
          other.mode = other.viewerId === message.to ? 'control' : 'watch';
          if (other.mode === 'control') other.wantsControl = false;
        }
        return this.announce();
      case 'host-key-decision':
        this.hostKey = null;
        return this.welcome(viewer);
      case 'list-files': {
        const { transfer } = message;
        await this.send(viewer, { type: 'files', transfer, items: this.files, isTruncated: false });
        return this.send(viewer, { type: 'transfer-done', transfer });
      }
      case 'download': {
        const { transfer, offset } = message;
        await this.send(viewer, { type: 'transfer', transfer, offset, size: this.content.length });
        const prefix = Buffer.alloc(4);
        prefix.writeUInt32BE(transfer);
        const content = Buffer.concat([prefix, this.content.subarray(offset)]);
        await viewer.stream.show(encodeViewerMessage('file', content));
        return this.send(viewer, { type: 'transfer-done', transfer });
      }
      case 'upload': {
        const { transfer, size } = message;
        this.uploadSize = size;
        return this.send(viewer, { type: 'transfer', transfer, offset: 0, size });
      }
    }
  }

  private async store(viewer: StubViewer, body: Uint8Array): Promise<void> {
    const transfer = Buffer.from(body).readUInt32BE();
    this.uploaded.push(Buffer.from(body.subarray(4)));
    const bytes = Buffer.concat(this.uploaded).length;
    await this.send(viewer, { type: 'written', transfer, bytes });
    if (body.length === 4 && bytes === this.uploadSize)
      await this.send(viewer, { type: 'transfer-done', transfer });
  }

  private async sendAll(message: GatewayControl): Promise<void> {
    await Promise.all(this.viewers.map((viewer) => this.send(viewer, message)));
  }

  private send({ stream }: StubViewer, message: GatewayControl): Promise<void> {
    return stream.show(encodeViewerControl(message));
  }

  private sendText({ stream }: StubViewer, text: string): Promise<void> {
    return stream.show(encodeViewerMessage('terminal', new TextEncoder().encode(text)));
  }
}
