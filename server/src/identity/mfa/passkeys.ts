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
    expected: { challenge: string; userId: string | null; alone: boolean; language: Language },
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

  /**
   * Stores the use in one statement, so that of two sign-ins at once the lower counter does not replace the higher.
   * Returns the user, or null unless the counter has grown; passkeys that do not count always send 0.
   */
  async function storeUse({ passkeyId }: Row, counter: number): Promise<VerifiedUser | null> {
    const { rows } = await database.query<VerifiedUser>(
      `update passkey k set counter = $3, last_used_at = $4 from person p
       where k.space_id = $1 and k.passkey_id = $2 and (k.counter < $3 or k.counter = 0 and $3 = 0)
         and p.space_id = k.space_id and p.user_id = k.user_id
       returning p.user_id as "userId", p.token_epoch as epoch`,
      [spaceId, passkeyId, counter, isoTime(clock.now())],
    );
    return rows[0] ?? null;
  }

  /**
   * A counter that does not grow indicates a cloned authenticator (WebAuthn Level 3, 6.1.1): notify the user, unless
   * the passkey was deleted meanwhile.
   */
  async function reportCopy({ passkeyId, userId, displayName }: Row, language: Language): Promise<void> {
    const { rows } = await database.query('select 1 from passkey where space_id = $1 and passkey_id = $2', [
      spaceId,
      passkeyId,
    ]);
    if (rows.length === 0) return;
    log({ level: 'warn', message: 'A passkey may have been copied', userId, passkey: displayName });
    await tellCopied(userId, displayName, language);
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
        expectedChallenge: challenge,
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
      const user = await storeUse(row, verified.authenticationInfo.newCounter);
      if (user === null) await reportCopy(row, language);
      return user;
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
