// Arguments of a loader or action for a signed-in user, in tests.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import type { ConsoleContext } from '../../context.ts';
import { sealSession } from '../session.server.ts';

export const testOrigin = 'https://console.test';
let sessions = 0;

/** Each call is another sign-in, because the console caches users by their access token. */
export async function signedInArgs(page: {
  /** Answers the requests to the API. */
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Path and query of the page. */
  address: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  /** Posts these fields. */
  form?: Record<string, string>;
}): Promise<LoaderFunctionArgs & ActionFunctionArgs> {
  const { fetch, address, params = {}, headers, form } = page;
  const context = {
    fetch,
    origin: testOrigin,
    cookieSecret: 'a secret of this test',
  } as unknown as ConsoleContext & LoaderFunctionArgs['context'];
  const accessToken = `session ${++sessions}`;
  const session = { accessToken, refreshToken: null, idToken: null, expiresAt: Date.now() + 3_600_000 };
  const cookies = await sealSession(context, session);
  const request = new Request(testOrigin + address, {
    headers: {
      'accept-language': 'en',
      ...headers,
      cookie: cookies.map((line) => line.split(';')[0]).join('; '),
    },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { request, context, params };
}
