import { screen } from '@testing-library/react';
import { type Language, languages } from '@yagura/core/i18n/language';
import { user } from '@yagura/core/space/user';
import { expect, it } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import UserCreate from './user-create.tsx';

async function open(newPasswords: string, language: Language = 'en') {
  const data = {
    ...{ meta: screenMeta(user), screen: '/preference/users', references: {}, hidden: {} },
    ...{ mayInvite: true, newPasswords },
  };
  await renderInRouter(<UserCreate />, { loader: () => data, language });
}

it.each([
  ['mail', /sets a password with “Forgot your password\?” on the sign-in page/],
  ['command', /issues one with the command yagura-server person reset/],
  ['none', /signs in with the account of the external provider/],
])('says how the user gets in: %s', async (newPasswords, text) => {
  await open(newPasswords);
  expect(await screen.findByText(text)).toBeTruthy();
  const invite = screen.queryByRole('link', { name: 'Create invitation' });
  const path = newPasswords === 'mail' ? '/preference/invitations/new' : undefined;
  expect(invite?.getAttribute('href')).toBe(path);
});

it.each(languages)('names the link of the sign-in page as it is there: %s', async (language) => {
  await open('mail', language);
  const link = language === 'ja' ? /「パスワードを忘れた場合」/ : /“Forgot your password\?”/;
  expect(await screen.findByText(link)).toBeTruthy();
});
