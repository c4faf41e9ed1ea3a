import { screen } from '@testing-library/react';
import { credential } from '@yagura/core/kroker/credential';
import { expect, it } from 'vitest';
import { screenMeta } from '../resource/screen-meta.ts';
import { renderInRouter } from '../ui/test/render.tsx';
import { CredentialForm } from './credential-form.tsx';

const publicKey = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const;

const renderStored = () =>
  renderInRouter(
    <CredentialForm
      form={screenMeta(credential).form}
      values={{ displayName: 'root', remarks: '', credentialType: 'password' }}
      hidden={{}}
      cancelHref="/"
      kroker={{ krokerId: 'k', publicKey }}
      hasStoredSecret
    />,
    {},
  );
const required = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).required;

it('a stored secret is kept only if nothing of it is entered', async () => {
  const { user } = await renderStored();
  await screen.findByLabelText('Password');
  expect(required('Password')).toBe(false);
  await user.type(screen.getByLabelText('User name'), 'a');
  expect(required('Password')).toBe(true);
  await user.clear(screen.getByLabelText('User name'));
  expect(required('Password')).toBe(false);
});

it('another type needs a secret of that type', async () => {
  const { user } = await renderStored();
  await user.selectOptions(await screen.findByLabelText('Credential type'), 'private-key');
  expect([required('Private key'), required('Passphrase')]).toEqual([true, false]);
});

it('a public key in place of the private one is told before anything is sent', async () => {
  const { user } = await renderStored();
  await user.selectOptions(await screen.findByLabelText('Credential type'), 'private-key');
  const key = screen.getByLabelText('Private key');
  await user.type(key, 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA ops');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toContain('public key');
});
