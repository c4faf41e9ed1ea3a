// Form actions of the session pages: join, leave and close.
import { type ActionFunctionArgs, data } from '@remix-run/node';
import { session } from '@yagura/core/greac/session';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';

const intents = ['join', 'leave', 'close', 'close-force'];

export async function sessionAction(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const intent = String((await args.request.formData()).get('intent') ?? '');
  if (!intents.includes(intent)) throw data(null, { status: 400 });
  return withApi(args, async (api) => {
    try {
      await api.client(session).call(intent, { id: args.params.sessionId });
      return { done: intent };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}
