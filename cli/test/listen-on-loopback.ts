import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Lets a test server listen on a free port; resolves with its origin, such as `http://127.0.0.1:40123`. */
export async function listenOnLoopback(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
