// Stands in for the stream of a session in browser tests: viewers, control, and a terminal that echoes what is
// typed. The browser speaks the real protocol with the real cipher to it.
import type { Page } from '@playwright/test';
import {
  type ReceivedMessage,
  TestGateway,
  type TestSocket,
  viewerIdOf,
} from '@yagura/core/greac/stream/test-gateway';
import type { RemoteFile } from '@yagura/core/greac/stream/viewer-protocol';

interface StubViewer {
  socket: TestSocket;
  viewerId: string;
  displayName: string;
  mode: 'control' | 'watch';
  wantsControl: boolean;
  handled: number;
}

export class StubSession {
  readonly typed: string[] = [];
  readonly sizes: { columns: number; rows: number }[] = [];
  readonly uploaded: Buffer[] = [];
  files: RemoteFile[] = [];
  /** Content of every download. */
  content = Buffer.alloc(0);
  screen = '$ ';
  parameters: Record<string, unknown> = {};
  /** Shown before the session connects. */
  hostKey: string | null = null;
  isAway = false;
  private readonly gateway: TestGateway;
  private viewers: StubViewer[] = [];
  private uploadBytes = 0;

  constructor(sessionId: string) {
    this.gateway = new TestGateway(Date.now, sessionId);
  }

  get sessionId(): string {
    return this.gateway.sessionId;
  }

  /** Serves the stream of a page; `displayName` is its user. */
  async serve(page: Page, displayName: string): Promise<void> {
    await page.route('**/attach', async (route) => {
      if (this.isAway) {
        const body = { type: 'urn:yagura:problem:unavailable', title: 'GATEWAY_AWAY', status: 503 };
        return route.fulfill({ status: 503, json: body });
      }
      const attachment = await this.gateway.attach();
      const json = { ...attachment, protocol: 'ssh', parameters: this.parameters, displayName: 'web1' };
      return route.fulfill({ json });
    });
    await page.routeWebSocket(/\/stream$/, (browser) => {
      const socket = this.gateway.openSocket(browser.url(), []) as TestSocket;
      socket.onmessage = ({ data }: { data: ArrayBuffer }) => browser.send(Buffer.from(data));
      socket.onclose = () => void browser.close();
      browser.onMessage((message) => socket.send(new Uint8Array(message as Buffer)));
      const viewer: StubViewer = {
        socket,
        viewerId: viewerIdOf(this.gateway.sockets.length - 1),
        displayName,
        mode: this.viewers.some(({ mode }) => mode === 'control') ? 'watch' : 'control',
        wantsControl: false,
        handled: 0,
      };
      this.viewers.push(viewer);
      browser.onClose(() => this.remove(viewer));
      void this.welcome(viewer);
      void socket.until(({ received }) => {
        for (const message of received.slice(viewer.handled)) void this.handle(viewer, message);
        viewer.handled = received.length;
        return socket.isClosed;
      });
    });
  }

  /** Output of the remote side. */
  async show(text: string): Promise<void> {
    this.screen += text;
    await Promise.all(this.viewers.map(({ socket }) => socket.sendTerminal(text)));
  }

  /** Ends all connections; the gateway is away until `isAway` is reset. */
  disconnect(): void {
    this.isAway = true;
    for (const { socket } of this.viewers.splice(0)) socket.reset('GATEWAY_AWAY');
  }

  async end(): Promise<void> {
    for (const { socket } of this.viewers)
      await socket.sendControl({ type: 'state', state: 'ended', code: 'ended' });
  }

  private async welcome({ socket }: StubViewer): Promise<void> {
    if (this.hostKey !== null) {
      await socket.sendControl({ type: 'state', state: 'connecting' });
      await socket.sendControl({ type: 'host-key', algorithm: 'ssh-ed25519', fingerprint: this.hostKey });
      return;
    }
    await socket.sendControl({ type: 'state', state: 'connected' });
    await socket.sendControl({ type: 'snapshot', columns: 80, rows: 24 });
    await socket.sendTerminal(this.screen);
    await this.announce();
  }

  private remove(viewer: StubViewer): void {
    this.viewers = this.viewers.filter((other) => other !== viewer);
    void this.announce();
  }

  private async announce(): Promise<void> {
    const viewers = this.viewers.map(({ viewerId, displayName, mode, wantsControl }) => ({
      viewerId,
      displayName,
      mode,
      wantsControl,
    }));
    await Promise.all(
      this.viewers.map(({ socket, viewerId: you }) => socket.sendControl({ type: 'viewers', you, viewers })),
    );
  }

  private async handle(viewer: StubViewer, message: ReceivedMessage): Promise<void> {
    const { socket } = viewer;
    switch (message.type) {
      case 'terminal':
        this.typed.push(message.text);
        return this.show(message.text);
      case 'resize':
        this.sizes.push({ columns: message.columns, rows: message.rows });
        return void (await Promise.all(this.viewers.map((other) => other.socket.sendControl(message))));
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
        await socket.sendControl({ type: 'files', transfer, items: this.files, isTruncated: false });
        return socket.sendControl({ type: 'transfer-done', transfer });
      }
      case 'download': {
        const { transfer, offset } = message;
        await socket.sendControl({ type: 'transfer', transfer, offset, size: this.content.length });
        await socket.sendFile(transfer, this.content.subarray(offset));
        return socket.sendControl({ type: 'transfer-done', transfer });
      }
      case 'upload': {
        this.uploadBytes = message.size;
        const { transfer, size } = message;
        return socket.sendControl({ type: 'transfer', transfer, offset: 0, size });
      }
      case 'file': {
        if (message.content.length > 0) this.uploaded.push(Buffer.from(message.content));
        const bytes = Buffer.concat(this.uploaded).length;
        await socket.sendControl({ type: 'written', transfer: message.transfer, bytes });
        if (message.content.length === 0 && bytes === this.uploadBytes)
          await socket.sendControl({ type: 'transfer-done', transfer: message.transfer });
      }
    }
  }
}
