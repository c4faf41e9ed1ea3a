import { expect, test } from 'vitest';
import { messageHeadline } from './message-headline.ts';

const alert = (labels: object, status = 'firing') => ({ status, labels, annotations: {} });
test.each<[string, unknown, string | undefined]>([
  [
    'a group without anything in common',
    { status: 'firing', alerts: [alert({ alertname: 'A', instance: 'x' }), alert({ alertname: 'B' })] },
    '[FIRING:2] A (x)',
  ],
  [
    'a group with a title of its own',
    { status: 'firing', title: '2 disks', alerts: [alert({ alertname: 'A' })] },
    '2 disks',
  ],
  [
    'a group of which one alert has ended',
    {
      status: 'firing',
      alerts: [alert({ alertname: 'A' }, 'resolved'), alert({ alertname: 'B' }), alert({ alertname: 'C' })],
    },
    '[FIRING:2] B',
  ],
  ['a group without alerts', { status: 'firing', alerts: [] }, 'status: firing'],
  [
    'a chat message with attachments',
    { text: '', attachments: [{ title: 'Deploy failed' }] },
    'Deploy failed',
  ],
  ['lists of attachments', { attachments: [{ title: 'First' }, { title: 'Second' }] }, 'First'],
  ['a headline in a list', { attachments: [{ alert: { name: 'cpu' } }] }, 'cpu'],
  ['a headline two objects down', { data: { alert: { name: 'cpu' } } }, 'cpu'],
  ['no headline three objects down', { data: { event: { alert: { name: 'cpu' } } } }, undefined],
  ['a kind of event beside what happened', { event: 'alert', alert: { monitorName: 'cpu' } }, 'cpu'],
  [
    'plain members',
    { id: 7, ok: false, note: '', none: null, disk: { free: 3 } },
    'id: 7, ok: false, disk.free: 3',
  ],
  ['members that are secret', { routing_key: 'r', apiToken: 't', action: 'resolve' }, 'action: resolve'],
  ['a state', { title: 'Disk full', status: 'resolved' }, '[RESOLVED] Disk full'],
  ['a state beside the object with the headline', { state: 'Open', alert: { name: 'cpu' } }, '[OPEN] cpu'],
  ['the state of a list', { status: 'failure', attachments: [{ title: 'Deploy' }] }, '[FAILURE] Deploy'],
  [
    'a headline that begins with the state',
    { title: '[Recovered on web1] CPU', transition: 'Recovered' },
    '[Recovered on web1] CPU',
  ],
  [
    'a headline that only contains the state',
    { title: 'Port closed', state: 'closed' },
    '[CLOSED] Port closed',
  ],
  [
    'a headline that begins like the state',
    { title: 'Okinawa is slow', status: 'ok' },
    '[OK] Okinawa is slow',
  ],
  ['a state in Japanese', { title: 'ディスク', status: '復旧' }, '[復旧] ディスク'],
  ['a status that is no state', { title: 'T', status: '200', state: 'no state, but a sentence' }, 'T'],
  [
    'an alert closed by hand',
    { alert: { monitorName: 'cpu', status: 'critical', isOpen: false } },
    '[CLOSED] cpu',
  ],
  [
    'nothing but the key of an alert',
    { event_action: 'resolve', dedup_key: 'web1/disk' },
    '[RESOLVE] web1/disk',
  ],
  ['no members', {}, undefined],
  ['a text', 'x', undefined],
  ['a list of numbers', [1, 2], undefined],
])('%s', (_name, data, wanted) => {
  expect(messageHeadline(data)).toBe(wanted);
});

test('is bounded for data without a headline, however long or deep', () => {
  const wide = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, 'v'.repeat(300)]));
  expect(messageHeadline(wide)!.length).toBeLessThan(1000);
  const padded = { title: `${'['.repeat(5000)}x`, status: 'ok' };
  expect(messageHeadline(padded)!.length).toBeLessThan(1000);
  const deep = JSON.parse(`${'{"data":'.repeat(5000)}1${'}'.repeat(5000)}`);
  expect(messageHeadline(deep)).toBeUndefined();
});
