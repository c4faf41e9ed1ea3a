// Hands the file of an export on to the browser, piece by piece.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fixedCalls } from '@yagura/core/http/fixed-calls';
import { problemFromReply } from '@yagura/core/http/problem';
import { fillPath } from '@yagura/core/resource/define-resource';
import { screen } from '../../signin/api.server.ts';
import { kindOf } from '../bulk/tools.server.ts';

const kept = ['content-type', 'content-disposition', 'content-length', 'x-content-type-options'];

export async function loader(args: LoaderFunctionArgs) {
  return screen(args, async ({ transport }) => {
    const { method, path } = fixedCalls['bulk-export-file'];
    const place = { kind: kindOf(args.params), exportId: args.params.exportId! };
    const reply = await transport.fetch(transport.origin + fillPath(path, place), {
      method,
      headers: await transport.headers?.(),
      signal: args.request.signal,
      redirect: 'error',
    });
    if (!reply.ok) {
      const body: unknown = await reply.json().catch(() => undefined);
      throw problemFromReply(reply.status, body, { instance: path });
    }
    const headers = new Headers({ 'cache-control': 'no-store' });
    for (const name of kept) {
      const value = reply.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    return new Response(reply.body, { headers });
  });
}
