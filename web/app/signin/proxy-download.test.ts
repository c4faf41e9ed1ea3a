import { expect, it } from 'vitest';
import { loader as exportFile } from '../alerthub/screens/bulk/bulk-export-file.ts';
import { loader as logFile } from '../greac/screens/session-log-file.ts';
import { loadPage } from './test/load-page.ts';

const params = { sessionId: '1', exportId: '1', kind: 'nothing', part: '0' };

it.each([
  { file: 'a session log', loader: logFile },
  { file: 'an export', loader: exportFile },
])('leads to the page for missing items at $file of an unknown kind', async ({ loader }) => {
  const asked: string[] = [];
  const found: unknown = await loadPage(loader, { address: '/', params, replies: {}, asked }).catch(
    (error: unknown) => error,
  );
  expect(found).toBeInstanceOf(Response);
  expect((found as Response).headers.get('location')).toBe('/404');
  expect(asked).toEqual([]);
});
