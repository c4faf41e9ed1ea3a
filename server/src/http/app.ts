// The HTTP app: API, receivers, identity provider, API document and console on one port.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { pino } from 'pino';
import { systemClock } from '../common/clock.ts';
import { FailureLog } from '../common/failure-log.ts';
import { errorFields, type Log, type LogLine } from '../common/log.ts';
import { TranslatableProblem, translateProblem } from '../common/translatable-problem.ts';
import { translatable } from '../common/translatable-text.ts';
import { isCanceledTransaction, StoreUnavailable } from '../db/store-unavailable.ts';
import { type BodyDeps, registerJsonParser } from './body/json-body.ts';
import { tooLarge } from './body/read-body.ts';
import { hasUnreadBody, replyAndClose } from './body/unread-body.ts';
import { callHeaders } from './call-headers.ts';
import { createClientErrorHandler } from './client-error.ts';
import { translatorFor } from './request-language.ts';
import { serverTimeouts } from './server-timeouts.ts';

export const bodyLimit = { api: 10 * 1024 * 1024, message: 10 * 1024 * 1024 };

export interface AppOptions extends BodyDeps {
  publicUrl: string;
  /** Addresses and CIDRs whose X-Forwarded-For header is trusted. */
  trustedProxies: string[];
  /** Receives every request of this app's own socket and passes it to `own` or to another app. */
  front?: (request: IncomingMessage, response: ServerResponse, own: RequestListener) => void;
}

export function createApp(
  log: Log,
  { publicUrl, trustedProxies, front, ...bodies }: AppOptions,
): FastifyInstance {
  const always = replyHeaders(publicUrl.startsWith('https:'));
  const logs = { log, failures: new FailureLog({ clock: systemClock, log }) };
  const app = Fastify({
    loggerInstance: frameworkLogger(log),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    bodyLimit: bodyLimit.api,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
    forceCloseConnections: 'idle',
    serverFactory(own) {
      const take: RequestListener = front ? (request, response) => front(request, response, own) : own;
      return createServer(serverTimeouts, take);
    },
    clientErrorHandler: createClientErrorHandler(always),
    // HEAD is answered as GET is, by the same checks, without the body (RFC 9110, section 9.3.2).
    exposeHeadRoutes: true,
    // No hook runs for these.
    frameworkErrors: (error, request, reply) => {
      sendProblem(toProblem(error, request, logs), request, reply.headers(always));
    },
  });
  // Set before any check, so that replies that close the connection have these headers too.
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always);
    // Reject unknown routes before reading the body.
    if (request.is404) throw notFoundDetail();
  });
  registerJsonParser(app, bodies);
  app.addHook('onSend', async (request, reply) => {
    reply.headers(always);
    if (hasUnreadBody(request)) reply.header('connection', 'close');
    if (isCall(request)) reply.headers(missingCallHeaders(reply));
  });
  app.addHook('onResponse', async (request, reply) => {
    const { id: requestId, method, routeOptions } = request;
    const duration = { durationMs: Math.round(reply.elapsedTime) };
    const status = reply.statusCode;
    log({
      level: 'debug',
      message: 'request',
      requestId,
      method,
      route: routeOptions.url,
      status,
      ...duration,
    });
  });
  app.setErrorHandler((error, request, reply) =>
    sendProblem(toProblem(error as FastifyError, request, logs), request, reply),
  );
  // The framework's default reply would echo the query, which may contain a token.
  app.setNotFoundHandler((request, reply) => sendProblem(notFoundDetail(), request, reply));
  closeIdleConnections(app);
  return app;
}

/** Logger for warnings and errors of the framework itself; it never logs URLs, which may contain tokens. */
function frameworkLogger(log: Log): FastifyBaseLogger {
  return pino(
    {
      level: 'warn',
      base: null,
      messageKey: 'message',
      timestamp: false,
      formatters: { level: (level) => ({ level }) },
      serializers: {
        req: ({ id, method, routeOptions }: FastifyRequest) => ({ id, method, route: routeOptions?.url }),
        res: ({ statusCode }: FastifyReply) => ({ statusCode }),
        err: errorFields,
      },
    },
    { write: (line) => log(JSON.parse(line) as LogLine) },
  );
}

const notFoundDetail = () => new TranslatableProblem('not-found', translatable('refusal.no-page'));

const isCall = ({ url }: FastifyRequest) => /^\/(?:api|receive)\//.test(url);

/** Those headers of API replies that the reply does not set itself. */
function missingCallHeaders(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(callHeaders).filter(([name]) => !reply.hasHeader(name)));
}

/** Headers of every reply, also used by the identity provider, which writes its own replies. */
export function replyHeaders(secure: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** Ends requests in progress and closes idle connections instead of waiting for keep-alive peers. */
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

/** Sends a problem in the language that the request accepts. */
export function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer realm="yagura"');
  if (problem.retryAfter) reply.header('retry-after', String(problem.retryAfter));
  reply.code(problem.status).type('application/problem+json; charset=utf-8');
  const translated = translateProblem(problem, translatorFor(request.headers['accept-language']));
  const body = JSON.stringify({ ...translated.toJSON(), instance: problem.instance ?? pathOf(request) });
  if (!hasUnreadBody(request)) return reply.send(body);
  replyAndClose(reply, isCall(request) ? missingCallHeaders(reply) : {}, body);
  return reply;
}

/** Converts any error to a Problem; unexpected errors are logged and their details withheld. */
function toProblem(
  error: FastifyError | Error,
  request: FastifyRequest,
  { log, failures }: { log: Log; failures: FailureLog },
): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreUnavailable) {
    const about = { requestId: request.id, route: request.routeOptions?.url };
    const message = isCanceledTransaction(error)
      ? 'transaction canceled for another one'
      : 'store unavailable';
    failures.failed({ level: 'warn', message, ...about }, error);
    return new Problem('unavailable', { retryAfter: 2, cause: error });
  }
  const { statusCode, code } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return tooLarge(bodyLimit.api);
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new TranslatableProblem('unsupported-media-type', translatable('refusal.send-json'));
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Problem('invalid', { status: statusCode, detail: error.message });
  }
  log({
    level: 'error',
    message: 'request failed',
    requestId: request.id,
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
