// Replies before the request body was read, without buffering or waiting for the rest.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Remaining bodies up to this size (bytes) are drained and the connection is kept. */
const harmless = 64 * 1024;
/** Bytes and milliseconds for which the rest of a body is drained, so that the client can read the reply. */
const lingerBytes = 512 * 1024;
const lingerMs = 1_000;

/** Whether the unread rest of the body is too large to drain. */
export function hasUnreadBody({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete || raw.readableEnded) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > harmless;
}

/**
 * Sends a reply to a request with an unread body, and closes the connection once the client could read it.
 */
export function replyAndClose(reply: FastifyReply, headers: Record<string, string>, body: string): void {
  const { raw: request } = reply.request;
  const { raw: response } = reply;
  reply.hijack();
  response.writeHead(reply.statusCode, {
    ...(reply.getHeaders() as Record<string, string>),
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  response.write(body);
  let passed = 0;
  const timer = setTimeout(end, lingerMs);
  function end() {
    clearTimeout(timer);
    request.off('data', pass);
    request.pause();
    response.end();
  }
  function pass(chunk: Buffer) {
    passed += chunk.length;
    if (passed > lingerBytes) end();
  }
  response.once('close', () => clearTimeout(timer));
  request.on('data', pass).once('end', end).once('error', end);
  request.resume();
}
