// Passes the client's network address from the receiver to the application.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A client's own header of this name is removed by the receiver. */
export const clientAddressHeader = 'x-yagura-peer';

export function formatClientAddress({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}

/**
 * Makes the socket of a proxied request report the client's address. Each connection belongs to one client,
 * so only the header of its first request is used.
 */
export function restoreClientAddress(request: IncomingMessage): void {
  const { socket, headers, rawHeaders } = request;
  const header = headers[clientAddressHeader];
  delete headers[clientAddressHeader];
  const at = rawHeaders.findIndex(
    (name, index) => index % 2 === 0 && name.toLowerCase() === clientAddressHeader,
  );
  if (at >= 0) rawHeaders.splice(at, 2);
  if (Object.hasOwn(socket, 'remoteAddress')) return;
  const [address, port] = String(header ?? '').split(' ');
  Object.defineProperty(socket, 'remoteAddress', { value: address || undefined });
  Object.defineProperty(socket, 'remotePort', { value: Number(port ?? 0) });
}
