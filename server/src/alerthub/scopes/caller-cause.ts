// The caller as the cause of an event.
import type { EventCause } from '@yagura/core/alerthub/event';
import type { Principal } from '../../identity/principal.ts';

export function callerCause({ kind, userId, displayName, apiTokenId }: Principal): EventCause {
  return { kind, userId, name: displayName, ...(apiTokenId === undefined ? {} : { apiTokenId }) };
}
