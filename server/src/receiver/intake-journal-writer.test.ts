import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../common/clock.ts';
import { createIdSource } from '../common/id.ts';
import type { LogLine } from '../common/log.ts';
import { IntakeJournalWriter } from './intake-journal-writer.ts';

const arrival = {
  address: {
    spaceId: '00000000-0000-7000-8000-000000000001',
    receiveSlotId: '00000000-0000-7000-8000-000000000002',
    kind: 'webhook',
    endpoint: 'primary' as const,
    disabled: false,
  },
  requestUrl: '/',
  headers: {},
  body: Buffer.from('{}'),
  deliveryKey: undefined,
};

test('a journal that cannot be written is logged once, not for each message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-journal-writer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines: LogLine[] = [];
  const clock = new ManualClock();
  const deps = {
    clock,
    nextId: createIdSource(clock),
    log: (line: LogLine) => void lines.push(line),
    folder,
  };
  const limits = { waiting: 1 << 30, reserve: 0 };
  const [writer, other] = [
    new IntakeJournalWriter({ ...deps, limits }),
    new IntakeJournalWriter({ ...deps, limits }),
  ];
  await writer.claim();
  await writer.open({ after: 0, recent: [] });
  await writer.receive(arrival);
  // From here on, nothing that the first one writes counts.
  await other.claim();
  for (let count = 0; count < 20; count += 1) await expect(writer.receive(arrival)).rejects.toThrow();
  expect(lines.filter(({ message }) => message === 'the intake journal cannot be written')).toHaveLength(20);
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  await other.close();
  await writer.close().catch(() => undefined);
});
