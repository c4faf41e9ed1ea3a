// Renders documents: the page in its language, streamed, under a content security policy.
import { PassThrough } from 'node:stream';
import type { AppLoadContext, EntryContext, LoaderFunctionArgs } from '@remix-run/node';
import { createReadableStreamFromReadable } from '@remix-run/node';
import { RemixServer } from '@remix-run/react';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import './context.ts';
import { preferencesOf } from './shell/choice.server.ts';
import { NonceContext } from './shell/nonce.ts';
import { PageTranslations } from './shell/page-words.tsx';
import { secure } from './shell/security-headers.server.ts';
import { carryCookies, sessionOf } from './signin/session.server.ts';
import { pageDictionary } from './words/page-dictionary.ts';

/** Slow data that has not come by then is given up; in milliseconds. */
export const streamTimeout = 15_000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  context: AppLoadContext,
): Promise<Response> {
  const { language, timeZone } = preferencesOf(request);
  const dictionary = pageDictionary(language);
  await carryCookies(context, headers);
  secure(headers, context);
  headers.set('content-type', 'text/html; charset=utf-8');
  headers.set('content-language', language);
  headers.append('vary', 'Accept-Language, Cookie');
  const page = (
    <NonceContext value={context.nonce}>
      <PageTranslations language={language} dictionary={dictionary} timeZone={timeZone}>
        <RemixServer context={remix} url={request.url} nonce={context.nonce} />
      </PageTranslations>
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
    const patient = isbot(request.headers.get('user-agent') ?? '');
    const { pipe, abort } = renderToPipeableStream(page, {
      nonce: context.nonce,
      ...(patient ? { onAllReady: start } : { onShellReady: start }),
      onShellError: reject,
      onError(error) {
        code = 500;
        if (started) context.logError(error);
      },
    });
    setTimeout(abort, streamTimeout + 1000).unref();
  });
}

export async function handleDataRequest(response: Response, { context }: LoaderFunctionArgs) {
  await carryCookies(context, response.headers);
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  return response;
}

/** Whether the request carries a session, told before its body is read. */
export async function isSignedIn(request: Request, context: AppLoadContext): Promise<boolean> {
  return (await sessionOf(request, context)) !== null;
}

export function handleError(error: unknown, { request, context }: LoaderFunctionArgs) {
  if (!request.signal.aborted) context.logError(error);
}
