// Resource route that creates a session and redirects to its page.
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { session } from '@yagura/core/greac/session';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const destinationId = String(form.get('destinationId') ?? '');
  const remarks = String(form.get('remarks') ?? '');
  const messageId = String(form.get('messageId') ?? '') || null;
  return withApi(args, async (api) => {
    try {
      const { sessionId } = await api.client(session).create({ destinationId, remarks, messageId });
      return redirect(`/apps/greac/connect/${sessionId}`);
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}

export function loader() {
  return redirect('/apps/greac/destinations');
}
