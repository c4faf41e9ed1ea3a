// Maps a caller to the actor fields of an audit record.
import type { Actor, RequestOrigin } from './audit-log.ts';

/** Who acts where the configuration or a command on the server does. */
export const byServer: { actor: Actor; from: RequestOrigin } = {
  actor: { kind: 'server', userId: null, name: 'yagura-server' },
  from: { address: '', userAgent: '' },
};

interface Caller {
  kind: 'person' | 'api-token';
  userId: string;
  displayName: string;
  apiTokenId?: string;
  apiTokenName?: string;
}

export function actorOf({ kind, userId, displayName, apiTokenId, apiTokenName }: Caller): Actor {
  return { kind, userId, name: displayName, apiTokenId, apiTokenName };
}
