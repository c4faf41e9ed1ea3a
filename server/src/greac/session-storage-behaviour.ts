// Files in the storage of a remote session.
import { isRemotePath } from '@yagura/core/greac/destination';
import { session, sessionStorage } from '@yagura/core/greac/session';
import { invalidField } from '@yagura/core/http/problem';
import type { Behaviour } from '../resource/behaviour.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import { findSessionState } from './session-store.ts';
import type { SessionRelay } from './stream/session-relay.ts';
import { requireDestination } from './visible-destination.ts';

export interface StorageServices extends ResourceServices {
  sessionRelay: Pick<SessionRelay, 'listFiles'>;
}

export const sessionStorageBehaviour: Behaviour<typeof sessionStorage, StorageServices> = {
  resource: sessionStorage,
  calls: {
    async files(context) {
      const { database, sessionRelay } = context.services;
      const { path = '/' } = context.query;
      if (typeof path !== 'string' || !isRemotePath(path))
        throw invalidField('path', context.t('greac.remote-path'));
      const sessionId = context.params.sessionId ?? '';
      const found = await findSessionState(database, context, sessionId);
      if (!found) throw itemNotFound(context, session);
      await requireDestination(database, context, found.destinationId);
      const { items, isTruncated } = await sessionRelay.listFiles(found.krokerId, sessionId, path);
      return { items, isTruncated };
    },
  },
};
