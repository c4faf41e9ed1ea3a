// Two-step verification: one-time passwords of an authenticator app (RFC 6238), recovery codes, remembered browsers.
import { randomInt } from 'node:crypto';
import { invalidField } from '@yagura/core/http/problem';
import { Secret, TOTP } from 'otpauth';
import qrcode from 'qrcode-generator';
import { isoTime } from '../../common/clock.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import { clockToleranceMs } from '../../common/time/clock-tolerance.ts';
import { TranslatableProblem } from '../../common/translatable-problem.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import type { IdentityContext } from '../identity-context.ts';
import { newLinkToken } from '../tokens/one-time-tokens.ts';

export interface MfaStatus {
  enabled: boolean;
  enabledAt: string | null;
  recoveryCodesLeft: number;
  passkeys: number;
  rememberedBrowsers: number;
}

/** Setup data for an authenticator app; shown until confirmed, then never again. */
export interface TotpSetup {
  secret: string;
  uri: string;
  /** The URI as a QR code (SVG). */
  qrCode: string;
}

export interface Totp {
  state(userId: string, db?: Queryable): Promise<MfaStatus>;
  /** Creates a new secret that is not yet active. Throws 409 when one is active. */
  prepare(userId: string, email: string): Promise<TotpSetup>;
  /**
   * Activates the prepared secret and returns ten recovery codes. Throws 400 naming `code`, 409 when a secret is active.
   * `tx` is a transaction of the caller.
   */
  enable(userId: string, code: string, wrong: string, tx?: Transaction): Promise<string[]>;
  /**
   * Deletes the secret, the recovery codes and the remembered browsers. Returns false when it was off. `tx` is a
   * transaction of the caller.
   */
  disable(userId: string, tx?: Transaction): Promise<boolean>;
  /**
   * Returns ten new recovery codes; earlier ones become invalid. Throws 409 while two-step verification is
   * off.
   */
  regenerate(userId: string, tx: Transaction): Promise<string[]>;
  /** Uses up an app code or a recovery code; null when it is neither, or was used before. */
  check(userId: string, code: string): Promise<'app' | 'recovery-code' | null>;
  isEnabled(userId: string): Promise<boolean>;
  /** Creates the token for this browser's cookie; null while two-step verification is off. */
  remember(userId: string, db?: Queryable): Promise<string | null>;
  isRemembered(userId: string, token: string): Promise<boolean>;
  forgetBrowsers(userId: string, db: Queryable): Promise<number>;
  sweep(): Promise<void>;
}

const alreadyOn = () => new TranslatableProblem('conflict', translatable('factor.already-on'));
const periodSeconds = 30;
/** Codes of this many steps before and after now are taken. */
const acceptedSteps = 1;
const recoveryCodeCount = 10;
export const rememberedDays = 30;
/** Crockford's alphabet without look-alike characters. */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';

const stepAt = (milliseconds: number) => Math.floor(milliseconds / 1000 / periodSeconds);

