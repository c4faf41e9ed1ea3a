// Minimal browser for sign-in tests: follows redirects, keeps cookies and submits forms.

export interface SignInCredentials {
  email: string;
  password: string;
}

/** Opens a URL, signs in on the following pages, and returns the text of the last one. */
export async function signInAs(address: string, credentials: SignInCredentials): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  let form: URLSearchParams | undefined;
  for (let pages = 0; pages < 20; pages += 1) {
    const reply: Response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      body: form,
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { origin: url.origin } : {}),
      },
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (name && value) cookies.set(name, value);
      else if (name) cookies.delete(name);
    }
    const text = await reply.text();
    form = undefined;
    const location = reply.headers.get('location');
    if (location) {
      url = new URL(location, url);
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1];
    if (!action) return text;
    form = new URLSearchParams();
    for (const [input] of text.matchAll(/<(input|button)[^>]*>/g)) {
      const name = /name="([^"]+)"/.exec(input)?.[1];
      // Signing in does not press the cancel button.
      if (name && name !== 'abort' && !form.has(name))
        form.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '');
    }
    if (form.has('email')) form.set('email', credentials.email);
    if (form.has('password')) form.set('password', credentials.password);
    url = new URL(action.replaceAll('&amp;', '&'), url);
  }
  throw new Error(`the sign-in went on and on; last at ${url.pathname}`);
}
