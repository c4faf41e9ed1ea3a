// The files of a session, for who controls it and who watches.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { FilesPanel } from './files-panel.tsx';
import { TransferList } from './transfer-list.ts';

const list = async () => ({ items: [], isTruncated: false });
const transfers = new TransferList({} as never);

test.each([true, false])('an upload is offered only to who controls the session (%s)', async (mayUpload) => {
  await renderInRouter(
    <FilesPanel {...{ list, transfers, mayUpload }} isConnected onClose={() => undefined} />,
  );
  const upload = await screen.findByRole('button', { name: 'Upload' });
  expect((upload as HTMLButtonElement).disabled).toBe(!mayUpload);
  const reason = 'Only the user with control of the session can upload files.';
  expect(screen.queryAllByText(reason)).toHaveLength(mayUpload ? 0 : 1);
});
