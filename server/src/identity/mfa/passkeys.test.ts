// Tests passkeys with a software authenticator: real signatures, with errors chosen by the test.
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addSpace,
  Browser,
  createOidcClient,
  type IdentityServer,
  password,
  startIdentityServer,
} from '../../../test/support/identity-server.ts';
import type { Database } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createPasskeys } from './passkeys.ts';

const text = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

interface Signing {
  challenge: string;
  userVerified?: boolean;
  counter?: number;
  origin?: string;
}

class Authenticator {
  readonly id = randomBytes(32);
  private readonly origin: string;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  counter = 0;

  constructor(origin: string) {
    this.origin = origin;
  }

  private client(type: string, { challenge, origin = this.origin }: Signing): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private data(flags: number, counter: number, rest = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(new URL(this.origin).hostname), head, rest]);
  }

  /** The browser's response after creating the passkey. */
  make(signing: Signing) {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, Buffer.from(isoCBOR.encode(cose))]);
    const authData = new Uint8Array(this.data(0x45, this.counter, credential));
    const attestation = isoCBOR.encode(
      new Map<string, never>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ] as unknown as [string, never][]),
    );
    const response = {
      clientDataJSON: text(this.client('webauthn.create', signing)),
      attestationObject: text(attestation),
    };
    return {
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    };
  }

  /** The browser's response at a sign-in. */
  sign(signing: Signing): string {
    const { userVerified = true, counter = ++this.counter } = signing;
    const authenticatorData = this.data(userVerified ? 0x05 : 0x01, counter);
    const client = this.client('webauthn.get', signing);
    const signer = createSign('sha256').update(Buffer.concat([authenticatorData, sha256(client)]));
    return JSON.stringify({
      id: text(this.id),
      rawId: text(this.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        authenticatorData: text(authenticatorData),
        clientDataJSON: text(client),
        signature: text(signer.sign(this.keys.privateKey)),
      },
    });
  }
}

