// Connects the built console to the server; no other file depends on both.
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fastifyStatic from '@fastify/static';
import {
  type AppLoadContext,
  createReadableStreamFromReadable,
  createRequestHandler,
  type ServerBuild,
} from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import type { Fetch } from '@yagura/core/http/transport';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorFields, type Log } from '../../common/log.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import { formRuleOf, limitForm } from '../body/form-body.ts';
import { reservationOf } from '../body/json-body.ts';
import type { ConsoleCaller } from '../in-process-fetch.ts';
import { compressResponse } from './compress-response.ts';

/** Development console with modules transformed on request, for `npm run dev`. */
export interface DevelopmentConsole {
  load(): Promise<ServerBuild>;
  /** Serves scripts, styles and hot updates; calls `next` for everything else. */
  middleware(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void;
}

/** Folder with the `client` and `server` parts of the built console, or a development console. */
export type ConsoleSource = string | DevelopmentConsole;

export interface ConsoleOptions {
  source: ConsoleSource;
  /** Creates the fetch for a caller. */
  fetchFor(caller: ConsoleCaller): Fetch;
  origin: string;
  clientInfo: { issuer: string; clientId: string };
  cookieSecret: Uint8Array;
  version: string;
  /** Handed to the console unchanged. */
  helpLinks: object;
  log: Log;
}

/** Maximum characters of a page's path. The framework takes time that grows with the square of some paths. */
const maxPathLength = 1024;

/** Exports of the console's entry besides rendering. */
interface ConsoleEntry {
  /** Decides from the headers alone. */
  isSignedIn(request: Request, context: AppLoadContext): Promise<boolean>;
  /** Adds the cookies of a session that was renewed during the request. */
  appendSessionCookies(context: AppLoadContext, headers: Headers): Promise<void>;
}

export async function serveConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { source } = options;
  const isDevelopment = typeof source !== 'string';
  // From a function the framework would prepare the routes again for every request.
  const build = isDevelopment ? serveDevelopment(app, source) : await serveBuilt(app, source);
  const isSecure = options.origin.startsWith('https:');
  const handle = createRequestHandler(build, isDevelopment ? 'development' : 'production');
  const entry = async () => {
    const { entry } = typeof build === 'function' ? await build() : build;
    return entry.module as unknown as ConsoleEntry;
  };
  const isSignedIn: ConsoleEntry['isSignedIn'] = async (request, context) =>
    (await entry()).isSignedIn(request, context);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    const rejectCrossSite = async (request: FastifyRequest) => {
      if (!safeMethods.has(request.method) && isCrossSiteWrite(request.headers, options.origin))
        throw new TranslatableProblem('forbidden', translatable('refusal.other-site'));
    };
    const rejectLongPath = async ({ url }: FastifyRequest) => {
      if (url.split('?', 1)[0]!.length > maxPathLength)
        throw new TranslatableProblem('not-found', translatable('refusal.no-page'));
    };
    scope.all('/*', { onRequest: [rejectLongPath, rejectCrossSite] }, async (request, reply) => {
      const context = {
        fetch: options.fetchFor({ address: request.ip, userAgent: request.headers['user-agent'] ?? '' }),
        origin: options.origin,
        issuer: options.clientInfo.issuer,
        clientId: options.clientInfo.clientId,
        cookieSecret: options.cookieSecret,
        version: options.version,
        helpLinks: options.helpLinks,
        logError: (error: unknown) => {
          if (!(error instanceof Problem))
            options.log({
              level: 'error',
              message: 'a page failed',
              path: request.url.split('?')[0]!,
              ...errorFields(error),
            });
        },
        nonce: randomBytes(16).toString('base64url'),
      };
      // A renewed session whose cookies get lost is ended by the next renewal: its old refresh token is used twice.
      const { appendSessionCookies } = await entry();
      const toResponse = async () => {
        const { page, problem } = await toWebRequest(request, reply, context, isSignedIn);
        const response = await handle(page, context);
        // When reading the form failed, its error is more precise than the page's reply.
        const formProblem = problem();
        if (formProblem) throw formProblem;
        return response;
      };
      const response = await toResponse().catch(async (error: unknown) => {
        const headers = new Headers();
        await appendSessionCookies(context, headers);
        reply.header('set-cookie', headers.getSetCookie());
        throw error;
      });
      await appendSessionCookies(context, response.headers);
      // The development server injects styles, scripts and a WebSocket that the built console's policy would
      // block.
      if (isDevelopment) response.headers.delete('content-security-policy');
      return sendResponse(reply, response, { accepted: request.headers['accept-encoding'], isSecure });
    });
  });
}

