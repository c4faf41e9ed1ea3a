import { loadTranslator } from '@yagura/core/i18n/load-translations';
import { expect, test } from 'vitest';
import { scanProgress, scanProgressText } from './scan-progress.ts';

test('counts addresses while the agent scans, and nodes while the server processes them', async () => {
  const t = await loadTranslator('en');
  const scan = { status: 'started', probed: 5, toProbe: 10, numberOfNodes: 4, numberOfProcessedNodes: 0 };
  expect(scanProgressText(t, scan)).toBe('Running  5/10  4 nodes');
  const processed = { ...scan, status: 'processing', numberOfProcessedNodes: 3 };
  expect(scanProgressText(t, processed)).toBe('Processing  3/4  4 nodes');
  expect(scanProgress(processed)).toEqual([3, 4]);
});
