import { expect, test } from 'vitest';
import { createReverseLookup } from './reverse-names.ts';

test('name servers that change while the agent runs are asked', async () => {
  let now = 0;
  let server = 'old.example';
  const lookup = createReverseLookup(
    () => now,
    () => {
      const name = server;
      return { reverse: async () => [name] };
    },
  );
  expect(await lookup('10.0.0.1')).toEqual(['old.example']);
  server = 'new.example';
  now = 60_000;
  expect(await lookup('10.0.0.1')).toEqual(['new.example']);
});
