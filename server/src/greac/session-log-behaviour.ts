// Recordings of closed sessions, for auditors: their parts with verdicts, and downloads.
import { Readable } from 'node:stream';
import { session, sessionLog } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import { Problem } from '@yagura/core/http/problem';
import { isUuid } from '../common/id.ts';
import { type Behaviour, RawReply } from '../resource/behaviour.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import type { RequestContext } from '../resource/request-context.ts';
import { listLogEnds, listLogParts, readLogChunks } from './session-log-store.ts';

const download = (kind: LogKind) => async (context: RequestContext, query: unknown) => {
  const { part } = query as { part: number };
  const { database } = context.services;
  const sessionId = requireSessionId(context);
  const { rows } = await database.query<{ key_id: string }>(
    `select l.key_id from greac_log_chunk l join greac_session s using (session_id)
     where s.space_id = $1 and s.session_id = $2 and s.status = 'closed' and s.logs_deleted_at is null
       and l.kind = $3 and l.part = $4
     order by l.chunk limit 1`,
    [context.spaceId, sessionId, kind, part],
  );
  const [log] = rows;
  if (!log) {
    const isOpen = (await statusOf(context, sessionId)) === 'opened';
    const missing =
      part === 1 ? context.t(`refusal.no-${kind}-log`) : context.t(`refusal.no-${kind}-log-part`, { part });
    throw new Problem('not-found', { detail: isOpen ? context.t('refusal.session-open') : missing });
  }
  const name = `session-${sessionId}-${kind}${part === 1 ? '' : `-${part}`}.age`;
  return new RawReply(Readable.from(readLogChunks(database, context.spaceId, { sessionId, kind, part })), {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'x-log-key': log.key_id,
  });
};

export const sessionLogBehaviour: Behaviour<typeof sessionLog> = {
  resource: sessionLog,
  calls: {
    async 'log-parts'(context) {
      const sessionId = requireSessionId(context);
      const { database } = context.services;
      const status = await statusOf(context, sessionId);
      if (status === undefined) throw itemNotFound(context, session);
      // The parts of an end are stored before it, so it is read before them.
      const ends = await listLogEnds(database, context.spaceId, sessionId);
      const items = await listLogParts(database, context.spaceId, sessionId);
      return { items, ends, isOpen: status === 'opened' };
    },
    'text-log': download('text'),
    'video-log': download('video'),
  },
};

async function statusOf(context: RequestContext, sessionId: string): Promise<string | undefined> {
  const { rows } = await context.services.database.query<{ status: string }>(
    'select status from greac_session where space_id = $1 and session_id = $2',
    [context.spaceId, sessionId],
  );
  return rows[0]?.status;
}

function requireSessionId(context: RequestContext): string {
  const { sessionId } = context.params;
  if (!isUuid(sessionId)) throw itemNotFound(context, session);
  return sessionId;
}
