// Limits of remote sessions, and the refusals that name them.
import type { StreamCode } from '@yagura/core/greac/stream/gateway-protocol';
import { TranslatableProblem } from '../common/translatable-problem.ts';
import { type TranslatableText, translatable } from '../common/translatable-text.ts';
import type { Queryable } from '../db/database.ts';

export const sessionLimits = {
  /** Sessions that a gateway holds at a time. */
  perGateway: 50,
  /** Connected sessions of a space. */
  perSpace: 200,
  /** Streams attached to one session. */
  viewers: 20,
} as const;

/** A refusal whose title is a code of the stream protocol. */
export class StreamRefusal extends TranslatableProblem {
  readonly code: StreamCode;
  constructor(code: StreamCode, text: TranslatableText) {
    const kind = code === 'CONNECTION_LIMIT_REACHED' ? 'too-many-requests' : 'unavailable';
    super(kindOf[code] ?? kind, text, { title: code });
    this.code = code;
  }
}

const kindOf: Partial<Record<StreamCode, 'conflict' | 'forbidden'>> = {
  SESSION_CLOSED: 'conflict',
  CREDENTIAL_UNREADABLE: 'conflict',
  FORBIDDEN: 'forbidden',
};

/** Throws CONNECTION_LIMIT_REACHED if the gateway or the space has no room for another session. */
export async function checkSessionLimits(db: Queryable, spaceId: string, krokerId: string): Promise<void> {
  const { rows } = await db.query<{ at_gateway: number; of_space: number }>(
    `select (count(*) filter (where kroker_id = $2))::int as at_gateway, count(*)::int as of_space
     from greac_session where space_id = $1 and status = 'opened' and kroker_id is not null`,
    [spaceId, krokerId],
  );
  const { at_gateway: atGateway, of_space: ofSpace } = rows[0]!;
  if (atGateway >= sessionLimits.perGateway)
    throw new StreamRefusal(
      'CONNECTION_LIMIT_REACHED',
      translatable('refusal.kroker-full', { max: sessionLimits.perGateway }),
    );
  if (ofSpace >= sessionLimits.perSpace)
    throw new StreamRefusal(
      'CONNECTION_LIMIT_REACHED',
      translatable('refusal.sessions-full', { max: sessionLimits.perSpace }),
    );
}
