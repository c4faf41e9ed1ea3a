// Signed-in user without a browser: documents, cookies and forms over HTTP.
import { type APIRequestContext, type APIResponse, request } from '@playwright/test';
import type { RoleName } from '@yagura/core/access/role-map';
import type { Language } from '@yagura/core/i18n/language';
import { callApi } from '@yagura/fixtures/testbed/api';
import type { ServerProcess } from '@yagura/fixtures/testbed/server-process';

export interface HttpUser {
  /** Requests a document; follows redirects if `follow` is true. */
  get(path: string, language: Language, follow?: boolean): Promise<APIResponse>;
  /** Session cookies, to continue in a browser. */
  cookies(): Promise<Cookie[]>;
  close(): Promise<void>;
}

type Cookie = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'][number];

const password = 'Walk-every-page-7';

/** Signs a user in through the console's sign-in page. */
export async function signIn(server: ServerProcess, email: string, secret: string): Promise<HttpUser> {
  const context = await createRequestContext(server);
  const form = await context.get('/preference/profile');
  const signInPage = await submit(context, await form.text(), form.url(), { email, password: secret });
  const { pathname } = new URL(signInPage.url());
  if (pathname !== '/preference/profile') throw new Error(`${email} was led to ${pathname} after signing in`);
  return toHttpUser(context);
}

/** A visitor who is not signed in. */
export async function createGuest(server: ServerProcess): Promise<HttpUser> {
  return toHttpUser(await createRequestContext(server));
}

/** Invites a user with one role, accepts the invitation and signs the user in. */
export async function inviteUser(
  server: ServerProcess,
  administrator: HttpUser,
  role: RoleName,
): Promise<HttpUser> {
  const email = `${role.replace(':', '-')}@example.com`;
  await callApi(server, 'POST', '/api/space/users/invitations', { email, roles: [role], language: 'en' });
  const log = await administrator.get('/preference/mail-log', 'en');
  for (const id of idsIn(await log.text(), '/preference/mail-log')) {
    const mail = await (await administrator.get(`/preference/mail-log/${id}`, 'en')).text();
    const link = /\/activate-invitation\?token=[\w-]+/.exec(mail)?.[0];
    if (!link || !mail.includes(email)) continue;
    const context = await createRequestContext(server);
    const card = await context.get(link);
    const filled = { displayName: role, password, repeat: password };
    const reply = await submit(context, await card.text(), card.url(), filled);
    if (!reply.ok()) throw new Error(`${email} could not join: ${await reply.text()}`);
    await context.dispose();
    return signIn(server, email, password);
  }
  throw new Error(`no mail invites ${email}`);
}

/** Returns the ids that a list links to, in order. */
export function idsIn(html: string, list: string): string[] {
  return [...html.matchAll(new RegExp(`href="${list}/([0-9a-f-]{36})"`, 'g'))].map((match) => match[1]!);
}

function createRequestContext(server: ServerProcess): Promise<APIRequestContext> {
  return request.newContext({
    baseURL: server.origin,
    extraHTTPHeaders: { 'accept-language': 'en', origin: server.origin },
  });
}

function toHttpUser(context: APIRequestContext): HttpUser {
  return {
    get: (path, language, follow = true) =>
      context.get(path, { headers: { 'accept-language': language }, ...(follow ? {} : { maxRedirects: 0 }) }),
    cookies: async () => (await context.storageState()).cookies,
    close: () => context.dispose(),
  };
}

/** Fills and submits a page's first form including its hidden fields. */
function submit(
  context: APIRequestContext,
  html: string,
  url: string,
  fields: Record<string, string>,
): Promise<APIResponse> {
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
  if (!action) throw new Error(`no form on ${url}`);
  const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = { ...Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])), ...fields };
  return context.post(new URL(action, url).href, { form });
}
