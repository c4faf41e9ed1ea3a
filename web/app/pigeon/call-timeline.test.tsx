import { screen, within } from '@testing-library/react';
import type { CallEvent } from '@yagura/core/pigeon/call-event';
import { type CallRecord, result } from '@yagura/core/pigeon/result';
import { itemFields } from '@yagura/core/resource/define-resource';
import { expect, test } from 'vitest';
import { renderInRouter } from '../ui/test/render.tsx';
import { CallTimeline } from './call-timeline.tsx';

const startedAt = '2026-01-01T00:00:00.000Z';
const event = (second: number, kind: CallEvent['kind'], more: Partial<CallEvent> = {}): CallEvent => ({
  ...{ at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`, kind },
  ...{ text: null, key: null, source: null, detail: null, ...more },
});
const call = (callId: string, script: CallEvent[]): CallRecord => ({
  callId,
  loop: 1,
  contact: { contactId: null, displayName: callId },
  phoneNumber: '********',
  status: 'missed',
  transfer: false,
  keyInput: null,
  behavior: null,
  readings: 0,
  reason: 'busy',
  startedAt,
  answeredAt: null,
  endedAt: null,
  script,
});
const status = itemFields(result).calls!.item!.fields!.status!;

test('each call has its script, and an older one says that there is none', async () => {
  const script = [
    event(0, 'dialed'),
    event(2, 'ringing', { detail: '180 Ringing' }),
    event(6, 'reading', { text: 'The disk is full' }),
  ];
  await renderInRouter(
    <CallTimeline calls={[call('Ann', []), call('Ben', script)]} references={{}} status={status} />,
  );
  expect(screen.getByText('No script was recorded for this call.')).toBeTruthy();
  const details = screen.getByText('What happened in the call').closest('details')!;
  expect(details.open).toBe(true);
  expect(
    within(details)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    '0:000:00 after dialingDialed',
    '0:020:02 after dialingRinging180 Ringing',
    '0:060:06 after dialingSaid "The disk is full"',
  ]);
});
