// Carries the network address of a client over the connection between the receiver and the application.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A client's own header of this name never gets past the receiver. */
export const clientAddressHeader = 'x-yagura-peer';

export function formatClientAddress({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? 0}`;
}

/**
 * Makes the socket of a request that the receiver has handed on tell the client's address. A connection belongs to one
 * client, and its first request says to which: what may follow on it says nothing new.
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
