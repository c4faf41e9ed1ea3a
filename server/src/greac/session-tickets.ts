// Tickets of streams: a WebSocket of a browser carries no credentials, so the page gets a ticket with its own and
// shows that. A ticket is valid once, for a short time, for one user and session; only its hash is stored.
import { randomBytes } from 'node:crypto';
import { isoTime } from '../common/clock.ts';
import { sha256 } from '../common/secrets/server-secret.ts';
import type { Queryable } from '../db/database.ts';
import type { CallerReference } from '../identity/principal.ts';
import type { RequestContext } from '../resource/request-context.ts';

const ticketLifetimeMs = 30_000;

export interface Ticket {
  sessionId: string;
  viewerId: string;
  caller: CallerReference;
}

/** Creates a ticket for the caller and deletes expired ones. */
export async function insertTicket(
  tx: Queryable,
  context: RequestContext,
  { sessionId, viewerId }: { sessionId: string; viewerId: string },
): Promise<string> {
  const { services, spaceId, principal } = context;
  const now = services.clock.now();
  const ticket = randomBytes(32).toString('base64url');
  await tx.query('delete from greac_ticket where expires_at <= $1', [isoTime(now)]);
  await tx.query(
    `insert into greac_ticket (ticket_hash, space_id, session_id, viewer_id, user_id, grant_id, token_epoch,
       api_token_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      sha256(ticket),
      spaceId,
      sessionId,
      viewerId,
      principal.userId,
      principal.grantId ?? null,
      principal.tokenEpoch ?? null,
      principal.apiTokenId ?? null,
      isoTime(now + ticketLifetimeMs),
    ],
  );
  return ticket;
}

/** Redeems a ticket; null if it is unknown, expired, used, or of another session. */
export async function redeemTicket(
  db: Queryable,
  at: { spaceId: string; sessionId: string; now: number },
  ticket: string,
): Promise<Ticket | null> {
  const { rows } = await db.query<{
    viewer_id: string;
    user_id: string;
    grant_id: string | null;
    token_epoch: number | null;
    api_token_id: string | null;
  }>(
    `delete from greac_ticket where ticket_hash = $1 and space_id = $2 and session_id = $3 and expires_at > $4
     returning viewer_id, user_id, grant_id, token_epoch, api_token_id`,
    [sha256(ticket), at.spaceId, at.sessionId, isoTime(at.now)],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    sessionId: at.sessionId,
    viewerId: row.viewer_id,
    caller: {
      userId: row.user_id,
      grantId: row.grant_id ?? undefined,
      tokenEpoch: row.token_epoch ?? undefined,
      ...(row.api_token_id === null ? {} : { apiTokenId: row.api_token_id }),
    },
  };
}
