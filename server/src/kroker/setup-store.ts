// Stores pending setups: a machine waits under a code, a user approves or denies it, the machine collects its
// token once.
import { createHash, createPublicKey, randomBytes, randomInt } from 'node:crypto';
import { codeLetters, setupLifetimeMs } from '@yagura/core/kroker/kroker-setup';
import { canonicalKey, type PublicKey } from '@yagura/core/kroker/public-key';
import { lockSpace } from '../audit/lock-space.ts';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { networkPrefixOf } from '../common/network-prefix.ts';
import { type KeyedHash, sha256 } from '../common/secrets/server-secret.ts';
import { TranslatableProblem } from '../common/translatable-problem.ts';
import { translatable } from '../common/translatable-text.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { hasKrokerLog, writeKrokerLog } from './kroker-log.ts';

/** Maximum number of waiting machines, per space and per network. */
const maxWaiting = { space: 50, network: 5 };
const tokenPrefix = 'ykr_';
/** Frequent check-ins are logged once in this time, in milliseconds. */
const logIntervalMs = 60 * 60 * 1000;

export interface PendingSetup {
  setupId: string;
  userCode: string;
  hostName: string;
  publicKey: PublicKey;
  thumbprint: string;
  createdAt: string;
  expiresAt: string;
}

export interface SetupDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  secret: KeyedHash;
  spaceId: string;
}

const columns = `setup_id as "setupId", user_code as "userCode", host_name as "hostName", public_key as "publicKey",
  thumbprint, created_at as "createdAt", expires_at as "expiresAt"`;

/** RFC 7638 thumbprint with SHA-256; null when the point is not on the curve. */
export function thumbprintOf(key: PublicKey): string | null {
  const { crv, kty, x, y } = key;
  try {
    createPublicKey({ key: { crv, kty, x, y }, format: 'jwk' });
  } catch {
    return null;
  }
  return createHash('sha256').update(canonicalKey(key)).digest('base64url');
}

/**
 * Starts a setup. Throws 429 when too many machines of the network are waiting. If too many of the space are, the one
 * that has waited longest in the network with the most gives way, so that nobody can keep others from being set up.
 */
export async function startSetup(
  deps: SetupDeps,
  machine: { publicKey: PublicKey; thumbprint: string; hostName: string; address: string },
): Promise<{ userCode: string; deviceCode: string; expiresAt: string }> {
  const { database, clock, nextId, secret, spaceId } = deps;
  const now = clock.now();
  const addressHash = secret.keyedHash(`kroker set-up ${networkPrefixOf(machine.address)}`);
  const deviceCode = randomBytes(32).toString('base64url');
  const userCode = generateUserCode();
  const expiresAt = isoTime(now + setupLifetimeMs);
  await database.transaction(async (tx) => {
    await lockSpace(tx, spaceId);
    await tx.query('delete from kroker_setup where expires_at <= $1', [isoTime(now)]);
    const { rows } = await tx.query<{ all: number; here: number }>(
      `select count(*)::int as all, (count(*) filter (where address_hash = $2))::int as here
       from kroker_setup where space_id = $1`,
      [spaceId, addressHash],
    );
    const { all, here } = rows[0]!;
    const isFull = all >= maxWaiting.space && !(await endOldestSetup(tx, spaceId));
    if (isFull || here >= maxWaiting.network)
      throw new TranslatableProblem('too-many-requests', translatable('refusal.setups-full'), {
        retryAfter: 60,
      });
    await tx.query(
      `insert into kroker_setup (setup_id, space_id, user_code, device_hash, public_key, thumbprint, host_name, address_hash, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        nextId(),
        spaceId,
        userCode,
        sha256(deviceCode),
        JSON.stringify(machine.publicKey),
        machine.thumbprint,
        machine.hostName,
        addressHash,
        isoTime(now),
        expiresAt,
      ],
    );
  });
  return { userCode, deviceCode, expiresAt };
}

/** Ends the setup that has waited longest of the network with the most; false if all are decided. */
async function endOldestSetup(tx: Transaction, spaceId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from kroker_setup where setup_id = (
       select s.setup_id from kroker_setup s
       where s.space_id = $1 and s.kroker_id is null and not s.denied
       order by (select count(*) from kroker_setup o where o.space_id = $1 and o.address_hash = s.address_hash) desc,
         s.created_at, s.setup_id
       limit 1)`,
    [spaceId],
  );
  return rowCount > 0;
}

/** The machine waiting under a code, undecided and not expired; null when there is none. */
export async function findSetup(
  db: Queryable,
  { clock }: { clock: Clock },
  spaceId: string,
  userCode: string,
): Promise<PendingSetup | null> {
  const { rows } = await db.query<PendingSetup>(
    `select ${columns} from kroker_setup
     where space_id = $1 and user_code = $2 and kroker_id is null and not denied and expires_at > $3 for update`,
    [spaceId, userCode, isoTime(clock.now())],
  );
  return rows[0] ?? null;
}

/** Assigns the machine to a Kroker; it can then collect its token. */
export async function approveSetup(tx: Queryable, setup: PendingSetup, krokerId: string): Promise<void> {
  await tx.query('update kroker_setup set kroker_id = $2 where setup_id = $1', [setup.setupId, krokerId]);
}

export async function denySetup(tx: Queryable, setup: PendingSetup): Promise<void> {
  await tx.query('update kroker_setup set denied = true where setup_id = $1', [setup.setupId]);
}

/** Returns the token for this device code, once; null while undecided. Throws 404 when expired. */
export async function collectToken(
  deps: SetupDeps,
  deviceCode: string,
): Promise<{ krokerId: string; displayName: string; token: string } | null> {
  const { database, clock, spaceId } = deps;
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<PendingSetup & { krokerId: string | null; denied: boolean }>(
      `select ${columns}, kroker_id as "krokerId", denied from kroker_setup
       where space_id = $1 and device_hash = $2 and expires_at > $3 for update`,
      [spaceId, sha256(deviceCode), isoTime(clock.now())],
    );
    const [setup] = rows;
    if (!setup) throw new TranslatableProblem('not-found', translatable('refusal.setup-over'));
    if (setup.denied) throw new TranslatableProblem('forbidden', translatable('refusal.setup-denied'));
    if (!setup.krokerId) return null;
    return { ...(await issueToken(tx, deps, setup, setup.krokerId)), krokerId: setup.krokerId };
  });
}

