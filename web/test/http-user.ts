// A signed-in person without a browser: documents over HTTP, cookies and forms as a browser handles them.
import { type APIRequestContext, type APIResponse, request } from '@playwright/test';
import type { RoleName } from '@yagura/core/access/role-map';
import type { Language } from '@yagura/core/i18n/language';
import { callApi } from '@yagura/fixtures/testbed/api';
import type { ServerProcess } from '@yagura/fixtures/testbed/server-process';

export interface HttpUser {
  /** The reply to a document's request, wherever it is led when `follow` is true. */
  get(path: string, language: Language, follow?: boolean): Promise<APIResponse>;
  /** The session, for a browser to go on with. */
  cookies(): Promise<Cookie[]>;
  close(): Promise<void>;
}

type Cookie = Awaited<ReturnType<APIRequestContext['storageState']>>['cookies'][number];

const password = 'Walk-every-page-7';

/** Signs somebody in at the console's own sign-in page. */
export async function signIn(server: ServerProcess, email: string, secret: string): Promise<HttpUser> {
  const context = await createRequestContext(server);
  const form = await context.get('/preference/profile');
  const signInPage = await submit(context, await form.text(), form.url(), { email, password: secret });
  const { pathname } = new URL(signInPage.url());
  if (pathname !== '/preference/profile') throw new Error(`${email} was led to ${pathname} after signing in`);
  return toHttpUser(context);
}

/** Somebody whom nobody knows. */
export async function createGuest(server: ServerProcess): Promise<HttpUser> {
  return toHttpUser(await createRequestContext(server));
}

/** Asks somebody with that one role to join, takes the invitation as they do, and signs them in. */
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

/** Ids that a list leads to, in its order. */
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

/** Fills the first form of a page and sends it, with the fields that the page has put there itself. */
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
