// Stores the embedded provider's sessions, grants, codes and refresh tokens.
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { isoTime } from '../../common/clock.ts';
import { sha256 } from '../../common/secrets/server-secret.ts';
import { toStoreJson, toStoreText } from '../../db/store-json.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createRequestFindings, type RequestFindings } from './request-findings.ts';

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
  /** Token epoch of the user named by the payload, at the time of the same snapshot. */
  epoch: number | null;
}

// Every end of all sessions of a user deletes their rows, so a row that is found is of this epoch.
const columns = `payload, consumed_at as "consumedAt", (select p.token_epoch from person p
  where p.space_id = oidc_payload.space_id and p.user_id = (oidc_payload.payload->>'accountId')::uuid) as epoch`;
const statements = {
  find: {
    name: 'identity_payload_find',
    text: `select ${columns} from oidc_payload where space_id = $1 and model = $2 and id = $3`,
  },
  // The locks make it wait for an end of sessions that is under way. An end that begins later finds the row.
  upsert: {
    name: 'identity_payload_upsert',
    text: `insert into oidc_payload (space_id, model, id, payload, grant_id, user_code, uid, expires_at)
      select $1::uuid, $2::text, $3::text, $4::jsonb, $5::text, $6::text, $7::text, $8::timestamptz
      where ($9::int is null or exists (
          select 1 from person where space_id = $1 and user_id = $10::uuid and token_epoch = $9 for share))
        and (not $11::boolean or exists (
          select 1 from oidc_payload where space_id = $1 and model = $2 and id = $3 for update))
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

export interface PayloadAdapterOptions {
  /** Creates the error for a code or token that was used before, unless `reuseInterval` lets it be used again. */
  usedTwice(): Error;
  /** Creates the error for what would be stored for a user whose sessions have ended since the request read them. */
  ended(): Error;
  /** Shared by the adapters of all models. */
  findings?: RequestFindings;
  reuseInterval?: ReuseInterval | undefined;
}

/** A sign-in that our pages have completed, as the result of an interaction. */
interface Login {
  accountId: string;
  /** The user's token epoch at the first step. */
  epoch?: number;
}

/** Adapter of one model. */
export function payloadAdapter(
  context: IdentityContext,
  model: string,
  {
    usedTwice,
    ended,
    reuseInterval,
    findings = createRequestFindings(() => undefined),
  }: PayloadAdapterOptions,
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
    note(row);
    const used = row.consumedAt !== null && !isReusable(row);
    return {
      ...opened(row.payload),
      ...(id === undefined ? {} : { jti: id }),
      ...(used ? { consumed: Math.floor(Date.parse(row.consumedAt!) / 1000) } : {}),
    };
  }

  const loginOf = (payload: AdapterPayload) =>
    (payload.result as { login?: Login } | undefined)?.login ?? undefined;

  function note({ payload, epoch }: Row): void {
    const { accountId } = payload;
    const login = loginOf(payload);
    if (accountId !== undefined && epoch !== null) findings.noteEpoch(accountId, epoch);
    if (login?.epoch !== undefined) findings.noteEpoch(login.accountId, login.epoch);
    if (accountId !== undefined && model === 'Session') findings.noteSession(payload.jti!);
  }

  /** The user that a payload signs in, with the epoch that is still theirs if their sessions have not ended. */
  function signedInBy(payload: AdapterPayload): { userId: string; epoch: number } | null {
    const login = loginOf(payload);
    const userId = login?.accountId ?? payload.accountId;
    const epoch = login?.epoch ?? (userId === undefined ? undefined : findings.epochOf(userId));
    return userId === undefined || epoch === undefined ? null : { userId, epoch };
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
      const user = signedInBy(payload);
      const { rowCount } = await database.query(statements.upsert, [
        spaceId,
        model,
        stored(id),
        toStoreJson(bearerModels.has(model) && !sealedField ? rest : sealed(payload)),
        // An interaction also names a grant, but does not end with it.
        bearerModels.has(model) ? (payload.grantId ?? null) : null,
        payload.userCode ?? null,
        payload.uid ?? null,
        expiresIn ? isoTime(clock.now() + expiresIn * 1000) : null,
        user?.epoch ?? null,
        user?.userId ?? null,
        // A session that was ended by itself, or by signing out in another tab, is not stored again.
        model === 'Session' && findings.hasSession(id),
      ]);
      if (rowCount === 0) throw ended();
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
