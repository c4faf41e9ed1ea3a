// Handles the forms that acknowledge a scope, or withdraw the acknowledgement.
import type { ActionFunctionArgs } from '@remix-run/node';
import { scope } from '@yagura/core/alerthub/scope';
import { type FieldMeta, shapeFields } from '@yagura/core/resource/field';
import { redirectWithNotice, toProblemResponse } from '../../../resource/write/write.server.ts';
import { withApi } from '../../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../../signin/same-origin.server.ts';
import { readForm } from '../../../ui/field/form-data.ts';
import { acknowledgeIntents } from './acknowledge-intents.ts';

/** Fields of the form; the server also gets the time of the status that the user saw. */
export function acknowledgeFields(): Record<string, FieldMeta> {
  const { note } = shapeFields(scope.calls.acknowledge!.body as Parameters<typeof shapeFields>[0]);
  return { note: note! };
}

/** `page` is shown afterwards. Returns undefined if the form has another intent. */
export async function acknowledgeAction(
  args: ActionFunctionArgs,
  form: FormData,
  { scopeId, page }: { scopeId: string; page: string },
) {
  const intent = form.get('intent');
  if (intent !== acknowledgeIntents.acknowledge && intent !== acknowledgeIntents.withdraw) return undefined;
  rejectCrossSiteRequest(args.request, args.context);
  const values = readForm(form, acknowledgeFields());
  return withApi(args, async (api) => {
    try {
      if (intent === acknowledgeIntents.withdraw)
        await api.client(scope).call('unacknowledge', { id: scopeId });
      else {
        const body = { ...values, raisedAt: form.get('raisedAt') };
        await api.client(scope).call('acknowledge', { id: scopeId, body });
      }
    } catch (error) {
      return toProblemResponse(error, values);
    }
    return redirectWithNotice(
      page,
      intent === acknowledgeIntents.withdraw ? 'unacknowledged' : 'acknowledged',
    );
  });
}