/**
 * Stores the key and the hash of a new token. Data encrypted to another key is deleted, as nobody can decrypt
 * it.
 */
async function issueToken(
  tx: Transaction,
  deps: SetupDeps,
  setup: PendingSetup,
  krokerId: string,
): Promise<{ displayName: string; token: string }> {
  const { spaceId, clock } = deps;
  const now = isoTime(clock.now());
  const token = tokenPrefix + randomBytes(32).toString('base64url');
  const found = await tx.query<{ displayName: string }>(
    `update resource set updated_at = $3, version = version + 1
     where space_id = $1 and kind = 'kroker' and id = $2 returning body->>'displayName' as "displayName"`,
    [spaceId, krokerId, now],
  );
  if (!found.rows[0]) throw new TranslatableProblem('not-found', translatable('refusal.kroker-deleted'));
  const known = await tx.query<{ thumbprint: string }>(
    'select thumbprint from kroker_state where space_id = $1 and kroker_id = $2 for update',
    [spaceId, krokerId],
  );
  await tx.query(
    `insert into kroker_state (kroker_id, space_id, public_key, thumbprint, token_hash) values ($1, $2, $3, $4, $5)
     on conflict (kroker_id) do update set public_key = excluded.public_key, thumbprint = excluded.thumbprint,
       token_hash = excluded.token_hash`,
    [krokerId, spaceId, JSON.stringify(setup.publicKey), setup.thumbprint, sha256(token)],
  );
  const before = known.rows[0]?.thumbprint;
  if (before !== undefined && before !== setup.thumbprint) {
    await tx.query(
      `update resource set body = body - 'encryptedData', updated_at = $3, version = version + 1
       where space_id = $1 and kind = 'credential' and parent_id = $2 and body ? 'encryptedData'`,
      [spaceId, krokerId, now],
    );
  }
  await tx.query('delete from kroker_setup where setup_id = $1', [setup.setupId]);
  await writeKrokerLog(tx, deps, {
    spaceId,
    krokerId,
    event: before === undefined ? 'set-up' : 'set-up-again',
    subject: setup.hostName,
    user: null,
  });
  return { displayName: found.rows[0].displayName, token };
}

/** Returns the owner of a token and records the check-in; null for an unknown token. */
export async function checkIn(
  deps: SetupDeps,
  token: string,
): Promise<{ krokerId: string; displayName: string; thumbprint: string } | null> {
  const { database, clock, spaceId } = deps;
  if (!token.startsWith(tokenPrefix)) return null;
  const now = clock.now();
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ krokerId: string; displayName: string; thumbprint: string }>(
      `select s.kroker_id as "krokerId", r.body->>'displayName' as "displayName", s.thumbprint
       from kroker_state s join resource r on r.space_id = s.space_id and r.kind = 'kroker' and r.id = s.kroker_id
       where s.space_id = $1 and s.token_hash = $2 for key share of r`,
      [spaceId, sha256(token)],
    );
    const [known] = rows;
    if (!known) return null;
    const { krokerId, displayName } = known;
    // Check-ins at the same time wait here, and find the entry of the first.
    await tx.query('update kroker_state set last_connected_at = $2 where kroker_id = $1', [
      krokerId,
      isoTime(now),
    ]);
    const entry = { spaceId, krokerId, event: 'checked-in', subject: displayName, user: null } as const;
    if (!(await hasKrokerLog(tx, entry, now - logIntervalMs))) await writeKrokerLog(tx, deps, entry);
    return known;
  });
}

function generateUserCode(): string {
  const letters = Array.from({ length: 8 }, () => codeLetters[randomInt(codeLetters.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
