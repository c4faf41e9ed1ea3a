import { expect, test } from 'vitest';
import { messageHeadline } from './message-headline.ts';

const alert = (labels: object, status = 'firing') => ({ status, labels, annotations: {} });
test.each<[string, unknown, string | undefined]>([
  [
    'a group without anything in common',
    { status: 'firing', alerts: [alert({ alertname: 'A', instance: 'x' }), alert({ alertname: 'B' })] },
    '[FIRING:2] A (x)',
  ],
  ['a group without alerts', { status: 'firing', alerts: [] }, 'status: firing'],
  [
    'a chat message with attachments',
    { text: '', attachments: [{ title: 'Deploy failed' }] },
    'Deploy failed',
  ],
  ['a kind of event beside what happened', { event: 'alert', alert: { monitorName: 'cpu' } }, 'cpu'],
  [
    'plain members',
    { id: 7, ok: false, note: '', none: null, disk: { free: 3 } },
    'id: 7, ok: false, disk.free: 3',
  ],
  ['members that are secret', { routing_key: 'r', apiToken: 't', action: 'resolve' }, 'action: resolve'],
  ['no members', {}, undefined],
  ['a text', 'x', undefined],
  ['a list of numbers', [1, 2], undefined],
])('%s', (_name, data, wanted) => {
  expect(messageHeadline(data)).toBe(wanted);
});

test('is bounded for data without a headline, however long or deep', () => {
  const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, 'v'.repeat(300)]));
  expect(messageHeadline(wide)!.length).toBeLessThan(1000);
  const deep = JSON.parse(`${'{"data":'.repeat(5000)}1${'}'.repeat(5000)}`);
  expect(messageHeadline(deep)).toBeUndefined();
});
