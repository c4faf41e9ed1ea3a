// Passkeys (WebAuthn): registered by a signed-in user, valid as the second step, or alone when the device
// verifies its user.

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Problem } from '@yagura/core/http/problem';
import type { Language } from '@yagura/core/i18n/translator';
import { isoTime } from '../../common/clock.ts';
import type { Database } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import type { VerifiedUser } from '../sign-in/verify-credentials.ts';
import type { OneTimeTokens } from '../tokens/one-time-tokens.ts';
import {
  addUse,
  type CounterVerdict,
  judgeCounter,
  type PasskeyCounter,
  type PasskeyUse,
} from './passkey-counter.ts';

/** A challenge, and when it was issued in milliseconds since the Unix epoch. */
export interface IssuedChallenge {
  text: string;
  issuedAt: number;
}

export interface Passkeys {
  /** Options for creating a passkey; the challenge is valid once, for ten minutes. */
  creationOptions(person: {
    userId: string;
    email: string;
    displayName: string;
  }): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /**
   * Stores a created passkey, in a transaction that `runTransaction` opens, and returns its id. Throws 400 naming
   * `response`; the unique index reports a taken name.
   */
  register(
    userId: string,
    response: { displayName: string; response: unknown },
    wrong: string,
    runTransaction: Database['transaction'],
  ): Promise<string>;
  /** Options for a sign-in with the passkeys of one user, or with any discoverable passkey when null. */
  requestOptions(userId: string | null): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /**
   * The user whose passkey signed this challenge, with their token epoch at that time; null when verification fails.
   * `alone`: it also replaces the password.
   */
  verify(
    answer: string,
    expected: { challenge: IssuedChallenge; userId: string | null; alone: boolean; language: Language },
  ): Promise<VerifiedUser | null>;
  /** Whether any user of the space has a passkey; otherwise passkeys are not offered. */
  inUse(): Promise<boolean>;
}

const challengeLifetimeMs = 10 * 60_000;

interface Row {
  passkeyId: string;
  userId: string;
  credentialId: string;
  publicKey: Buffer;
  transports: AuthenticatorTransport[];
  displayName: string;
}

