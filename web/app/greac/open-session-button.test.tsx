import { useRevalidator } from '@remix-run/react';
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInRouter } from '../ui/test/render.tsx';
import { OpenSessionButton } from './open-session-button.tsx';

it('leads to the session that was opened, also when the page reloads its data meanwhile', async () => {
  let reload = () => {};
  const Reloading = () => {
    reload = useRevalidator().revalidate;
    return null;
  };
  const forms: Record<string, unknown>[] = [];
  const { user, address } = await renderInRouter(
    <>
      <Reloading />
      <OpenSessionButton destinationId="d" messageId="m" />
    </>,
    {
      path: '/apps/greac/destinations/d',
      loader: () => ({}),
      action: (form) => {
        forms.push(Object.fromEntries(form));
        reload();
        return { opened: { href: '/apps/greac/connect/s', isDesktop: false } };
      },
    },
  );
  await user.click(await screen.findByRole('button', { name: 'Connect' }));
  await waitFor(() => expect(address()).toBe('/apps/greac/connect/s'));
  expect(forms).toEqual([{ destinationId: 'd', remarks: '', messageId: 'm' }]);
});
