// Streams a part of a session's log to the browser, encrypted as it is stored.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { logKinds } from '@yagura/core/greac/session-parameters';
import { Problem } from '@yagura/core/http/problem';
import { proxyDownload } from '../../signin/proxy-download.server.ts';

export function loader(args: LoaderFunctionArgs) {
  return proxyDownload(args, () => {
    const { sessionId = '', kind = '', part = '' } = args.params;
    if (!(logKinds as readonly string[]).includes(kind)) throw new Problem('not-found');
    const id = encodeURIComponent(sessionId);
    return `/api/internal/apps/greac/sessions/${id}/${kind}-log?part=${encodeURIComponent(part)}`;
  });
}
