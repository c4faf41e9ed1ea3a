import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Placeholder } from '../page/placeholder.tsx';
import { renderInRouter } from '../test/render.tsx';
import { StatusBadge } from '../text/status-badge.tsx';
import { ConfirmDialog } from './dialog.tsx';
import { useToast } from './toast.tsx';
import { Tooltip } from './tooltip.tsx';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function Shouter() {
  const toast = useToast();
  return (
    <button type="button" onClick={() => toast.success('Saved')}>
      Shout
    </button>
  );
}

async function renderToasts() {
  const view = await renderInRouter(<Shouter />);
  vi.useFakeTimers();
  const shout = () => fireEvent.click(screen.getByText('Shout'));
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
  return { ...view, shout, pass };
}

describe('toasts', () => {
  it('go away after 3 seconds', async () => {
    const { shout, pass } = await renderToasts();
    shout();
    expect(screen.getByRole('status').textContent).toContain('Saved');
    pass(2999);
    expect(screen.queryByText('Saved')).toBeTruthy();
    pass(1);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('wait while pointed at and start again when left', async () => {
    const { shout, pass } = await renderToasts();
    shout();
    pass(2500);
    const card = screen.getByRole('status');
    fireEvent.pointerEnter(card);
    pass(60_000);
    expect(screen.queryByText('Saved')).toBeTruthy();
    fireEvent.pointerLeave(card);
    pass(2999);
    expect(screen.queryByText('Saved')).toBeTruthy();
    pass(1);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('wait while the focus is on them', async () => {
    const { shout, pass } = await renderToasts();
    shout();
    const button = screen.getByRole('button', { name: 'Dismiss' });
    act(() => button.focus());
    pass(10_000);
    expect(screen.queryByText('Saved')).toBeTruthy();
    act(() => button.blur());
    pass(3000);
    expect(screen.queryByText('Saved')).toBeNull();
  });

  it('count their ids modulo 100 and show at most five', async () => {
    const { shout, container } = await renderToasts();
    for (let i = 0; i < 102; i++) shout();
    const ids = [...container.querySelectorAll('[data-toast]')].map((card) =>
      card.getAttribute('data-toast'),
    );
    expect(ids).toEqual(['97', '98', '99', '0', '1']);
  });

  it('are dismissed by hand', async () => {
    const { shout } = await renderToasts();
    shout();
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText('Saved')).toBeNull();
  });
});

describe('ConfirmDialog', () => {
  function Asker({ onDone }: { onDone: (answer: string) => void }) {
    const [busy, setBusy] = useState(false);
    return (
      <ConfirmDialog
        open
        title="Delete it?"
        busy={busy}
        onConfirm={() => {
          setBusy(true);
          onDone('confirmed');
        }}
        onCancel={() => onDone('cancelled')}
      />
    );
  }

  it('stays, says that it deletes and refuses to close meanwhile', async () => {
    const done = vi.fn();
    const { user } = await renderInRouter(<Asker onDone={done} />);
    const dialog = screen.getByRole('dialog', { name: 'Delete it?' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const deleting = screen.getByRole('button', { name: 'Deleting…' });
    expect(deleting.getAttribute('aria-disabled')).toBe('true');
    expect(document.activeElement).toBe(deleting);
    await user.click(deleting);
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveProperty('disabled', true);
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    expect(done.mock.calls).toEqual([['confirmed']]);
  });

  it('stays during the operation also when the browser closes it, as on the second Esc', async () => {
    const done = vi.fn();
    const { user } = await renderInRouter(<Asker onDone={done} />);
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = screen.getByRole('dialog') as HTMLDialogElement;
    act(() => dialog.close());
    await waitFor(() => expect(dialog.open).toBe(true));
    expect(done.mock.calls).toEqual([['confirmed']]);
  });

  it('tells its owner when the browser closes it', async () => {
    const done = vi.fn();
    await renderInRouter(<Asker onDone={done} />);
    act(() => (screen.getByRole('dialog') as HTMLDialogElement).close());
    await waitFor(() => expect(done.mock.calls).toEqual([['cancelled']]));
  });

  it('is closed when it is removed, which gives the focus back', async () => {
    const { unmount } = await renderInRouter(<Asker onDone={() => {}} />);
    const dialog = screen.getByRole('dialog') as HTMLDialogElement;
    const close = vi.spyOn(dialog, 'close');
    unmount();
    expect(close).toHaveBeenCalledOnce();
  });

  it('says why the operation failed', async () => {
    await renderInRouter(
      <ConfirmDialog open title="Delete it?" error="Still in use" onConfirm={() => {}} onCancel={() => {}} />,
    );
    expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toBe('Still in use');
  });

  it('is cancelled by its button, its cross and Esc', async () => {
    const done = vi.fn();
    const { user } = await renderInRouter(<Asker onDone={done} />);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    expect(done.mock.calls).toEqual([['cancelled'], ['cancelled'], ['cancelled']]);
  });
});

describe('Placeholder', () => {
  it.each([
    ['empty', 'No data'],
    ['forbidden', 'You do not have the permission to access.'],
    ['error', 'Failed to load data. Please retry a bit later.'],
  ] as const)('%s says %s', async (kind, text) => {
    await renderInRouter(<Placeholder kind={kind} />);
    expect(screen.getByText(text)).toBeTruthy();
  });

  it('adds a dot every half second while loading, up to three', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { container } = await renderInRouter(<Placeholder kind="loading" />);
    const dots = () => container.querySelector('p span')!.textContent;
    const seen = [dots()];
    for (let i = 0; i < 3; i++) {
      act(() => vi.advanceTimersByTime(500));
      seen.push(dots());
    }
    expect(seen).toEqual(['.', '..', '...', '.']);
  });
});

describe('StatusBadge', () => {
  it('shows the word of a known value and Error for an unknown one', async () => {
    await renderInRouter(
      <>
        <StatusBadge value="incident" options={['incident']} tones={{ incident: 'danger' }} />
        <StatusBadge value="odd" options={['incident']} />
      </>,
    );
    expect(screen.getByTitle('Incident').textContent).toBe('Incident');
    vi.useFakeTimers();
    fireEvent.pointerEnter(screen.getByText('Error').parentElement!);
    act(() => vi.advanceTimersByTime(500));
    expect(screen.getByRole('tooltip').textContent).toBe('Unknown value: odd');
  });
});

describe('Tooltip', () => {
  it('opens after half a second and closes on Esc', async () => {
    await renderInRouter(
      <Tooltip text="More about it">
        <button type="button">It</button>
      </Tooltip>,
    );
    vi.useFakeTimers();
    fireEvent.pointerEnter(screen.getByText('It').parentElement!);
    act(() => vi.advanceTimersByTime(499));
    expect(screen.queryByRole('tooltip')).toBeNull();
    act(() => vi.advanceTimersByTime(1));
    expect(screen.getByRole('tooltip').textContent).toBe('More about it');
    fireEvent.keyDown(screen.getByText('It'), { key: 'Escape' });
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('stays shut on an iPad', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPad; CPU OS 18_0)');
    await renderInRouter(
      <Tooltip text="More about it">
        <button type="button">It</button>
      </Tooltip>,
    );
    vi.useFakeTimers();
    fireEvent.pointerEnter(screen.getByText('It').parentElement!);
    act(() => vi.advanceTimersByTime(5000));
    expect(screen.queryByRole('tooltip')).toBeNull();
  });
});
