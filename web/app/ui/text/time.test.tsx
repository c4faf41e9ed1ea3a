import { screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderInRouter } from '../test/render.tsx';
import { Time } from './time.tsx';

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
  await renderInRouter(<Time value={new Date(start + 45_000).toISOString()} />);
  expect(await screen.findByText('in 45 s')).toBeTruthy();
});
