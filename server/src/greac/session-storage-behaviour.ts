// Files in the storage of a remote session.
import { isRemotePath } from '@yagura/core/greac/destination';
import { sessionStorage } from '@yagura/core/greac/session';
import type { RemoteFile } from '@yagura/core/greac/stream/viewer-protocol';
import { invalidField } from '@yagura/core/http/problem';
import type { Behaviour } from '../resource/behaviour.ts';
import type { ResourceServices } from '../resource/request-context.ts';
import { findGatewayOf, findSession, sessionNotFound } from './session-store.ts';
import { requireDestination } from './visible-destination.ts';

export interface StorageServices extends ResourceServices {
  sessionRelay: {
    /** Throws a Problem if the session is not connected, or its host does not list the files. */
    listFiles(
      krokerId: string | null,
      sessionId: string,
      path: string,
    ): Promise<{ items: RemoteFile[]; isTruncated: boolean }>;
  };
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
      const found = await findSession(database, context, sessionId);
      if (!found) throw sessionNotFound();
      await requireDestination(database, context, String(found.item.destinationId));
      const { items, isTruncated } = await sessionRelay.listFiles(
        await findGatewayOf(database, sessionId),
        sessionId,
        path,
      );
      return { items, isTruncated };
    },
  },
};
