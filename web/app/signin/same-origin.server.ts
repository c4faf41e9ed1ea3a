// Protects writes against cross-site request forgery.

import { data } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import type { ConsoleContext } from '../context.ts';

/** Throws a 403 unless the request comes from our own pages (Fetch Metadata, else Origin). */
export function rejectCrossSiteRequest(request: Request, context: Pick<ConsoleContext, 'origin'>): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const ownOrigin = origin === null ? site === 'same-origin' : isSameOrigin(origin, context.origin);
  if (ownOrigin && (site === null || site === 'same-origin')) return;
  const problem = new Problem('forbidden', { detail: 'The request came from another site' });
  throw data(problem.toJSON(), { status: 403 });
}

function isSameOrigin(origin: string, ownOrigin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === new URL(ownOrigin).origin;
}
