// Streams HTML documents in the page's language under a content security policy.
import { PassThrough } from 'node:stream';
import type { AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { isRouteErrorResponse, RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import './context.ts';
import { pageTranslations } from './i18n/page-translations.ts';
import { preferencesOf } from './preferences/preferences.server.ts';
import { NonceContext } from './shell/layout/nonce.ts';
import { PageTranslationProvider } from './shell/layout/page-translations.tsx';
import { setSecurityHeaders } from './shell/layout/security-headers.server.ts';
import { getSession } from './signin/session.server.ts';

/** Timeout of deferred data in milliseconds. */
export const streamTimeoutMs = 15_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { language, timeZone } = preferencesOf(request);
  const translations = pageTranslations(language);
  setSecurityHeaders(headers, context, new URL(request.url).pathname);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-language', language);
  headers.append('vary', 'Accept-Language, Cookie');
  const page = (
    <NonceContext value={context.nonce}>
      <PageTranslationProvider language={language} translations={translations} timeZone={timeZone}>
        <RemixServer context={withMatchedRoutes(remix)} url={request.url} nonce={context.nonce} />
      </PageTranslationProvider>
    </NonceContext>
  );
  return new Promise((resolve, reject) => {
    let code = status;
    let started = false;
    const start = () => {
      started = true;
      const body = new PassThrough();
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status: code }));
      pipe(body);
    };
    const renderTimer = isbot(request.headers.get('user-agent') ?? '');
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: context.nonce,
      ...(renderTimer ? { onAllReady: start } : { onShellReady: start }),
      onShellError: reject,
      onError(error) {
        code = 500;
        if (started) context.logError(error);
      },
    });
    setTimeout(abort, streamTimeoutMs + 1000).unref();
  });
}

/** Leaves out the routes of other pages: Remix makes all routes of the manifest again for each document, and matches them. */
function withMatchedRoutes(remix: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = remix;
  const ids = staticHandlerContext.matches.map(({ route }) => route.id);
  const routes = Object.fromEntries(ids.map((id) => [id, manifest.routes[id]!]));
  return { ...remix, manifest: { ...manifest, routes } };
}

export function handleDataRequest(response: Response) {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  return response;
}

/** For all responses: those of redirects and of routes without a page pass none of the functions above. */
export { appendSessionCookies } from './signin/session.server.ts';

/** Returns whether the request carries a session; does not read its body. */
export async function isSignedIn(request: Request, context: AppLoadContext): Promise<boolean> {
  return (await getSession(request, context)) !== null;
}

export function handleError(error: unknown, { request, context }: LoaderFunctionArgs) {
  // What the router replies to a method or a path that a page does not have is no fault of the page.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  if (!request.signal.aborted) context.logError(error);
}
