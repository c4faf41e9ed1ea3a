import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FilterBox } from '../../ui/table/search-box.tsx';
import { renderInRouter } from '../../ui/test/render.tsx';
import { useShortcuts } from './use-shortcuts.ts';

function Page() {
  const { shown } = useShortcuts();
  return (
    <main>
      <FilterBox />
      {shown && <p>the sheet</p>}
    </main>
  );
}

it('goes to the filter by /, which then is a letter like others', async () => {
  const { user } = await renderInRouter(<Page />);
  const box = screen.getByRole<HTMLInputElement>('searchbox');
  await user.keyboard('/');
  expect(document.activeElement).toBe(box);
  expect(box.value).toBe('');
  await user.keyboard('/g');
  expect(box.value).toBe('/g');
});

it('opens the sheet by ? and goes to a place by g and its letter', async () => {
  const { user, address } = await renderInRouter(<Page />);
  await user.keyboard('x?');
  expect(screen.getByText('the sheet')).toBeTruthy();
  await user.keyboard('gs');
  expect(address()).toBe('/apps/alerthub/scopes');
});

it('takes letters as they come with Caps Lock, but not with Shift', async () => {
  const { user, address } = await renderInRouter(<Page />);
  const before = address();
  await user.keyboard('{Shift>}GS{/Shift}');
  expect(address()).toBe(before);
  await user.keyboard('GS');
  expect(address()).toBe('/apps/alerthub/scopes');
  await user.keyboard('{Control>}K{/Control}');
  expect(screen.getByText('the sheet')).toBeTruthy();
});
