import { expect, test } from 'vitest';
import { createTestClock } from '../../../test/support/test-clock.ts';
import type { StoreLogLine } from '../store-log.ts';
import { createOutageLog } from './outage-log.ts';

function watch() {
  const lines: StoreLogLine[] = [];
  const clock = createTestClock();
  const outages = createOutageLog({ clock, log: (line) => lines.push(line), location: 'db:5432/space' });
  return { lines, clock, outages };
}
const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });

test('an outage is one line when it begins and one when it ends, with its length and the calls it failed', async () => {
  const { lines, clock, outages } = watch();
  outages.onConnected();
  for (let call = 0; call < 3; call++) outages.onConnectFailed(refused());
  await clock.advance(90_000);
  outages.onConnectFailed(refused());
  outages.onConnected();
  outages.onConnected();
  expect(lines).toEqual([
    {
      level: 'error',
      message:
        'PostgreSQL at db:5432/space cannot be reached; what needs it fails or waits until it is back: connect ECONNREFUSED',
    },
    {
      level: 'info',
      message: 'PostgreSQL at db:5432/space can be reached again',
      milliseconds: 90_000,
      failedCalls: 4,
    },
  ]);
  outages.onConnectFailed(refused());
  expect(lines).toHaveLength(3);
});

test.each([
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end on the pool',
  'anything else',
])('"%s" is no outage', (message) => {
  const { lines, outages } = watch();
  outages.onConnectFailed(new Error(message));
  expect(lines).toEqual([]);
});
