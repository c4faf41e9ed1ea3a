// Resource route that speaks a text for the player.
import type { ActionFunctionArgs } from '@remix-run/node';
import { Problem, problemFromReply } from '@yagura/core/http/problem';
import { guidance } from '@yagura/core/pigeon/guidance';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';

const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async ({ transport }) => {
    const path = `${guidance.path}/speech`;
    const reply = await transport.fetch(transport.origin + path, {
      method: 'POST',
      headers: { ...(await transport.headers?.()), 'content-type': 'application/json' },
      body: await args.request.text(),
      signal: args.request.signal,
      redirect: 'error',
    });
    if (reply.ok) return new Response(reply.body, { headers: { ...headers, 'content-type': 'audio/wav' } });
    const problem = problemFromReply(reply.status, await reply.json().catch(() => undefined), {
      instance: path,
    });
    if (problem instanceof Problem && problem.kind === 'sign-in-required') throw problem;
    // Expected without a voice; an error status would be an error in the browser's console.
    return Response.json({ problem: problem.toJSON() }, { headers });
  });
}
