// Asks a client that waits for it (`Expect: 100-continue`) for its body.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Asks when the body begins to be read, thus not if the caller is rejected by the headers alone. */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read;
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) response.writeContinue();
    read.call(request, size);
  };
}
