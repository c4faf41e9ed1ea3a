// The one HTTP server: API, receivers, identity provider, document and console behind one port.

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { errorFields, type Log } from '../common/log.ts';
import { StoreUnavailable } from '../db/store-unavailable.ts';
import { type BodyDeps, registerJsonParser } from './body/json-body.ts';
import { hasUnreadBody, replyAndClose } from './body/unread-body.ts';
import { answerClientError } from './client-error.ts';

export const bodyLimit = { api: 10 * 1024 * 1024, message: 10 * 1024 * 1024 };

export interface AppOptions extends BodyDeps {
  publicUrl: string;
  /** Addresses and CIDRs whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** Sees every request that comes in by this app's own socket and hands it to `own` or to another app. */
  front?: (request: IncomingMessage, response: ServerResponse, own: RequestListener) => void;
}

export function createApp(
  log: Log,
  { publicUrl, trustedProxies, front, ...bodies }: AppOptions,
): FastifyInstance {
  const secure = publicUrl.startsWith('https:');
  const app = Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: bodyLimit.api,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    serverFactory(own) {
      const take: RequestListener = front ? (request, response) => front(request, response, own) : own;
      return createServer({ requestTimeout: 60_000, keepAliveTimeout: 65_000 }, take);
    },
    clientErrorHandler: answerClientError,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => {
      sendProblem(toProblem(error, request, log), request, reply);
    },
  });
  const always = replyHeaders(secure);
  // Set before anything can refuse, so that refusals which close the connection carry them too.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always);
    // What is nowhere is told before its body is read.
    if (request.is404) throw notFoundDetail();
  });
  registerJsonParser(app, bodies);
  app.addHook('onSend', async (request, reply) => {
    reply.headers(always);
    if (hasUnreadBody(request)) reply.header('connection', 'close');
    if (isCall(request)) reply.headers(callHeaders(reply));
  });
  app.setErrorHandler((error, request, reply) =>
    sendProblem(toProblem(error as FastifyError, request, log), request, reply),
  );
  // The framework's own reply would repeat the query, in which a token may stand.
  app.setNotFoundHandler((request, reply) => sendProblem(notFoundDetail(), request, reply));
  closeIdleConnections(app);
  return app;
}

const notFoundDetail = () => new Problem('not-found', { detail: 'nothing is here' });

const isCall = ({ url }: FastifyRequest) => /^\/(?:api|receive)\//.test(url);

/** No reply of a call is a page: whoever opens one sees nothing of it run, and no page frames it. */
function callHeaders(reply: FastifyReply): Record<string, string> {
  return {
    ...(reply.hasHeader('content-security-policy')
      ? {}
      : { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }),
    ...(reply.hasHeader('cache-control') ? {} : { 'cache-control': 'no-store' }),
  };
}

/** Headers of every reply; the identity provider, which writes its own replies, takes them too. */
export function replyHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** Ends requests under way, closes idle connections, and does not wait for quiet keep-alive peers. */
function closeIdleConnections(app: FastifyInstance): void {
  app.addHook('preClose', async () => {
    const timer = setInterval(() => app.server.closeIdleConnections(), 50);
    const deadline = setTimeout(() => app.server.closeAllConnections(), 5000);
    app.server.once('close', () => {
      clearInterval(timer);
      clearTimeout(deadline);
    });
  });
}

export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="yagura"');
  if (problem.retryAfter) reply.header('retry-after', String(problem.retryAfter));
  reply.code(problem.status).type('application/problem+json; charset=utf-8');
  const body = JSON.stringify({ ...problem.toJSON(), instance: problem.instance ?? pathOf(request) });
  if (!hasUnreadBody(request)) return reply.send(body);
  replyAndClose(reply, isCall(request) ? callHeaders(reply) : {}, body);
  return reply;
}

/** Every failure as a problem; what was not foreseen is logged and told without its inside. */
export function toProblem(error: FastifyError | Error, request: FastifyRequest, log: Log): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    log({
      level: 'warn',
      message: 'store unavailable',
      route: request.routeOptions?.url,
      ...errorFields(error),
    });
    return new Problem('unavailable', { retryAfter: 2, cause: error });
  }
  const { statusCode, code } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Problem('too-large', {
      detail: `the body may have at most ${bodyLimit.api / 1024 / 1024} MB`,
    });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Problem('unsupported-media-type', { detail: 'send application/json' });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('invalid', { status: statusCode, detail: error.message });
  }
  log({
    level: 'error',
    message: 'request failed',
    method: request.method,
    route: request.routeOptions?.url,
    ...errorFields(error),
  });
  return new Problem('internal', { cause: error });
}

function pathOf(request: FastifyRequest): string {
  const path = request.url.split('?')[0]!;
  return path.startsWith('/receive/') ? '/receive' : path;
}
