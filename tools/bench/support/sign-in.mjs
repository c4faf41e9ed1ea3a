// A signed-in session without a browser: the cookies of the first person of a server.
import { request } from 'playwright';

/** Gives Playwright's cookies. Throws when the sign-in page asks again. */
export async function signedIn({ origin, adminEmail, adminPassword }) {
  const context = await request.newContext({ baseURL: origin, extraHTTPHeaders: { origin } });
  try {
    const form = await context.get('/preference/profile');
    const action = /<form[^>]* action="([^"]+)"/.exec(await form.text())[1];
    const reply = await context.post(new URL(action, form.url()).href, {
      form: { email: adminEmail, password: adminPassword },
    });
    if (new URL(reply.url()).pathname !== '/preference/profile')
      throw new Error(`the sign-in led to ${reply.url()}`);
    return (await context.storageState()).cookies;
  } finally {
    await context.dispose();
  }
}
