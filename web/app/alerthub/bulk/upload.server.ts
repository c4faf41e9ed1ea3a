// Streams an uploaded file to the API; the console stores nothing.
import type { BulkImport } from '@yagura/core/alerthub/bulk/bulk-job';
import type { BulkKindName } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { problemFromReply } from '@yagura/core/http/problem';
import { fillPath } from '@yagura/core/resource/define-resource';
import { standaloneCalls } from '@yagura/core/standalone-calls';
import type { Api } from '../../signin/api.server.ts';

/** Upload timeout in milliseconds; planning a large file takes minutes. */
export const uploadTimeoutMs = 15 * 60_000;

/** Creates an import plan from the request's multipart body. Throws Problem. */
export async function forwardUpload(api: Api, kind: BulkKindName, request: Request): Promise<BulkImport> {
  const { transport } = api;
  const { method, path } = standaloneCalls['bulk-import-create'];
  const reply = await transport.fetch(transport.origin + fillPath(path, { kind }), {
    method,
    headers: {
      ...(await transport.headers?.()),
      accept: 'application/json, application/problem+json',
      'content-type': request.headers.get('content-type') ?? '',
    },
    body: request.body,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(uploadTimeoutMs)]),
    redirect: 'error',
    duplex: 'half',
  } as RequestInit);
  const body: unknown = await reply.json().catch(() => undefined);
  if (!reply.ok) throw problemFromReply(reply.status, body, { instance: path });
  return body as BulkImport;
}
