import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useActionResult } from '../../shell/feedback/use-action-result.ts';
import { renderInRouter } from '../../ui/test/render.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { FactorsProvider } from './proof-field.tsx';
import type { SecurityResult } from './security-result.ts';

const factors = { hasPassword: true, enabled: false, provedUntil: null } as never;
const passkey = (displayName: string, lastUsedAt: string | null) => ({
  ...{ passkeyId: `id of ${displayName}`, displayName, lastUsedAt, synced: false },
  ...{ createdAt: '2025-03-04T00:00:00.000Z', updatedAt: '2025-03-04T00:00:00.000Z' },
});

function Section() {
  const result = useActionResult<() => SecurityResult>();
  return (
    <FactorsProvider value={factors}>
      <PasskeySection
        passkeys={[passkey('Laptop', null), passkey('Phone', '2025-05-06T00:00:00.000Z')]}
        result={result}
      />
    </FactorsProvider>
  );
}

async function show(reply: Partial<SecurityResult> = {}) {
  const posted: Record<string, unknown>[] = [];
  const { user } = await renderInRouter(<Section />, {
    action(form) {
      posted.push(Object.fromEntries(form));
      return { intent: form.get('intent'), ...reply };
    },
  });
  const [laptop, phone] = (await screen.findAllByRole('listitem')) as [HTMLElement, HTMLElement];
  return { user, posted, laptop, phone };
}

it('says when each passkey was used last, and when it was added', async () => {
  const { laptop, phone } = await show();
  expect(laptop.textContent).toContain('Last used: Never');
  expect(phone.textContent).toMatch(/Last used: .*2025/);
  expect(phone.textContent).toMatch(/Added: .*2025/);
});

it('renames a passkey, and closes the form', async () => {
  const { user, posted, phone } = await show();
  await user.click(within(phone).getByRole('button', { name: 'Rename' }));
  const name = within(phone).getByLabelText('Name');
  expect((name as HTMLInputElement).value).toBe('Phone');
  await user.clear(name);
  await user.type(name, 'Old phone');
  await user.click(within(phone).getByRole('button', { name: 'Save' }));
  expect(await within(phone).findByRole('button', { name: 'Rename' })).toBeTruthy();
  expect(posted).toEqual([{ intent: 'passkey-rename', id: 'id of Phone', displayName: 'Old phone' }]);
  expect(within(phone).queryByLabelText('Name')).toBe(null);
});

it('keeps the form open with the reason when the name is refused, until it is canceled', async () => {
  const { user, laptop, phone } = await show({ errors: { displayName: 'Taken' } });
  await user.click(within(phone).getByRole('button', { name: 'Rename' }));
  await user.click(within(phone).getByRole('button', { name: 'Save' }));
  const reason = await within(phone).findByText('Taken');
  expect(within(phone).getByLabelText('Name').getAttribute('aria-describedby')).toBe(reason.id);
  await user.click(within(phone).getByRole('button', { name: 'Cancel' }));
  expect(within(phone).queryByLabelText('Name')).toBe(null);
  await user.click(within(laptop).getByRole('button', { name: 'Rename' }));
  expect(within(laptop).queryByText('Taken')).toBe(null);
});
