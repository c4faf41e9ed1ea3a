// A fetch that calls our own origin without a socket, for the console in the same process.
import { Readable } from 'node:stream';
import type { Fetch } from '@yagura/core/http/transport';
import type { FastifyInstance } from 'fastify';

/** For whom the console calls. */
export interface ConsoleCaller {
  /** Network address. */
  address: string;
  /** User agent of the browser; empty if unknown. */
  userAgent: string;
}

/** Returns a function that creates the fetch for a caller. */
export function inProcessFetch(app: FastifyInstance, origin: string): (caller: ConsoleCaller) => Fetch {
  return ({ address, userAgent }) =>
    async (url, init) => {
      if (!url.startsWith(`${origin}/`)) return fetch(url, init);
      const request = new Request(url, init);
      // Stream the body, so that an upload is never buffered as a whole.
      const streamed = init.body instanceof ReadableStream;
      request.signal.throwIfAborted();
      const body = streamed
        ? fromWeb(request.body!)
        : request.body && Buffer.from(await request.arrayBuffer());
      const reply = await app.inject({
        method: request.method as 'GET',
        url: url.slice(origin.length),
        remoteAddress: address,
        headers: {
          'user-agent': userAgent,
          ...Object.fromEntries(request.headers),
          host: new URL(origin).host,
        },
        ...(body ? { payload: body } : {}),
        payloadAsStream: true,
        signal: request.signal,
      });
      const headers = new Headers();
      for (const [name, value] of Object.entries(reply.headers)) {
        for (const one of Array.isArray(value) ? value : [value]) {
          if (one !== undefined) headers.append(name, String(one));
        }
      }
      const empty = request.method === 'HEAD' || [204, 205, 304].includes(reply.statusCode);
      const stream = empty ? null : toWeb(reply.stream());
      return new Response(stream, { status: reply.statusCode, headers });
    };
}

function fromWeb(stream: ReadableStream): Readable {
  return Readable.fromWeb(stream as import('node:stream/web').ReadableStream);
}

/** Reads no more than the reader takes, so that a slow download of a large file is not held in memory as a whole. */
function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  // Without it, the limit in bytes would count chunks.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: stream.readableHighWaterMark });
  return Readable.toWeb(stream, { strategy }) as ReadableStream<Uint8Array>;
}
