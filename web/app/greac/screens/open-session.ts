// Resource route that creates a session and redirects to its page. A form with `document` was sent by a page that was
// not hydrated yet.
import { type ActionFunctionArgs, redirect, redirectDocument } from '@remix-run/node';
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
      const created = await api.client(session).create({ destinationId, remarks, messageId });
      // See `DesktopDocument`.
      const toPage = created.protocol === 'rdp' ? redirectDocument : redirect;
      return toPage(`/apps/greac/connect/${created.sessionId}`);
    } catch (error) {
      // There is no page here: that of the destination says why it failed when its button is used again.
      if (form.get('document') !== 'yes') return toProblemResponse(error, {});
      const search = new URLSearchParams({ remarks, ...(messageId ? { messageId } : {}) });
      return redirect(`/apps/greac/destinations/${encodeURIComponent(destinationId)}?${search}`);
    }
  });
}

export function loader() {
  return redirect('/apps/greac/destinations');
}
