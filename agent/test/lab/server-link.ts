// The way from a namespace of the lab to the server of the test, which can be cut.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DaemonSite } from '@yagura/fixtures/lab/site/lab-site';

const relay = fileURLToPath(new URL('../../../fixtures/src/lab/site/relay.mjs', import.meta.url));

export interface ServerLink {
  /** Connections that are open. */
  connections(): number;
  /** Ends all connections. */
  cut(): void;
  close(): void;
}

/** The server is reached inside the namespace by the same origin as outside. */
export async function openServerLink(site: DaemonSite, name: string, origin: string): Promise<ServerLink> {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-link-'));
  const path = join(folder, 'socket');
  const { port } = new URL(origin);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        for (const end of [near, far]) {
          end.destroy();
          open.delete(end);
        }
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(path);
  await once(server, 'listening');
  const child = site.start(name, process.execPath, [relay, port, path]);
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    connections: () => open.size / 2,
    cut,
    close() {
      child.kill();
      cut();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