export function createPasskeys(
  context: IdentityContext,
  deps: {
    tokens: OneTimeTokens;
    tellCopied(userId: string, passkey: string, language: Language): Promise<void>;
  },
): Passkeys {
  const { database, clock, spaceId, publicUrl, nextId, log } = context;
  const { tokens, tellCopied } = deps;
  const { hostname } = new URL(publicUrl);
  const library = () => import('@simplewebauthn/server');

  async function rowsOf(userId: string): Promise<Row[]> {
    const { rows } = await database.query<Row>(`${select} where k.space_id = $1 and k.user_id = $2`, [
      spaceId,
      userId,
    ]);
    return rows;
  }

  /** Of sign-ins at once with one passkey, each is compared with those stored before it. Null if it was deleted meanwhile. */
  async function storeUse(
    { passkeyId }: Row,
    use: PasskeyUse & { issuedAt: number },
  ): Promise<{ verdict: CounterVerdict; user: VerifiedUser } | null> {
    return database.transaction(async (tx) => {
      const { rows } = await tx.query<PasskeyCounter & VerifiedUser & { synced: boolean }>(
        `select k.counter::float8 as counter, k.recent_uses as "recentUses", k.synced,
           p.user_id as "userId", p.token_epoch as epoch
         from passkey k join person p on p.space_id = k.space_id and p.user_id = k.user_id
         where k.space_id = $1 and k.passkey_id = $2 for update of k`,
        [spaceId, passkeyId],
      );
      const [stored] = rows;
      if (!stored) return null;
      const { userId, epoch } = stored;
      const verdict = judgeCounter(stored, use, stored);
      if (verdict === 'accepted') {
        const now = clock.now();
        const next = addUse(stored, use, now);
        await tx.query(
          `update passkey set counter = $3, recent_uses = $4, last_used_at = $5
           where space_id = $1 and passkey_id = $2`,
          [spaceId, passkeyId, next.counter, JSON.stringify(next.recentUses), isoTime(now)],
        );
      }
      return { verdict, user: { userId, epoch } };
    });
  }

  return {
    async creationOptions({ userId, email, displayName }) {
      const { generateRegistrationOptions } = await library();
      const challenge = await tokens.issue(database, {
        purpose: 'passkey',
        userId,
        lifetime: challengeLifetimeMs,
      });
      return generateRegistrationOptions({
        rpName: 'Yagura',
        rpID: hostname,
        userName: email,
        userDisplayName: displayName,
        userID: new Uint8Array(Buffer.from(userId)),
        challenge: new Uint8Array(Buffer.from(challenge)),
        attestationType: 'none',
        excludeCredentials: (await rowsOf(userId)).map(({ credentialId, transports }) => ({
          id: credentialId,
          transports,
        })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      });
    },

    async register(userId, { displayName, response }, wrong, runTransaction) {
      const { verifyRegistrationResponse } = await library();
      const refused = () => new Problem('invalid', { invalidParams: [{ name: 'response', reason: wrong }] });
      const verified = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedOrigin: publicUrl,
        expectedRPID: hostname,
        requireUserVerification: false,
        expectedChallenge: async (challenge) => {
          const token = Buffer.from(challenge, 'base64url').toString();
          return (await tokens.redeem(database, 'passkey', token))?.userId === userId;
        },
      }).catch(() => null);
      if (!verified?.verified) throw refused();
      const { credential, credentialBackedUp } = verified.registrationInfo;
      const passkeyId = nextId();
      return runTransaction(async (tx) => {
        await tx.query(
          `insert into passkey (passkey_id, space_id, user_id, display_name, credential_id, public_key, counter, transports, synced, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
          [
            passkeyId,
            spaceId,
            userId,
            displayName,
            credential.id,
            Buffer.from(credential.publicKey),
            credential.counter,
            (credential.transports ?? []).slice(0, 8).map((one) => String(one).slice(0, 20)),
            credentialBackedUp,
            isoTime(clock.now()),
          ],
        );
        return passkeyId;
      });
    },

    async requestOptions(userId) {
      const { generateAuthenticationOptions } = await library();
      const known = userId === null ? [] : await rowsOf(userId);
      return generateAuthenticationOptions({
        rpID: hostname,
        userVerification: userId === null ? 'required' : 'preferred',
        allowCredentials: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      });
    },

    async verify(answer, { challenge, userId, alone, language }) {
      const response = parseResponse(answer);
      if (!response) return null;
      const { rows } = await database.query<Row>(
        `${select} join person p on p.user_id = k.user_id and p.space_id = k.space_id
         where k.space_id = $1 and k.credential_id = $2 and not p.disabled and ($3::uuid is null or k.user_id = $3)`,
        [spaceId, response.id, userId],
      );
      const [row] = rows;
      if (!row) return null;
      const { verifyAuthenticationResponse } = await library();
      const verified = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge.text,
        expectedOrigin: publicUrl,
        expectedRPID: hostname,
        requireUserVerification: alone,
        credential: {
          id: row.credentialId,
          publicKey: new Uint8Array(row.publicKey),
          // The counter is compared when it is stored, to tell a clone from a response that fails verification.
          counter: 0,
          transports: row.transports,
        },
      }).catch(() => null);
      if (!verified?.verified) return null;
      const counter = verified.authenticationInfo.newCounter;
      const stored = await storeUse(row, {
        challenge: challenge.text,
        counter,
        issuedAt: challenge.issuedAt,
      });
      if (stored?.verdict === 'copied') {
        const passkey = row.displayName;
        log({ level: 'warn', message: 'A passkey may have been copied', userId: row.userId, passkey });
        await tellCopied(row.userId, passkey, language);
      }
      return stored?.verdict === 'accepted' ? stored.user : null;
    },

    async inUse() {
      const { rows } = await database.query('select 1 from passkey where space_id = $1 limit 1', [spaceId]);
      return rows.length > 0;
    },
  };
}

const select = `select k.passkey_id as "passkeyId", k.user_id as "userId", k.credential_id as "credentialId",
  k.public_key as "publicKey", k.display_name as "displayName", k.transports from passkey k`;

/** Base64url; the database rejects some other texts. */
const credentialId = /^[\w-]{1,2048}$/;

function parseResponse(answer: string): AuthenticationResponseJSON | null {
  try {
    const value = JSON.parse(answer) as AuthenticationResponseJSON;
    const isResponse =
      typeof value?.id === 'string' && credentialId.test(value.id) && typeof value.response === 'object';
    return isResponse ? value : null;
  } catch {
    return null;
  }
}
