import { languages } from '@yagura/core/i18n/language';
import { expect, it } from 'vitest';
import { signedInArgs } from '../../signin/test/signed-in-args.ts';
import { loader } from './invitation-create.tsx';

it.each(languages)('the mail is in the language %s of the inviting user', async (language) => {
  const { values } = await loader(
    await signedInArgs({
      fetch: async () => Response.json({ privileged: true, roles: [] }),
      address: '/preference/invitations/new',
      headers: { 'accept-language': language },
    }),
  );
  expect(values).toEqual({ language });
});
