// Answers requests that are not valid HTTP, e.g. headers over 16 KiB, in our own format.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';

/** `headers` are added to every response. */
export function createClientErrorHandler(headers: Record<string, string>) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // A browser that has connected in advance would take a response for that of its first request.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as Partial<Socket>).bytesRead === 0)
      return void socket.destroy();
    const problem = new Problem(error.code === 'HPE_HEADER_OVERFLOW' ? 'header-too-large' : 'invalid');
    socket.end(problemResponse(problem, headers));
  };
}

/** A complete HTTP response that closes the connection. */
export function problemResponse(problem: Problem, headers: Record<string, string>): string {
  const body = JSON.stringify(problem.toJSON());
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
