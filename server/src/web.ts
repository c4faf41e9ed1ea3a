// Joins the built console to the server: the one file that knows of both.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import { createReadableStreamFromReadable, createRequestHandler, type ServerBuild } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import type { Fetch } from '@yagura/core/http/transport';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { HelpLinks } from './help-links.ts';
import { packed } from './packed.ts';

export interface ConsoleFacts {
  /** Folder with the `client` and `server` halves of the built console. */
  folder: string;
  /** The fetch of a caller at that network address. */
  fetchFor(address: string): Fetch;
  origin: string;
  clientInfo: { issuer: string; clientId: string };
  cookieSecret: Uint8Array;
  version: string;
  helpLinks: HelpLinks;
}

export async function serveConsole(app: FastifyInstance, facts: ConsoleFacts): Promise<void> {
  const build = (await import(pathToFileURL(join(facts.folder, 'server', 'index.js')).href)) as ServerBuild;
  const handle = createRequestHandler(build, 'production');
  const client = join(facts.folder, 'client');
  await app.register(fastifyStatic, {
    root: client,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const lasting = path.startsWith(join(client, 'assets'));
      reply.header('cache-control', lasting ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
      reply.header('x-content-type-options', 'nosniff');
    },
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/*', async (request, reply) => {
      if (!reads.has(request.method) && isForeignWrite(request.headers, facts.origin))
        throw new Problem('forbidden', { detail: 'The request came from another site' });
      const context = {
        fetch: facts.fetchFor(request.ip),
        origin: facts.origin,
        issuer: facts.clientInfo.issuer,
        clientId: facts.clientInfo.clientId,
        cookieSecret: facts.cookieSecret,
        version: facts.version,
        helpLinks: facts.helpLinks,
        nonce: randomBytes(16).toString('base64url'),
      };
      const response = await handle(toRequest(request, reply, facts.origin), context);
      return answer(reply, response, request.headers['accept-encoding']);
    });
  });
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** True unless the browser says that our own page sent the request: Fetch Metadata, else Origin (ASVS 5.0, 3.5.1). */
export function isForeignWrite(headers: IncomingHttpHeaders, own: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin === undefined ? site === undefined : origin !== own;
}

function toRequest(request: FastifyRequest, reply: FastifyReply, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  // The framework compares them with Origin; what counts is the configured address, not what a proxy or caller put there.
  headers.set('host', new URL(origin).host);
  headers.delete('x-forwarded-host');
  const abort = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  const bodiless = request.method === 'GET' || request.method === 'HEAD';
  return new Request(new URL(request.url, origin), {
    method: request.method,
    headers,
    signal: abort.signal,
    ...(bodiless ? {} : { body: createReadableStreamFromReadable(request.raw), duplex: 'half' }),
  } as RequestInit);
}

function answer(reply: FastifyReply, response: Response, accepted: unknown): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') reply.header(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const { body, headers } = packed(response, typeof accepted === 'string' ? accepted : undefined);
  // Of the packed body nobody knows the length yet.
  if (headers['content-encoding']) reply.removeHeader('content-length');
  return reply.headers(headers).send(body);
}
