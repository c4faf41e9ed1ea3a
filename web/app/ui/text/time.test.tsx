import { screen } from '@testing-library/react';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { resources } from '@yagura/core/all';
import { itemFields } from '@yagura/core/resource/define-resource';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { ShortValue } from './short-value.tsx';
import { Time } from './time.tsx';
import { isUpcoming } from './use-age.ts';

const start = Date.parse('2028-03-01T10:00:00Z');
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: start }));
afterEach(() => void vi.useRealTimers());

it('shows what has just happened as past, also between two updates of the clock', async () => {
  const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
  function Page() {
    const [value, setValue] = useState(at(-120));
    return (
      <>
        <Time value={value} />
        <button type="button" onClick={() => setValue(at(14))}>
          Load
        </button>
      </>
    );
  }
  const { user } = await renderInRouter(<Page />);
  expect(await screen.findByText('2 min ago')).toBeTruthy();
  vi.setSystemTime(start + 15_000);
  await user.click(screen.getByText('Load'));
  expect(screen.getByText('just now')).toBeTruthy();
});

it('shows what is to come as such', async () => {
  await renderInRouter(<Time value={new Date(start + 45_000).toISOString()} upcoming />);
  expect(await screen.findByText('in 45 s')).toBeTruthy();
});

it.each([
  [12, 'just now'],
  [299, 'just now'],
  [3600, ''],
])('shows what happened as past if the clock of the browser is %i s behind', async (seconds, age) => {
  const { container } = await renderInRouter(<Time value={new Date(start + seconds * 1000).toISOString()} />);
  await vi.waitFor(() => expect(container.querySelector('time > span + span')?.textContent ?? '').toBe(age));
});

it.each([
  ['createdAt', 'just now'],
  ['nextAttemptAt', 'in 12 s'],
])('a value of the field %s that is 12 s ahead of the clock of the browser', async (name, age) => {
  const meta = itemFields(actionRecord)[name]!;
  await renderInRouter(<ShortValue name={name} meta={meta} value={new Date(start + 12_000).toISOString()} />);
  expect(await screen.findByText(age)).toBeTruthy();
});

it('every field with an instant is known to be past or upcoming', () => {
  const past = /^(?:at|since|(?:first|last)\w+|\w+edAt)$/;
  const unknown = resources.flatMap((resource) =>
    Object.entries(itemFields(resource))
      .filter(([name, { kind }]) => kind === 'date-time' && past.test(name) === isUpcoming(name))
      .map(([name]) => `${resource.name}: ${name}`),
  );
  expect(unknown).toEqual([]);
});