/** Loads the server part of a built console, once. */
export function loadConsoleBuild(folder: string): Promise<ServerBuild> {
  return import(pathToFileURL(join(folder, 'server', 'index.js')).href);
}

/** Serves the client part of the build and resolves with its server part. */
async function serveBuilt(app: FastifyInstance, folder: string): Promise<ServerBuild> {
  const build = await loadConsoleBuild(folder);
  const client = join(folder, 'client');
  const send = (root: string, cacheControl: string) => ({
    root,
    index: false as const,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply: { header(name: string, value: string): unknown }) {
      reply.header('cache-control', cacheControl);
      reply.header('x-content-type-options', 'nosniff');
    },
  });
  // One route for the hundreds of files whose names have a hash, one for each other file: they are beside the pages.
  await app.register(fastifyStatic, {
    ...send(join(client, 'assets'), 'public, max-age=31536000, immutable'),
    prefix: '/assets/',
  });
  await app.register(fastifyStatic, {
    ...send(client, 'public, max-age=300'),
    wildcard: false,
    globIgnore: ['assets/**'],
    decorateReply: false,
  });
  return build;
}

function serveDevelopment(app: FastifyInstance, console: DevelopmentConsole): () => Promise<ServerBuild> {
  app.addHook('onRequest', (request, reply, done) => {
    console.middleware(request.raw, reply.raw, (error) => done(error as Error | undefined));
  });
  return () => console.load();
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True unless Fetch Metadata, or else Origin, shows that our own page sent the request (ASVS 5.0, 3.5.1).
 */
export function isCrossSiteWrite(headers: IncomingHttpHeaders, own: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return true;
  return origin === undefined ? site === undefined : origin !== own;
}

/** Converts the request for the console; callers who are not signed in can only post to the open forms. */
async function toWebRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  context: AppLoadContext & { origin: string },
  isSignedIn: ConsoleEntry['isSignedIn'],
): Promise<{ page: Request; problem(): Problem | undefined }> {
  const { origin } = context;
  const withoutProblem = (page: Request) => ({ page, problem: () => undefined });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  }
  // The framework compares these headers with Origin, so use the configured origin instead of what a proxy or
  // caller sent.
  headers.set('host', new URL(origin).host);
  headers.delete('x-forwarded-host');
  const abort = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  const url = requestedUrl(request.url, origin);
  const init = { method: request.method, signal: abort.signal };
  if (request.method === 'GET' || request.method === 'HEAD')
    return withoutProblem(new Request(url, { ...init, headers }));
  const isKnown = await isSignedIn(new Request(url, { headers }), context);
  const rule = formRuleOf(url.pathname, isKnown);
  if (!rule) {
    // The page only redirects to the sign-in and does not need the form.
    headers.set('content-type', 'application/x-www-form-urlencoded');
    headers.delete('content-length');
    return withoutProblem(new Request(url, { ...init, headers, body: '' }));
  }
  const form = limitForm(request, rule, reservationOf(request));
  const body = createReadableStreamFromReadable(form);
  return {
    page: new Request(url, { ...init, headers, body, duplex: 'half' } as RequestInit),
    problem: () => (form.errored instanceof Problem ? form.errored : undefined),
  };
}

/**
 * The URL of a request target in origin or absolute form (RFC 9112, 3.2), always at our own origin; a path may begin with two
 * slashes.
 */
function requestedUrl(target: string, origin: string): URL {
  if (target.startsWith('/')) return new URL(origin + target);
  const { pathname, search } = new URL(target);
  return new URL(origin + pathname + search);
}

function sendResponse(
  reply: FastifyReply,
  response: Response,
  { accepted, isSecure }: { accepted: unknown; isSecure: boolean },
): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) {
    if (name !== 'set-cookie') reply.header(name, value);
  }
  // Pages do not know how the browser reached them, so their cookies are bound to https here.
  const cookies = response.headers
    .getSetCookie()
    .map((cookie) => (isSecure && !/;\s*secure(?:;|$)/i.test(cookie) ? `${cookie}; Secure` : cookie));
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const { body, headers } = compressResponse(response, typeof accepted === 'string' ? accepted : undefined);
  // The length of the compressed body is unknown.
  if (headers['content-encoding']) reply.removeHeader('content-length');
  return reply.headers(headers).send(body);
}
