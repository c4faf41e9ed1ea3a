// Composes the order with which a gateway opens a session, from the current settings of the destination.

import type { GatewayOrder } from '@yagura/core/greac/stream/gateway-protocol';
import { credential } from '@yagura/core/kroker/credential';
import { lockSpace } from '../../audit/lock-space.ts';
import { isoTime } from '../../common/clock.ts';
import { translatable } from '../../common/translatable-text.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { openBody } from '../../resource/sealing/sealed-fields.ts';
import { checkSessionLimits, StreamRefusal } from '../session-limits.ts';
import { type Destination, requireDestination } from '../visible-destination.ts';

export type OpenOrder = Extract<GatewayOrder, { type: 'open' }>;

/**
 * Assigns the session to the gateway; null if it was assigned before. Throws a `StreamRefusal` if it cannot be opened; then
 * nothing is stored.
 */
export async function assignSession(
  tx: Transaction,
  context: RequestContext,
  sessionId: string,
  krokerId: string,
  destinationId: string,
): Promise<OpenOrder | null> {
  const { spaceId } = context;
  // Sessions of a space are opened one after the other, so that limits hold exactly.
  await lockSpace(tx, spaceId);
  const { rows } = await tx.query<{ status: string; kroker_id: string | null }>(
    'select status, kroker_id from greac_session where space_id = $1 and session_id = $2 for update',
    [spaceId, sessionId],
  );
  const [found] = rows;
  if (found?.status !== 'opened')
    throw new StreamRefusal('SESSION_CLOSED', translatable('refusal.session-closed'));
  if (found.kroker_id !== null) return null;
  await checkSessionLimits(tx, spaceId, krokerId);
  // Its settings may have changed while the assignment waited for others.
  const destination = await requireDestination(tx, context, destinationId);
  if (destination.krokerId !== krokerId)
    throw new StreamRefusal('GATEWAY_AWAY', translatable('refusal.kroker-disconnected'));
  const order = await composeOpenOrder(tx, context, sessionId, destination);
  await tx.query(
    'update greac_session set kroker_id = $2, host = $3, port = $4, updated_at = $5 where session_id = $1',
    [sessionId, krokerId, order.host, order.port, isoTime(context.services.clock.now())],
  );
  return order;
}

/** Takes back the assignment of a session that the gateway was not ordered to open, so that it can be opened later. */
export async function releaseSession(db: Queryable, sessionId: string, krokerId: string): Promise<void> {
  await db.query(
    `update greac_session set kroker_id = null, host = null, port = null
     where session_id = $1 and kroker_id = $2 and status = 'opened'`,
    [sessionId, krokerId],
  );
}

async function composeOpenOrder(
  tx: Queryable,
  context: RequestContext,
  sessionId: string,
  destination: Destination,
): Promise<OpenOrder> {
  const { host, parameters, credentialId, hostKeyPolicy, strictRecording, destinationId } = destination;
  const protocol = destination.protocol;
  const port = destination.port!;
  const recording = await latestLogKey(tx, context.spaceId);
  if (!recording && strictRecording)
    throw new StreamRefusal('RECORDING_FAILED', translatable('refusal.no-log-key-to-record'));
  const pins = await findPins(tx, context.spaceId, { destinationId, host, port });
  return {
    type: 'open',
    ...{ sessionId, protocol, host, port, parameters },
    credential: await findCredential(tx, context, credentialId),
    hostKey: { policy: hostKeyPolicy, pins },
    recording: recording && { ...recording, strict: strictRecording },
    fileTransfer: await fileTransferOf(tx, context, destination, port),
  };
}

async function fileTransferOf(
  tx: Queryable,
  context: RequestContext,
  destination: Destination,
  port: number,
): Promise<OpenOrder['fileTransfer']> {
  const { fileTransfer } = destination;
  const credentialId = fileTransfer.credentialId ?? destination.credentialId;
  if (!fileTransfer.enabled || credentialId === null) return null;
  const { rootDirectory } = fileTransfer;
  return {
    rootDirectory,
    host: fileTransfer.host ?? destination.host,
    port: fileTransfer.port ?? (destination.protocol === 'ssh' ? port : 22),
    credential: (await findCredential(tx, context, credentialId))!,
  };
}

/** Encrypted to the gateway; the server cannot read it. */
async function findCredential(
  tx: Queryable,
  { services, spaceId }: RequestContext,
  credentialId: string | null,
): Promise<string | null> {
  if (credentialId === null) return null;
  const { rows } = await tx.query<{ body: Record<string, unknown> }>(
    `select body from resource where space_id = $1 and kind = 'credential' and id = $2`,
    [spaceId, credentialId],
  );
  const body =
    rows[0] && (openBody(services.sealing, spaceId, credential, rows[0].body) as Record<string, unknown>);
  if (typeof body?.encryptedData !== 'string')
    throw new StreamRefusal('CREDENTIAL_UNREADABLE', translatable('refusal.credential-unreadable'));
  return body.encryptedData;
}

async function latestLogKey(
  tx: Queryable,
  spaceId: string,
): Promise<{ keyId: string; publicKey: string } | null> {
  const { rows } = await tx.query<{ keyId: string; publicKey: string }>(
    `select key_id as "keyId", public_key as "publicKey" from greac_log_key
     where space_id = $1 order by created_at desc, key_id desc limit 1`,
    [spaceId],
  );
  return rows[0] ?? null;
}

interface PinnedHost {
  destinationId: string;
  host: string;
  port: number;
}

/** Fingerprints of the host's keys that were accepted before. */
async function findPins(tx: Queryable, spaceId: string, at: PinnedHost): Promise<string[]> {
  const { rows } = await tx.query<{ fingerprint: string }>(
    `select body->>'fingerprint' as fingerprint from resource
     where space_id = $1 and kind = 'host-key' and parent_id = $2 and body->>'host' = $3 and (body->>'port')::int = $4`,
    [spaceId, at.destinationId, at.host, at.port],
  );
  return rows.map(({ fingerprint }) => fingerprint);
}
