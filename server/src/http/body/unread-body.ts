// Answers before a body was read: what is still to come is neither kept nor waited for.
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bodies up to this size are simply passed over, and the connection stays. */
const harmless = 64 * 1024;
/** Bytes and milliseconds for which the rest of a body is passed over, so that its sender gets to read the answer. */
const lingerBytes = 512 * 1024;
const lingerMs = 1_000;

/** Whether more of the request's body is to come than is worth passing over. */
export function hasUnreadBody({ raw, headers }: FastifyRequest): boolean {
  if (raw.complete || raw.readableEnded) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > harmless;
}

/** Sends a reply whose request still has a body, and closes the connection when its sender could read it. */
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
