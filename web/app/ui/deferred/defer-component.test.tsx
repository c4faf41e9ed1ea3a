import { act, cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { deferComponent } from './defer-component.tsx';

afterEach(cleanup);

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>;

class Boundary extends Component<{ children: ReactNode }> {
  override state: { message?: string } = {};
  static getDerivedStateFromError = (error: Error) => ({ message: error.message });
  override render() {
    return this.state.message ?? this.props.children;
  }
}

it('shows the fallback while the code loads, and the component as soon as it is there', async () => {
  vi.useFakeTimers();
  try {
    const Deferred = deferComponent(async () => ({ default: Greeting }));
    render(<Deferred name="Hana" fallback="Loading" />);
    expect(document.body.textContent).toBe('Loading');
    // No time passes, so that nothing has waited for it.
    await act(async () => {});
    expect(document.body.textContent).toBe('Hello Hana');
  } finally {
    vi.useRealTimers();
  }
});

it('hands a failure to the error boundary, and tries again when it is shown again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const load = vi.fn(async () => ({ default: Greeting })).mockRejectedValueOnce(new Error('offline'));
  const Deferred = deferComponent(load);
  const { unmount } = render(
    <Boundary>
      <Deferred name="Hana" />
    </Boundary>,
  );
  expect(await screen.findByText('offline')).toBeTruthy();
  unmount();
  render(<Deferred name="Hana" />);
  expect(await screen.findByText('Hello Hana')).toBeTruthy();
});

it('leaves the fallback to the server', () => {
  const Deferred = deferComponent(async () => ({ default: Greeting }));
  expect(renderToString(<Deferred name="Hana" fallback="Loading" />)).toBe('Loading');
});
