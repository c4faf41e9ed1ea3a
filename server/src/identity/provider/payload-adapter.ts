// Stores the embedded provider's sessions, grants, codes and refresh tokens.
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { isoTime } from '../../common/clock.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import { toStoreJson, toStoreText } from '../../db/store-json.ts';
import type { IdentityContext } from '../identity-context.ts';

/**
 * The id of these models is the secret itself, so only its hash is stored. Session ids come in signed
 * cookies.
 */
const bearerModels = new Set(['AuthorizationCode', 'RefreshToken', 'DeviceCode']);
/**
 * Payload field with the device code, stored encrypted: the browser that approves it finds it by the user
 * code.
 */
const deviceCodeFields: Record<string, string> = { DeviceCode: 'jti', Interaction: 'deviceCode' };

interface Row {
  payload: AdapterPayload;
  consumedAt: string | null;
}

const columns = 'payload, consumed_at as "consumedAt"';
const statements = {
  find: {
    name: 'identity_payload_find',
    text: `select ${columns} from oidc_payload where space_id = $1 and model = $2 and id = $3`,
  },
  upsert: {
    name: 'identity_payload_upsert',
    text: `insert into oidc_payload (space_id, model, id, payload, grant_id, user_code, uid, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (space_id, model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id,
        user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
  },
};

/** Tokens of one client that stay usable for a while after their first use. */
export interface ReuseInterval {
  clientId: string;
  /** Time after the first use in milliseconds. */
  ms: number;
}

/**
 * Adapter of one model. `usedTwice` creates the error for a code or token that was used before, unless
 * `reuseInterval` lets it be used again.
 */
export function payloadAdapter(
  context: IdentityContext,
  model: string,
  usedTwice: () => Error,
  reuseInterval?: ReuseInterval,
): Adapter {
  const { database, clock, spaceId, clearPrincipalCache, secret } = context;
  const sealedField = deviceCodeFields[model];
  // Strangers choose ids and parameters, also with characters that the database rejects.
  const stored = (id: string) =>
    bearerModels.has(model) ? sha256(id).toString('base64url') : toStoreText(id);

  /** First uses after this time do not prevent another one. */
  const reusableSince = () => clock.now() - (reuseInterval?.ms ?? 0);

  function isReusable({ payload, consumedAt }: Row): boolean {
    return (
      reuseInterval !== undefined &&
      payload.clientId === reuseInterval.clientId &&
      consumedAt !== null &&
      Date.parse(consumedAt) > reusableSince()
    );
  }

  function whole(row: Row | undefined, id?: string): AdapterPayload | undefined {
    if (!row) return undefined;
    const used = row.consumedAt !== null && !isReusable(row);
    return {
      ...opened(row.payload),
      ...(id === undefined ? {} : { jti: id }),
      ...(used ? { consumed: Math.floor(Date.parse(row.consumedAt!) / 1000) } : {}),
    };
  }

  function sealed(payload: AdapterPayload): AdapterPayload {
    const value = sealedField && payload[sealedField];
    if (typeof value !== 'string') return payload;
    return { ...payload, [sealedField!]: secret.seal(value, 'device code').toString('base64url') };
  }

  function opened(payload: AdapterPayload): AdapterPayload {
    const value = sealedField && payload[sealedField];
    if (typeof value !== 'string') return payload;
    return {
      ...payload,
      [sealedField!]: secret.open(Buffer.from(value, 'base64url'), 'device code') ?? undefined,
    };
  }

  async function findBy(column: 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    const { rows } = await database.query<Row>(
      `select ${columns} from oidc_payload where space_id = $1 and model = $2 and ${column} = $3`,
      [spaceId, model, toStoreText(value)],
    );
    return whole(rows[0]);
  }

  return {
    async upsert(id, payload, expiresIn) {
      const { jti, ...rest } = payload;
      await database.query(statements.upsert, [
        spaceId,
        model,
        stored(id),
        toStoreJson(bearerModels.has(model) && !sealedField ? rest : sealed(payload)),
        // An interaction also names a grant, but does not end with it.
        bearerModels.has(model) ? (payload.grantId ?? null) : null,
        payload.userCode ?? null,
        payload.uid ?? null,
        expiresIn ? isoTime(clock.now() + expiresIn * 1000) : null,
      ]);
    },
    async find(id) {
      const { rows } = await database.query<Row>(statements.find, [spaceId, model, stored(id)]);
      return whole(rows[0], id);
    },
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (userCode) => findBy('user_code', userCode),
    async consume(id) {
      const { rowCount } = await database.query(
        `update oidc_payload set consumed_at = coalesce(consumed_at, $4)
         where space_id = $1 and model = $2 and id = $3
           and (consumed_at is null or consumed_at > $5 and payload->>'clientId' = $6)`,
        [
          ...[spaceId, model, stored(id), isoTime(clock.now())],
          ...[isoTime(reusableSince()), reuseInterval?.clientId ?? null],
        ],
      );
      if (rowCount === 0) throw usedTwice();
    },
    async destroy(id) {
      await database.query('delete from oidc_payload where space_id = $1 and model = $2 and id = $3', [
        spaceId,
        model,
        stored(id),
      ]);
      if (model === 'Grant') clearPrincipalCache();
    },
    async revokeByGrantId(grantId) {
      await database.query('delete from oidc_payload where space_id = $1 and grant_id = $2', [
        spaceId,
        grantId,
      ]);
    },
  };
}

/**
 * Maximum sign-ins under way, and sessions that nobody has signed in to, that a space keeps of each: strangers
 * create them, from as many networks as they have.
 */
export const maxAnonymous = 10_000;

/** Deletes expired rows in batches of a few thousand, and the oldest anonymous ones above their number. */
export async function sweepPayloads({ database, clock, spaceId }: IdentityContext): Promise<void> {
  for (const model of ['Interaction', 'Session'])
    await database.query(
      `delete from oidc_payload where ctid = any (array(
         select ctid from oidc_payload where space_id = $1 and model = $2 and payload->>'accountId' is null
         order by expires_at desc nulls last offset $3))`,
      [spaceId, model, maxAnonymous],
    );
  const batch = 2_000;
  while (true) {
    const { rowCount } = await database.query(
      `delete from oidc_payload where ctid = any (array(
         select ctid from oidc_payload where space_id = $1 and expires_at < $2 limit $3))`,
      [spaceId, isoTime(clock.now()), batch],
    );
    if (rowCount < batch) return;
  }
}
