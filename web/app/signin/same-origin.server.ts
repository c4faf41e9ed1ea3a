// Writes come from our own pages only (cross-site request forgery).

import { data } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import type { ConsoleContext } from '../context.ts';

/** Throws a 403 unless the browser says that our own page sent the request (Fetch Metadata, else Origin). */
export function refuseForeign(request: Request, context: Pick<ConsoleContext, 'origin'>): void {
  const site = request.headers.get('sec-fetch-site');
  const origin = request.headers.get('origin');
  const own = origin === null ? site === 'same-origin' : sameOrigin(origin, context.origin);
  if (own && (site === null || site === 'same-origin')) return;
  const problem = new Problem('forbidden', { detail: 'The request came from another site' });
  throw data(problem.toJSON(), { status: 403 });
}

function sameOrigin(origin: string, own: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === new URL(own).origin;
}
