// Resource route that creates a session and leads to its page. A form with `document` was sent by a page that was not
// hydrated yet; others get the address of the page, because a reload of their data can cancel a redirect.
import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { session } from '@yagura/core/greac/session';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import type { OpenedSession } from '../open-session-button.tsx';

export async function action(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const destinationId = String(form.get('destinationId') ?? '');
  const remarks = String(form.get('remarks') ?? '');
  const messageId = String(form.get('messageId') ?? '') || null;
  const isDocument = form.get('document') === 'yes';
  return withApi(args, async (api) => {
    try {
      const created = await api.client(session).create({ destinationId, remarks, messageId });
      const opened: OpenedSession = {
        href: `/apps/greac/connect/${created.sessionId}`,
        isDesktop: created.protocol === 'rdp',
      };
      return isDocument ? redirect(opened.href) : { opened };
    } catch (error) {
      // There is no page here: that of the destination says why it failed when its button is used again.
      if (!isDocument) return toProblemResponse(error, {});
      const search = new URLSearchParams({ remarks, ...(messageId ? { messageId } : {}) });
      return redirect(`/apps/greac/destinations/${encodeURIComponent(destinationId)}?${search}`);
    }
  });
}

export function loader() {
  return redirect('/apps/greac/destinations');
}
