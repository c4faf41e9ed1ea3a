// Maps a caller to the actor fields of an audit record.
import type { Principal } from '../identity/principal.ts';
import type { Actor } from './audit-log.ts';

export function actorOf({ kind, userId, displayName, apiTokenId }: Principal): Actor {
  return { kind, userId, name: displayName, apiTokenId };
}