export function createTotp(
  context: Pick<IdentityContext, 'database' | 'clock' | 'spaceId' | 'secret'>,
): Totp {
  const { database, clock, spaceId, secret } = context;
  const labelOf = (userId: string) => `totp ${userId}`;
  const hashOf = (userId: string, code: string) => secret.keyedHash(`recovery code ${userId} ${code}`);
  const generator = (base32: string) =>
    new TOTP({
      issuer: 'Yagura',
      algorithm: 'SHA1',
      digits: 6,
      period: periodSeconds,
      secret: Secret.fromBase32(base32),
    });

  async function secretOf(
    userId: string,
    db: Queryable = database,
  ): Promise<{ base32: string; enabled: boolean } | null> {
    const { rows } = await db.query<{ sealed: Buffer; enabled: boolean }>(
      `select sealed, enabled_at is not null as enabled from person_totp where space_id = $1 and user_id = $2`,
      [spaceId, userId],
    );
    const [row] = rows;
    const base32 = row && secret.open(row.sealed, labelOf(userId));
    return row && base32 ? { base32, enabled: row.enabled } : null;
  }

  /**
   * Takes a valid code unless a code of this or a later step was used before. A step that only a clock ahead can have
   * written does not count, or no code would be taken until that time.
   */
  async function useStep(
    userId: string,
    base32: string,
    code: string,
    db: Queryable = database,
  ): Promise<boolean> {
    const now = clock.now();
    const delta = generator(base32).validate({ token: code, window: acceptedSteps, timestamp: now });
    if (delta === null) return false;
    const step = stepAt(now) + delta;
    const { rowCount } = await db.query(
      `update person_totp set last_step = $3
       where space_id = $1 and user_id = $2 and (last_step < $3 or last_step > $4)`,
      [spaceId, userId, step, stepAt(now + clockToleranceMs) + acceptedSteps],
    );
    return rowCount > 0;
  }

  /** Changes of the second step of one user run one after the other. */
  async function lockUser(tx: Queryable, userId: string): Promise<void> {
    await tx.query('select 1 from person_totp where space_id = $1 and user_id = $2 for update', [
      spaceId,
      userId,
    ]);
  }

  async function newCodes(tx: Queryable, userId: string): Promise<string[]> {
    const made = Array.from({ length: recoveryCodeCount }, generateRecoveryCode);
    await tx.query('delete from recovery_code where space_id = $1 and user_id = $2', [spaceId, userId]);
    await tx.query(
      `insert into recovery_code (space_id, user_id, code_hash) select $1, $2, unnest($3::bytea[])`,
      [spaceId, userId, made.map((code) => hashOf(userId, plainCode(code)))],
    );
    return made;
  }

  return {
    async state(userId, db = database) {
      const { rows } = await db.query<Omit<MfaStatus, 'enabled'>>(
        `select
           (select enabled_at from person_totp where space_id = $1 and user_id = $2) as "enabledAt",
           (select count(*)::int from recovery_code where space_id = $1 and user_id = $2) as "recoveryCodesLeft",
           (select count(*)::int from passkey where space_id = $1 and user_id = $2) as passkeys,
           (select count(*)::int from remembered_browser
            where space_id = $1 and user_id = $2 and expires_at > $3) as "rememberedBrowsers"`,
        [spaceId, userId, isoTime(clock.now())],
      );
      return { ...rows[0]!, enabled: rows[0]!.enabledAt !== null };
    },

    async prepare(userId, email) {
      const base32 = new Secret({ size: 20 }).base32;
      const { rowCount } = await database.query(
        `insert into person_totp (user_id, space_id, sealed, created_at) values ($2, $1, $3, $4)
         on conflict (user_id) do update set sealed = excluded.sealed, created_at = excluded.created_at, last_step = 0
         where person_totp.enabled_at is null`,
        [spaceId, userId, secret.seal(base32, labelOf(userId)), isoTime(clock.now())],
      );
      if (rowCount === 0) throw alreadyOn();
      const totp = generator(base32);
      totp.label = email;
      const uri = totp.toString();
      return { secret: base32, uri, qrCode: renderQrCode(uri) };
    },

    async enable(userId, code, wrong, tx) {
      const enableIn = async (db: Queryable) => {
        await lockUser(db, userId);
        const found = await secretOf(userId, db);
        if (found?.enabled) throw alreadyOn();
        if (!found || !(await useStep(userId, found.base32, plainCode(code), db)))
          throw invalidField('code', wrong);
        await db.query('update person_totp set enabled_at = $3 where space_id = $1 and user_id = $2', [
          spaceId,
          userId,
          isoTime(clock.now()),
        ]);
        return newCodes(db, userId);
      };
      return tx ? enableIn(tx) : database.transaction(enableIn);
    },

    async disable(userId, tx) {
      const disableIn = async (db: Queryable) => {
        await lockUser(db, userId);
        for (const table of ['recovery_code', 'remembered_browser'])
          await db.query(`delete from ${table} where space_id = $1 and user_id = $2`, [spaceId, userId]);
        const { rowCount } = await db.query('delete from person_totp where space_id = $1 and user_id = $2', [
          spaceId,
          userId,
        ]);
        return rowCount > 0;
      };
      return tx ? disableIn(tx) : database.transaction(disableIn);
    },

    async regenerate(userId, tx) {
      await lockUser(tx, userId);
      const found = await secretOf(userId, tx);
      if (!found?.enabled) throw new TranslatableProblem('conflict', translatable('factor.already-off'));
      return newCodes(tx, userId);
    },

    async check(userId, code) {
      const typedCode = plainCode(code);
      const found = await secretOf(userId);
      if (!found?.enabled) return null;
      if (/^\d{6}$/.test(typedCode)) return (await useStep(userId, found.base32, typedCode)) ? 'app' : null;
      const { rowCount } = await database.query(
        'delete from recovery_code where space_id = $1 and user_id = $2 and code_hash = $3',
        [spaceId, userId, hashOf(userId, typedCode)],
      );
      return rowCount > 0 ? 'recovery-code' : null;
    },

    async isEnabled(userId) {
      const { rows } = await database.query(
        'select 1 from person_totp where space_id = $1 and user_id = $2 and enabled_at is not null',
        [spaceId, userId],
      );
      return rows.length > 0;
    },

    async remember(userId, db = database) {
      const token = newLinkToken();
      const now = clock.now();
      // The lock makes it wait for turning off, which deletes the browsers remembered so far.
      const { rowCount } = await db.query(
        `insert into remembered_browser (token_hash, space_id, user_id, expires_at, created_at)
         select $1::bytea, space_id, user_id, $4::timestamptz, $5::timestamptz from person_totp
         where space_id = $2 and user_id = $3 and enabled_at is not null for share`,
        [sha256(token), spaceId, userId, isoTime(now + rememberedDays * 86_400_000), isoTime(now)],
      );
      return rowCount > 0 ? token : null;
    },

    async isRemembered(userId, token) {
      const { rows } = await database.query(
        `select 1 from remembered_browser
         where space_id = $1 and user_id = $2 and token_hash = $3 and expires_at > $4`,
        [spaceId, userId, sha256(token), isoTime(clock.now())],
      );
      return rows.length > 0;
    },

    async forgetBrowsers(userId, db) {
      const { rowCount } = await db.query(
        'delete from remembered_browser where space_id = $1 and user_id = $2',
        [spaceId, userId],
      );
      return rowCount;
    },

    async sweep() {
      await database.query('delete from remembered_browser where space_id = $1 and expires_at < $2', [
        spaceId,
        isoTime(clock.now()),
      ]);
    },
  };
}

/** Generates a code of two groups of five letters and digits, about 49 bits. */
function generateRecoveryCode(): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${group()}-${group()}`;
}

/** Normalizes a code for comparison: users type spaces, dashes and capitals. */
function plainCode(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase().slice(0, 64);
}

function renderQrCode(text: string): string {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  return code.createSvgTag({ cellSize: 4, margin: 8, scalable: true });
}
