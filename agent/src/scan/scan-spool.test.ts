import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScanSpool, type ScanState } from './scan-spool.ts';

const snapshotId = '018f0000-0000-7000-8000-000000000001';
const state: ScanState = {
  ...{ snapshotId, settings: { seeds: ['10.0.0.0/24'], allowed: [], forbidden: [] } },
  ...{ targets: [{ first: 1, last: 2 }], nextBlock: 1, chunks: 1, found: 2, paused: false },
  ...{ owned: {}, failures: {} },
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-scan-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(content: string): string {
  const scan = join(folder, 'scans', snapshotId);
  mkdirSync(scan, { recursive: true });
  writeFileSync(join(scan, 'state.json'), content);
  return scan;
}

test('a scan is taken up as it was, also with keys of a later version', async () => {
  const later = { ...state, later: 1 };
  write(JSON.stringify(later));
  expect(await new ScanSpool(folder).load()).toEqual([{ state: later, pending: [] }]);
});

test.each([
  ['no JSON', '{'],
  ['without its order', JSON.stringify({ ...state, settings: undefined })],
  ['with targets that are none', JSON.stringify({ ...state, targets: [{}] })],
  ['of another scan', JSON.stringify({ ...state, snapshotId: '018f0000-0000-7000-8000-000000000002' })],
])('a state that is damaged (%s) is reported and deleted', async (_, content) => {
  const scan = write(content);
  const damaged: string[] = [];
  expect(await new ScanSpool(folder).load((name) => damaged.push(name))).toEqual([]);
  expect(damaged).toEqual([snapshotId]);
  expect(existsSync(scan)).toBe(false);
});
