// Streams an uploaded file to the API; the console stores nothing.
import { problemFromReply } from '@yagura/core/http/problem';
import { fillPath } from '@yagura/core/resource/define-resource';
import {
  type StandaloneCallName,
  type StandaloneReply,
  standaloneCalls,
} from '@yagura/core/standalone-calls';
import type { Api } from './api.server.ts';

/** Sends the request's multipart body to a call that takes a file. Throws Problem. */
export async function proxyUpload<N extends StandaloneCallName>(
  { transport }: Api,
  name: N,
  upload: { params: Record<string, string>; request: Request; timeoutMs: number },
): Promise<StandaloneReply<N>> {
  const { params, request, timeoutMs } = upload;
  const { method, path } = standaloneCalls[name];
  const reply = await transport.fetch(transport.origin + fillPath(path, params), {
    method,
    headers: {
      ...(await transport.headers?.()),
      accept: 'application/json, application/problem+json',
      'content-type': request.headers.get('content-type') ?? '',
    },
    body: request.body,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    redirect: 'error',
    duplex: 'half',
  } as RequestInit);
  const body: unknown = await reply.json().catch(() => undefined);
  if (!reply.ok) throw problemFromReply(reply.status, body, { instance: path });
  return body as StandaloneReply<N>;
}
