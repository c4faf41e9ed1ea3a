import { inventoryLimits } from '@yagura/core/inventory/host-inventory';
import { expect, test } from 'vitest';
import { createHostReader } from './read-host.ts';

test.each([
  ['a list that is full is told', inventoryLimits.interfaces, ['agent LIST_TOO_LONG']],
  ['a shorter one is complete', inventoryLimits.interfaces - 1, []],
])('%s', async (_, count, expected) => {
  const interfaces = Array.from({ length: count }, (_, at) => ({ ifname: `port${at}` }));
  const readHost = createHostReader({
    ...{ credentials: [], lookup: async () => [], now: () => 0 },
    readOwn: async () => ({
      ...{
        fields: { interfaces },
        groups: ['interfaces'],
        source: 'agent',
        ownAddresses: [],
        identities: [],
      },
    }),
  });
  const { refusals } = await readHost(
    { address: '127.0.0.1', ports: [], at: 0 },
    { signal: new AbortController().signal, admit: async () => undefined, failures: {} },
  );
  expect(refusals.map(({ protocol, code }) => `${protocol} ${code}`)).toEqual(expected);
});
