// Answers requests that are not valid HTTP, e.g. headers over 16 KiB, in our own format.
import type { Duplex } from 'node:stream';
import { Problem } from '@yagura/core/http/problem';

export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = new Problem(error.code === 'HPE_HEADER_OVERFLOW' ? 'header-too-large' : 'invalid');
  const body = JSON.stringify(problem.toJSON());
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.title}\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
