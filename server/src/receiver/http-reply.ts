// Responds without a framework: JSON, problem details, and rejections that do not read the rest of the
// request.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Problem } from '@yagura/core/http/problem';

/** Bytes of a body up to which it is read and discarded, so that the connection can be kept. */
const maxDiscardedBytes = 64 << 10;
/**
 * Bytes and milliseconds for which a connection stays open after a rejection, so that the sender can read it;
 * more bytes if the body had been accepted at first.
 */
const lingerBytes = { unread: 256 << 10, begun: 8 << 20 };
const lingerMs = 1000;

/** Headers as a list of names and values, which `node:http` writes at less cost; it can be made once for many responses. */
export function toHeaderList(headers: OutgoingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  body: string,
): void {
  response.writeHead(status, [...headers, 'content-length', String(Buffer.byteLength(body))]);
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/**
 * Like `sendJson`, for a short ASCII body, and not for HEAD. `node:http` writes a response with a body in two parts, which
 * costs a tenth of the processor time of a message; there is no documented way to write one part.
 */
export function sendShortJson(
  response: ServerResponse,
  status: number,
  headers: readonly string[],
  body: string,
): void {
  response.writeHead(status, [...headers, 'content-length', String(body.length)]);
  const pending = response as unknown as { _header: string };
  pending._header += body;
  response.end();
}

export function sendEmpty(response: ServerResponse, status: number, headers: OutgoingHttpHeaders): void {
  response.writeHead(status, headers);
  response.end();
}

/** Sends a problem response; an unread body is left unread and the connection closed after the response. */
export function sendProblem(
  request: IncomingMessage,
  response: ServerResponse,
  problem: Problem,
  { headers, instance }: { headers: OutgoingHttpHeaders; instance: string },
): void {
  if (response.headersSent) return void response.destroy();
  const closes = !request.complete && contentLengthOf(request) > maxDiscardedBytes;
  if (closes) closeAfterDrain(request, response);
  sendJson(
    response,
    problem.status,
    toHeaderList({
      ...headers,
      'content-type': 'application/problem+json; charset=utf-8',
      ...(problem.retryAfter ? { 'retry-after': String(problem.retryAfter) } : {}),
      ...(closes ? { connection: 'close' } : {}),
    }),
    JSON.stringify({ ...problem.toJSON(), instance: problem.instance ?? instance }),
  );
  // A partial reader may have paused the request; the connection must continue.
  if (!request.complete) request.resume();
}

/** Announced body size of a request in bytes; infinite if unknown. */
export function contentLengthOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Closes our side first: closing a connection with unread bytes resets it, and the reset can overtake the
 * response. Bytes received meanwhile are discarded, within limits.
 */
export function closeAfterDrain(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  let left = request.readableDidRead ? lingerBytes.begun : lingerBytes.unread;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  request.on('error', () => undefined);
  response.once('finish', () => request.once('end', () => socket.destroy()));
  // Called by the HTTP server after the response is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
