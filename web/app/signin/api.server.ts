// Calls the API as the signed-in user and maps its problems to responses.
import { data, redirect } from '@remix-run/node';
import { Problem } from '@yagura/core/http/problem';
import { reactionToError } from '@yagura/core/http/problem-reaction';
import type { Transport } from '@yagura/core/http/transport';
import { type Client, createClient } from '@yagura/core/resource/client';
import type { Resource } from '@yagura/core/resource/define-resource';
import type { ConsoleContext } from '../context.ts';
import { preferencesOf } from '../preferences/preferences.server.ts';
import { beginSignIn } from './begin-sign-in.server.ts';
import { getSession, isOtherUser } from './session.server.ts';

export interface Api {
  transport: Transport;
  client<T, N>(resource: Resource<T, N>): Client<T, N>;
}

/**
 * Returns the API client of the request's user; throws a redirect to the provider if nobody is signed in, and 409 for
 * a write from the page of another user.
 */
export async function createApi(request: Request, context: ConsoleContext): Promise<Api> {
  const session = await getSession(request, context);
  if (!session) throw await beginSignIn(request, context);
  // The page holds the refused write, see watch-session.ts.
  if (request.method !== 'GET' && (await isOtherUser(context))) throw new Response(null, { status: 409 });
  const { language } = preferencesOf(request);
  const transport: Transport = {
    fetch: context.fetch,
    origin: context.origin,
    // Field errors are in the page's language.
    headers: () => ({ authorization: `Bearer ${session.accessToken}`, 'accept-language': language }),
  };
  return { transport, client: (resource) => createClient(resource, transport) };
}

/** Runs the body of a loader or action; a problem becomes the response defined by its kind's reaction. */
export async function withApi<T>(
  { request, context }: { request: Request; context: ConsoleContext },
  callback: (api: Api) => Promise<T>,
): Promise<T> {
  try {
    return await callback(await createApi(request, context));
  } catch (error) {
    throw await toErrorResponse(error, request, context);
  }
}

async function toErrorResponse(error: unknown, request: Request, context: ConsoleContext): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  const reaction = reactionToError(error);
  if (reaction.kind === 'sign-in') return beginSignIn(request, context);
  if (reaction.kind === 'go') return redirect(reaction.to);
  return data(error.toJSON(), { status: error.status });
}
