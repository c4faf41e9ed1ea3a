// Resource route with what the mock phone heard in a call.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { problemFromReply } from '@yagura/core/http/problem';
import { mockPhone } from '@yagura/core/pigeon/mock-phone';
import { withApi } from '../../signin/api.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const mockCallId = new URL(args.request.url).searchParams.get('mockCallId') ?? '';
  return withApi(args, async ({ transport }) => {
    const path = `${mockPhone.path}/heard`;
    const reply = await transport.fetch(transport.origin + path, {
      method: 'POST',
      headers: { ...(await transport.headers?.()), 'content-type': 'application/json' },
      body: JSON.stringify({ mockCallId }),
      signal: args.request.signal,
      redirect: 'error',
    });
    if (!reply.ok)
      throw problemFromReply(reply.status, await reply.json().catch(() => undefined), { instance: path });
    return new Response(reply.body, {
      headers: {
        'content-type': 'audio/wav',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    });
  });
}
