// GET /metrics for Prometheus, with a token of its own: the figures concern all spaces of the server.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '@yagura/core/http/problem';
import type { Registry } from 'prom-client';

const metricsPath = '/metrics';

export interface MetricsHandlerDeps {
  registry: Registry;
  /** Updates values that are read on demand; must not reject. */
  refresh(): Promise<void>;
  /** Bearer token that the scraper must send; without one the path does not exist. */
  token: string | undefined;
  /** Headers of every reply. */
  headers: Record<string, string>;
}

/** Returns a handler that handles the path and returns false for any other. */
export function createMetricsHandler({ registry, refresh, token, headers }: MetricsHandlerDeps) {
  const send = (response: ServerResponse, status: number, type: string, body: string, more = {}) => {
    response.writeHead(status, { ...headers, 'content-type': type, 'cache-control': 'no-store', ...more });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  };
  const refuse = (response: ServerResponse, problem: Problem, more: Record<string, string>) =>
    send(response, problem.status, 'application/problem+json', JSON.stringify(problem.toJSON()), more);

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (token === undefined || request.url?.split('?')[0] !== metricsPath) return false;
    // Discard the rest of the request.
    request.resume();
    if (request.method !== 'GET' && request.method !== 'HEAD')
      refuse(response, new Problem('method-not-allowed'), { allow: 'GET, HEAD' });
    else if (!isBearer(request.headers.authorization, token))
      refuse(response, new Problem('sign-in-required'), { 'www-authenticate': 'Bearer' });
    else
      void refresh()
        .then(() => registry.metrics())
        .then(
          (text) => send(response, 200, registry.contentType, text),
          () => refuse(response, new Problem('internal'), {}),
        );
    return true;
  };
}

/** Compares digests, so that the time reveals nothing. */
function isBearer(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}
