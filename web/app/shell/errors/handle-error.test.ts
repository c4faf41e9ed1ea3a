import type { LoaderFunctionArgs } from '@remix-run/node';
import { expect, test } from 'vitest';
import { handleError } from '../../entry.server.tsx';

/** What the router throws for a request that no page takes. */
const routeError = (status: number) => ({ status, statusText: 'no', internal: true, data: undefined });

function logged(error: unknown): unknown[] {
  const found: unknown[] = [];
  const context = { logError: (one: unknown) => found.push(one) };
  handleError(error, { request: new Request('http://localhost/'), context } as unknown as LoaderFunctionArgs);
  return found;
}

test.each([404, 405])('a reply of the router with %i is not logged as a failure of a page', (status) => {
  expect(logged(routeError(status))).toEqual([]);
});

test.each([new Error('broken'), routeError(500)])('a failure is logged: %j', (error) => {
  expect(logged(error)).toEqual([error]);
});
