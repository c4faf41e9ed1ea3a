// Answers requests without a framework: JSON and problems, and a refusal that does not read what the sender still sends.
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Problem } from '@yagura/core/http/problem';

/** A body of so many bytes is read and dropped, so that the connection can be kept. */
const maxDiscardedBytes = 64 << 10;
/**
 * Bytes and milliseconds for which a connection stays open after a refusal, so that the sender can read it; more bytes for
 * who was let begin.
 */
const lingerBytes = { unread: 256 << 10, begun: 8 << 20 };
const lingerMs = 1000;

export function sendJson(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body: string,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Answers with a problem; a body that was not read is left, and the connection closed once the answer is out. */
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
    {
      ...headers,
      'content-type': 'application/problem+json; charset=utf-8',
      ...(problem.retryAfter ? { 'retry-after': String(problem.retryAfter) } : {}),
      ...(closes ? { connection: 'close' } : {}),
    },
    JSON.stringify({ ...problem.toJSON(), instance: problem.instance ?? instance }),
  );
  // A pause by whoever read a part of it must not keep the connection from going on.
  if (!request.complete) request.resume();
}

/** Bytes that a request says it will send; infinite when it does not say. */
export function contentLengthOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Ends our side first: a connection that is closed with unread bytes is reset, and the reset can overtake the answer.
 * What comes meanwhile is dropped, within bounds.
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
  // Called by the HTTP server once the answer is written.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  };
}
