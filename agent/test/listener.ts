// A TCP listener on a loopback address that counts its connections.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface Listener {
  port: number;
  connections(): number;
  close(): Promise<void>;
}

export async function listenOn(address: string, port = 0): Promise<Listener> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.on('error', () => undefined);
    socket.end();
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => count,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
