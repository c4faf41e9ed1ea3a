import type { LoaderFunctionArgs } from '@remix-run/node';
import { languages } from '@yagura/core/i18n/language';
import { expect, it } from 'vitest';
import type { ConsoleContext } from '../../context.ts';
import { sealSession } from '../../signin/session.server.ts';
import { loader } from './invitation-create.tsx';

it.each(languages)('the mail is in the language %s of the inviting user', async (language) => {
  const context = {
    fetch: async () => Response.json({ privileged: true, roles: [] }),
    origin: 'https://console.test',
    cookieSecret: 'a secret of this test',
  } as unknown as ConsoleContext & LoaderFunctionArgs['context'];
  const session = { accessToken: 'a', refreshToken: null, idToken: null, expiresAt: Date.now() + 3_600_000 };
  const cookies = await sealSession(context, session);
  const request = new Request('https://console.test/preference/invitations/new', {
    headers: { 'accept-language': language, cookie: cookies.map((line) => line.split(';')[0]).join('; ') },
  });
  const { values } = await loader({ request, context, params: {} });
  expect(values).toEqual({ language });
});
