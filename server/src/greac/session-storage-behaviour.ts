// Files in the storage of a remote session.
import { isRemotePath } from '@yagura/core/greac/destination';
import { sessionStorage } from '@yagura/core/greac/session';
import { invalidField, Problem } from '@yagura/core/http/problem';
import type { Behaviour } from '../resource/behaviour.ts';
import { findSession, sessionNotFound } from './session-store.ts';

export const sessionStorageBehaviour: Behaviour<typeof sessionStorage> = {
  resource: sessionStorage,
  calls: {
    async files(context) {
      const { path = '/' } = context.query;
      if (typeof path !== 'string' || !isRemotePath(path))
        throw invalidField('path', context.t('greac.remote-path'));
      const sessionId = context.params.sessionId ?? '';
      if (!(await findSession(context.services.database, context, sessionId))) throw sessionNotFound();
      throw new Problem('not-found', {
        detail: 'the session is not connected, so there are no files to list',
      });
    },
  },
};
