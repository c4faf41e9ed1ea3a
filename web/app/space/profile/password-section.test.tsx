import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { PasswordSection } from './password-section.tsx';
import { FactorsProvider } from './proof-field.tsx';

const factors = (hasPassword: boolean) => ({ hasPassword, enabled: false, provedUntil: null }) as never;

const show = (hasPassword: boolean, errors?: Record<string, string>) =>
  renderInRouter(
    <FactorsProvider value={factors(hasPassword)}>
      <PasswordSection hasPassword={hasPassword} result={errors && { intent: 'change-password', errors }} />
    </FactorsProvider>,
    { action: (form) => ({ posted: Object.fromEntries(form) }) },
  );

it('asks for the new password twice and for the present one, and says which was refused', async () => {
  await show(true, { newPassword: 'Too short', repeat: 'Not the same', password: 'Wrong' });
  for (const [label, error] of [
    ['New password', 'Too short'],
    ['Repeat new password', 'Not the same'],
    ['Current password', 'Wrong'],
  ] as const)
    expect((await screen.findByLabelText(label)).getAttribute('aria-describedby')).toBe(
      screen.getByText(error).id,
    );
  expect(screen.getByRole('link', { name: 'Forgot your password?' }).getAttribute('href')).toBe(
    '/change-password',
  );
});

it('offers a user without a password the link by which one is set', async () => {
  await show(false);
  expect(await screen.findByRole('link', { name: 'Set new password' })).toBeTruthy();
  expect(screen.queryByLabelText('New password')).toBe(null);
});
