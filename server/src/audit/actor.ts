// Maps a caller to the actor fields of an audit record.
import type { Actor } from './audit-log.ts';

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
