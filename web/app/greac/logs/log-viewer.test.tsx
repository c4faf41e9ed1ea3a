import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { LogViewer, type LogViewerProps } from './log-viewer.tsx';

const keyId = '01a1fea7-056f-700d-b199-539c2daf0002';
const viewer: LogViewerProps = {
  sessionId: '01a1fea7-056f-700d-b199-539c2daf0001',
  isOpen: false,
  storedKeyId: keyId,
  logs: [
    {
      kind: 'text',
      judgement: { verdict: 'complete', fault: null, parts: [1] },
      parts: [
        {
          ...{ kind: 'text', part: 1, keyId, chunks: 1, bytes: 1, verdict: 'complete', seal: null },
          createdAt: '2026-01-01T00:00:00.000Z',
        },
      ],
    },
  ],
};

test('a key that the server does not have is not found, and the page stays', async () => {
  const posted: unknown[] = [];
  const { user } = await renderInRouter(<LogViewer {...viewer} />, {
    action: (form) => {
      posted.push(form.get('keyId'));
      return { privateKey: null };
    },
  });
  await user.click(screen.getByRole('button', { name: 'Use the private key on the server' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The server does not have this private key.');
  await user.click(screen.getByRole('button', { name: 'Download private key' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Download private key' }));
  await waitFor(() =>
    expect(dialog.getByRole('alert').textContent).toBe('The server does not have this private key.'),
  );
  expect(posted).toEqual([keyId, keyId]);
});

test('parts that have content can be downloaded as they are stored', async () => {
  const [log] = viewer.logs;
  const [part] = log!.parts;
  const parts = [part!, { ...part!, part: 2, chunks: 0 }];
  await renderInRouter(<LogViewer {...viewer} logs={[{ ...log!, parts }]} />);
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([['Part 1', `/apps/greac/sessions/${viewer.sessionId}/logs/text/1`]]);
});

test('a session that is open is said to be, and nothing is offered that is not there yet', async () => {
  await renderInRouter(<LogViewer {...viewer} isOpen />);
  expect(
    screen.getByText('The session is still open. Its logs can be shown once it has ended.'),
  ).toBeTruthy();
  expect(screen.queryAllByRole('link')).toEqual([]);
  expect(screen.queryByRole('button', { name: /private key/ })).toBe(null);
});

test('also a session of which nothing is stored yet, whose logs are shown once they are there', async () => {
  function Reloaded() {
    const [isOver, setIsOver] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setIsOver(true)}>
          Reload
        </button>
        <LogViewer {...viewer} {...(isOver ? {} : { logs: [], isOpen: true })} />
      </>
    );
  }
  const { user } = await renderInRouter(<Reloaded />);
  expect(
    screen.getByText('The session is still open. Its logs can be shown once it has ended.'),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  expect(screen.getAllByText(/Complete/).length).toBeGreaterThan(0);
});

test('whoever may not fetch the key chooses a file', async () => {
  await renderInRouter(<LogViewer {...viewer} storedKeyId={null} />);
  expect(screen.getByLabelText('File with the private key')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /private key/ })).toBe(null);
});
