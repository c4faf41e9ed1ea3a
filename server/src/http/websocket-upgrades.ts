// Hands over WebSocket upgrades; every other offer to upgrade is declined, as HTTP allows (RFC 9110, 7.8).
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Headers that offer another protocol, such as HTTP/2 (RFC 7540, 3.2). */
const offerHeaders = new Set(['connection', 'upgrade', 'http2-settings']);

/** `take` gets the upgrades to WebSocket of a server. */
export function acceptWebSocketUpgrades(
  server: Server,
  take: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): void {
  server.on('upgrade', (request, socket, head) => {
    const offered = (request.headers.upgrade ?? '').toLowerCase().split(',');
    if (offered.some((protocol) => protocol.trim() === 'websocket')) take(request, socket, head);
    else answerWithoutUpgrade(server, request, socket, head);
  });
}

/**
 * Some clients offer HTTP/2 with their first request, also with a message that is sent by POST. Once there is a listener,
 * Node.js no longer parses such a request, so it is parsed again without the offer. The connection ends with the reply.
 */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`, 'Connection: close'];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!offerHeaders.has(rawHeaders[at]!.toLowerCase()))
      lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
