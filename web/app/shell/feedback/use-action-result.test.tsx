import { Form, Link, useLoaderData, useRevalidator } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { useActionResult } from './use-action-result.ts';

afterEach(cleanup);

interface Said {
  secret?: string;
}

async function opened() {
  let loads = 0;
  let posts = 0;
  function Page() {
    const reply = useActionResult() as Said | undefined;
    const { revalidate } = useRevalidator();
    const { loads } = useLoaderData() as { loads: number };
    return (
      <>
        <p data-testid="reply">{reply ? (reply.secret ?? 'nothing') : 'none'}</p>
        <p data-testid="loads">{loads}</p>
        <Form method="post">
          <button type="submit">send</button>
        </Form>
        <button type="button" onClick={revalidate}>
          refresh
        </button>
        <Link to="?tab=2">elsewhere</Link>
      </>
    );
  }
  const Stub = createRemixStub([
    {
      path: '/',
      Component: Page,
      loader: () => ({ loads: ++loads }),
      action: () => (++posts === 3 ? {} : { secret: `secret ${posts}` }),
    },
  ]);
  render(<Stub />);
  await screen.findByTestId('reply');
  const user = userEvent.setup();
  return {
    press: (name: string) => user.click(screen.getByText(name)),
    says: (text: string) => waitFor(() => expect(screen.getByTestId('reply').textContent).toBe(text)),
    async refresh() {
      const before = Number(screen.getByTestId('loads').textContent);
      await user.click(screen.getByText('refresh'));
      await waitFor(() => expect(screen.getByTestId('loads').textContent).toBe(String(before + 1)));
    },
  };
}

it('keeps a reply while the page is refreshed, until the next reply', async () => {
  const page = await opened();
  await page.says('none');
  await page.press('send');
  await page.says('secret 1');
  await page.refresh();
  await page.refresh();
  await page.says('secret 1');
  await page.press('send');
  await page.says('secret 2');
  await page.refresh();
  await page.says('secret 2');
  await page.press('send');
  await page.says('nothing');
});

it('forgets a reply when the page is left', async () => {
  const page = await opened();
  await page.press('send');
  await page.says('secret 1');
  await page.press('elsewhere');
  await page.says('none');
  await page.refresh();
  await page.says('none');
});
