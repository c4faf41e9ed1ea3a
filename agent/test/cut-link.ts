// A way from an agent to its server that is cut after some bytes, in the middle of what is on it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLink {
  /** What the agent connects to. */
  origin: string;
  /** Resolves when the agent has sent so many further bytes; the link is cut there. */
  cutAfter(bytes: number): Promise<void>;
  close(): Promise<void>;
}

export async function openCutLink(serverOrigin: string): Promise<CutLink> {
  const { port } = new URL(serverOrigin);
  const open = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let onCut = () => {};
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const link = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    near.on('data', (data) => {
      left -= data.length;
      if (left > 0) return void far.write(data);
      left = Number.POSITIVE_INFINITY;
      cut();
      onCut();
    });
    far.on('data', (data) => void near.write(data));
  });
  link.listen(0, '127.0.0.1');
  await once(link, 'listening');
  return {
    origin: `http://127.0.0.1:${(link.address() as AddressInfo).port}`,
    cutAfter: (bytes) =>
      new Promise((resolve) => {
        left = bytes;
        onCut = resolve;
      }),
    async close() {
      cut();
      link.close();
      await once(link, 'close');
    },
  };
}
