import type { Translate } from '@yagura/core/i18n/translator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityServer, password, startIdentityServer } from '../../../test/support/identity-server.ts';

describe('the proof that it is still the person', () => {
  let server: IdentityServer;
  let userId: string;
  const t = ((word: string) => word) as Translate;
  beforeAll(async () => {
    server = (await startIdentityServer())!;
    const person = { email: 'hana@example.com', displayName: 'Hana', password };
    userId = (await server.identity.createUser(person)).userId;
  }, 60_000);
  afterAll(() => server.close());

  const prove = (given: string, grantId = 'here') =>
    server.identity.reauthenticate({ userId, grantId }, { password: given }, t).then(
      () => 'proved',
      (error: { kind: string }) => error.kind,
    );

  test('that was right takes back the guesses before it', async () => {
    for (let round = 0; round < 3; round++) {
      for (let guess = 0; guess < 4; guess++) expect(await prove('Wrong-horse-7')).toBe('invalid');
      expect(await prove(password)).toBe('proved');
      server.clock.advance(4 * 900_000);
    }
  });

  test('is not kept from the person by guesses at another sign-in of theirs', async () => {
    for (let guess = 0; guess < 5; guess++) await prove('Wrong-horse-7', 'left open');
    expect(await prove(password, 'left open')).toBe('too-many-requests');
    expect(await prove(password, 'their own')).toBe('proved');
  });
});
