// Maps a caller to the actor fields of an audit record.
import type { Actor } from './audit-log.ts';

interface Caller {
  kind: 'person' | 'api-token';
  userId: string;
  displayName: string;
  apiTokenId?: string;
}

export function actorOf({ kind, userId, displayName, apiTokenId }: Caller): Actor {
  return { kind, userId, name: displayName, apiTokenId };
}