describe('a passkey', () => {
  let server: IdentityServer;
  let userId: string;
  let otherId: string;
  let device: Authenticator;
  const email = 'hana@example.com';

  beforeAll(async () => {
    server = (await startIdentityServer())!;
    const person = (name: string) =>
      server.identity.createUser({ email: `${name}@example.com`, displayName: name, password });
    userId = (await person('hana')).userId;
    otherId = (await person('ken')).userId;
    device = new Authenticator(server.publicUrl);
    await register(device);
  }, 60_000);
  afterAll(() => server.close());
  beforeEach(() => server.database.query('delete from signin_budget'));

  const runTransaction: Database['transaction'] = (work) => server.database.transaction(work);

  async function register(made: Authenticator, by = userId, shownTo = by): Promise<string> {
    const person = { userId: by, email, displayName: 'Hana' };
    const { challenge } = await server.identity.passkeys.creationOptions(person);
    const response = made.make({ challenge });
    return server.identity.passkeys.register(
      shownTo,
      { displayName: `key ${text(made.id).slice(0, 8)}`, response },
      'wrong',
      runTransaction,
    );
  }

  const issued = (text: string) => ({ text, issuedAt: server.clock.now() });

  const verify = async (
    change: Partial<Signing> = {},
    wanted: { alone?: boolean; userId?: string | null } = {},
  ) => {
    const { alone = true, userId: whose = null } = wanted;
    const { challenge } = await server.identity.passkeys.requestOptions(whose);
    const answer = device.sign({ challenge, ...change });
    const expected = { challenge: issued(challenge), userId: whose, alone, language: 'en' } as const;
    return (await server.identity.passkeys.verify(answer, expected))?.userId ?? null;
  };

  test.each(['', '{}', JSON.stringify({ id: 'a\0', response: {} })])(
    'an answer that is none lets nobody in: %j',
    async (answer) => {
      const { challenge } = await server.identity.passkeys.requestOptions(null);
      const wanted = { challenge: issued(challenge), userId: null, alone: true, language: 'en' } as const;
      expect(await server.identity.passkeys.verify(answer, wanted)).toBeNull();
    },
  );

  test('lets its person in, alone or as the second step, and nobody else', async () => {
    expect(await verify()).toBe(userId);
    expect(await verify({}, { alone: false, userId })).toBe(userId);
    expect(await verify({}, { alone: false, userId: otherId })).toBeNull();
  });

  test('tells the token epoch of its user at that time', async () => {
    const epoch = async () => {
      const { challenge } = await server.identity.passkeys.requestOptions(null);
      const expected = { challenge: issued(challenge), userId: null, alone: true, language: 'en' } as const;
      return (await server.identity.passkeys.verify(device.sign({ challenge }), expected))?.epoch;
    };
    const earlier = await epoch();
    await server.identity.endSessions(userId, runTransaction);
    expect([earlier, await epoch()]).toEqual([0, 1]);
  });

  test('that did not verify its user is a second step, but lets nobody in alone', async () => {
    expect(await verify({ userVerified: false })).toBeNull();
    expect(await verify({ userVerified: false }, { alone: false, userId })).toBe(userId);
  });

  test.each(['the same', 'a lower'])(
    'with %s counter than before was copied: refused, and told',
    async (way) => {
      expect(await verify({ counter: 1_000 })).toBe(userId);
      server.mails.length = 0;
      expect(await verify({ counter: way === 'the same' ? 1_000 : 999 })).toBeNull();
      expect(server.mails).toMatchObject([{ kind: 'security-changed', to: email }]);
      await reset();
    },
  );

  test('that has counted once and then sends nothing was copied', async () => {
    await server.database.query('update passkey set counter = 1');
    expect(await verify({ counter: 0 })).toBeNull();
    expect(await verify({ counter: 1 })).toBeNull();
    expect(await verify({ counter: 2 })).toBe(userId);
    await reset();
  });

  /** No use is stored, and the device counts from the beginning. */
  async function reset(): Promise<void> {
    await server.database.query(`update passkey set counter = 0, recent_uses = '[]'`);
    device.counter = 0;
  }

  describe('of two sign-ins at once', () => {
    /** Verifies a response; `before` runs when its signature is verified and its use is about to be stored. */
    async function verifyHeld(counter: number, before: () => Promise<unknown>) {
      const { challenge } = await server.identity.passkeys.requestOptions(null);
      const told: string[] = [];
      let stores = 0;
      const database: Pick<Database, 'query' | 'transaction'> = {
        query: (text, values) => server.database.query(text, values),
        async transaction(work) {
          stores++;
          await before();
          return server.database.transaction(work);
        },
      };
      const passkeys = createPasskeys(
        { ...server.options, publicUrl: server.publicUrl, database } as unknown as IdentityContext,
        { tokens: {} as never, tellCopied: async (_userId, passkey) => void told.push(passkey) },
      );
      const expected = { challenge: issued(challenge), userId: null, alone: true, language: 'en' } as const;
      const signed = device.sign({ challenge, counter });
      server.clock.advance(1_000);
      const whose = (await passkeys.verify(signed, expected))?.userId ?? null;
      expect(stores).toBe(1);
      return { whose, told, again: () => passkeys.verify(signed, expected) };
    }

    const counter = async () => {
      const { rows } = await server.database.query<{ counter: number }>(
        'select counter::int from passkey where credential_id = $1',
        [text(device.id)],
      );
      return rows[0]?.counter;
    };

    test('the lower counter is accepted after the higher one, and does not replace it', async () => {
      await reset();
      const low = await verifyHeld(11, async () => expect(await verify({ counter: 12 })).toBe(userId));
      expect(low).toMatchObject({ whose: userId, told: [] });
      expect(await counter()).toBe(12);
      await reset();
    });

    test('the same counter for both was copied, and told', async () => {
      await reset();
      const second = await verifyHeld(12, async () => expect(await verify({ counter: 12 })).toBe(userId));
      expect(second).toMatchObject({ whose: null, told: [expect.stringContaining('key')] });
      await reset();
    });

    test('a response that is sent twice is used once, and nobody is told of a copy', async () => {
      await reset();
      const { whose, told, again } = await verifyHeld(5, async () => {});
      expect(whose).toBe(userId);
      expect(await again()).toBeNull();
      expect(told).toEqual([]);
      await reset();
    });

    test('a passkey deleted meanwhile lets nobody in, and nobody is told of a copy', async () => {
      const other = new Authenticator(server.publicUrl);
      await register(other);
      const kept = await server.database.query<{ row: string }>(
        'delete from passkey where credential_id = $1 returning to_json(passkey)::text as row',
        [text(device.id)],
      );
      const restore = () =>
        server.database.query(
          'insert into passkey select * from json_populate_record(null::passkey, $1::json)',
          [kept.rows[0]!.row],
        );
      await restore();
      const gone = await verifyHeld(11, () =>
        server.database.query('delete from passkey where credential_id = $1', [text(device.id)]),
      );
      expect(gone).toMatchObject({ whose: null, told: [] });
      await restore();
      await server.database.query('delete from passkey where credential_id = $1', [text(other.id)]);
    });
  });

  test('is that of its space and of a user who may sign in, and its use is noted for no other', async () => {
    const second = new Authenticator(server.publicUrl);
    await register(second);
    const counters = async () => {
      const { rows } = await server.database.query<{ text: string }>(
        `select counter || ' ' || (last_used_at is not null) as text from passkey where credential_id = any($1)
         order by counter`,
        [[text(device.id), text(second.id)]],
      );
      return rows.map(({ text }) => text);
    };
    await server.database.query('update passkey set counter = 0, last_used_at = null');
    expect(await verify({ counter: 5 })).toBe(userId);
    expect(await counters()).toEqual(['0 false', '5 true']);
    const next = await server.identity.passkeys.requestOptions(null);
    const bySecond = {
      challenge: issued(next.challenge),
      userId: null,
      alone: true,
      language: 'en',
    } as const;
    const signed = second.sign({ challenge: next.challenge, counter: 7 });
    expect(await server.identity.passkeys.verify(signed, bySecond)).toMatchObject({ userId });
    expect(await counters()).toEqual(['5 true', '7 true']);
    const spaceId = await addSpace(server.database, server.clock);
    const { database, clock, log, publicUrl } = server.options;
    const elsewhere = createPasskeys(
      { database, clock, log, publicUrl, spaceId, nextId: () => spaceId } as unknown as IdentityContext,
      { tokens: {} as never, tellCopied: async () => {} },
    );
    const { challenge } = await server.identity.passkeys.requestOptions(null);
    const answer = device.sign({ challenge, counter: 6 });
    const expected = { challenge: issued(challenge), userId: null, alone: true, language: 'en' } as const;
    expect(await elsewhere.verify(answer, expected)).toBeNull();
    const disable = (disabled: boolean) =>
      server.database.query('update person set disabled = $2 where user_id = $1', [userId, disabled]);
    await disable(true);
    expect(await server.identity.passkeys.verify(answer, expected)).toBeNull();
    await disable(false);
    expect(await server.identity.passkeys.verify(answer, expected)).toMatchObject({ userId });
    // An unknown one is nobody's, although there are others.
    const unknown = new Authenticator(server.publicUrl).sign({ challenge });
    expect(await server.identity.passkeys.verify(unknown, expected)).toBeNull();
    await server.database.query('delete from passkey where credential_id = $1', [text(second.id)]);
    await reset();
  });

  test('is stored with what the browser tells of it, in bounds', async () => {
    const person = { userId: otherId, email, displayName: 'Ken' };
    const transportsOf = async (transports: unknown) => {
      const made = new Authenticator(server.publicUrl);
      const { challenge } = await server.identity.passkeys.creationOptions(person);
      const response = made.make({ challenge });
      const given = { ...response, response: { ...response.response, transports } };
      const id = await server.identity.passkeys.register(
        otherId,
        { displayName: text(made.id), response: given },
        'wrong',
        runTransaction,
      );
      const { rows } = await server.database.query<{ transports: string[]; synced: boolean; user: string }>(
        'select transports, synced, user_id as "user" from passkey where passkey_id = $1',
        [id],
      );
      expect(rows[0]).toMatchObject({ synced: false, user: otherId });
      return rows[0]!.transports;
    };
    expect(await transportsOf(undefined)).toEqual([]);
    expect(await transportsOf(['usb', 7])).toEqual(['usb', '7']);
    expect(await transportsOf(Array.from({ length: 9 }, () => 'x'.repeat(21)))).toEqual(
      Array.from({ length: 8 }, () => 'x'.repeat(20)),
    );
    await server.database.query('delete from passkey where user_id = $1', [otherId]);
  });

  test('that is synced lets its person in whichever device has counted', async () => {
    await server.database.query('update passkey set synced = true');
    expect(await verify({ counter: 5 })).toBe(userId);
    expect(await verify({ counter: 3 })).toBe(userId);
    await server.database.query('update passkey set synced = false');
    await reset();
  });

  // Most passkeys that are shared between devices always send 0.
  test('that does not count its signatures lets its person in again and again', async () => {
    expect(await verify({ counter: 0 })).toBe(userId);
    expect(await verify({ counter: 0 })).toBe(userId);
  });

  test('answers to the challenge of this sign-in, at this origin', async () => {
    expect(await verify({ challenge: text(randomBytes(32)) })).toBeNull();
    expect(await verify({ origin: 'https://evil.example' })).toBeNull();
  });

  test('is made by whoever was asked, once, in time', async () => {
    await expect(register(new Authenticator(server.publicUrl), otherId, userId)).rejects.toMatchObject({
      kind: 'invalid',
    });
    const person = { userId, email, displayName: 'Hana' };
    const { challenge } = await server.identity.passkeys.creationOptions(person);
    const twice = () =>
      server.identity.passkeys.register(
        userId,
        {
          displayName: text(randomBytes(6)),
          response: new Authenticator(server.publicUrl).make({ challenge }),
        },
        'wrong',
        runTransaction,
      );
    await twice();
    await expect(twice()).rejects.toMatchObject({ kind: 'invalid' });
    const { challenge: last } = await server.identity.passkeys.creationOptions(person);
    server.clock.advance(599_999);
    const inTime = new Authenticator(server.publicUrl).make({ challenge: last });
    await server.identity.passkeys.register(
      userId,
      { displayName: 'last', response: inTime },
      'wrong',
      runTransaction,
    );
    const { challenge: late } = await server.identity.passkeys.creationOptions(person);
    server.clock.advance(600_000);
    const response = new Authenticator(server.publicUrl).make({ challenge: late });
    await expect(
      server.identity.passkeys.register(userId, { displayName: 'late', response }, 'wrong', runTransaction),
    ).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('signs in at the page, and guesses of them wait by address', async () => {
    const oidcClient = await createOidcClient(server);
    const browser = new Browser();
    const page = await browser.visit(await oidcClient.start());
    const fields = (passkey: string) => ({ email: '', password: '', passkey });
    const wrong = await browser.submit(page, fields(device.sign({ challenge: text(randomBytes(32)) })));
    expect(wrong.status).toBe(400);
    const next = /"challenge":"([\w-]+)"/.exec(wrong.text.replaceAll('&quot;', '"'))![1]!;
    await server.database.query(`update signin_budget set wait_until = $1 where kind = 'address'`, [
      new Date(server.clock.now() + 20_000).toISOString(),
    ]);
    const waiting = await browser.submit(wrong, fields(device.sign({ challenge: next })));
    expect(waiting.status).toBe(429);
    expect(waiting.headers.get('retry-after')).toBe('20');
    server.clock.advance(20_000);
    const last = /"challenge":"([\w-]+)"/.exec(waiting.text.replaceAll('&quot;', '"'))![1]!;
    const landing = await browser.submit(waiting, fields(device.sign({ challenge: last })));
    expect(landing.url.searchParams.has('code')).toBe(true);
  });

  test('of a person with one is offered as the second step after the password', async () => {
    await server.database.query('delete from passkey where user_id = $1', [userId]);
    device = new Authenticator(server.publicUrl);
    await register(device);
    await server.database.query(
      `insert into person_totp (user_id, space_id, sealed, created_at, enabled_at)
       select user_id, space_id, '', now(), now() from passkey where user_id = $1`,
      [userId],
    );
    const oidcClient = await createOidcClient(server);
    const browser = new Browser();
    const page = await browser.visit(await oidcClient.start());
    const second = await browser.submit(page, { email, password });
    const challenge = /"challenge":"([\w-]+)"/.exec(second.text.replaceAll('&quot;', '"'))?.[1];
    const landing = await browser.submit(second, { passkey: device.sign({ challenge: challenge! }) });
    expect(landing.url.searchParams.has('code')).toBe(true);
  });
});
