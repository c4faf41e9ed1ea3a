// Resource route that attaches the user to a session; the browser then opens the stream with the ticket.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { session } from '@yagura/core/greac/session';
import { Problem } from '@yagura/core/http/problem';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';

const headers = { 'cache-control': 'no-store' };

/** Tells a viewer who came back too late why the session was closed. */
export async function loader(args: LoaderFunctionArgs) {
  return withApi(args, async (api) => {
    const { closeReason } = await api.client(session).show(args.params.sessionId);
    return Response.json({ closeReason }, { headers });
  });
}

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  return withApi(args, async (api) => {
    try {
      const attachment = await api.client(session).call('attach', { id: args.params.sessionId });
      return Response.json({ attachment }, { headers });
    } catch (error) {
      if (!(error instanceof Problem) || error.kind === 'sign-in-required') throw error;
      // Expected where no gateway is connected; an error status would be an error in the browser's console.
      return Response.json({ problem: error.toJSON() }, { headers });
    }
  });
}
