// Server side of the button that starts a call chain.
import type { ActionFunctionArgs } from '@remix-run/node';
import { can } from '@yagura/core/access/permissions';
import { type ChainReply, chain } from '@yagura/core/pigeon/chain';
import { phoneLine } from '@yagura/core/pigeon/phone-line';
import { permissionFor } from '@yagura/core/resource/define-resource';
import { invokeChain } from '@yagura/core/tasks/task-calls';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { getCurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import type { CallLine } from './call-button.tsx';
import { requestedCall } from './ring-preview.server.ts';

/** The line that a call of the user goes over, as far as they may see it; null if they may not call. */
export async function findCallLine(api: Api): Promise<CallLine | null> {
  const user = await getCurrentUser(api);
  if (!can(user.permissions, permissionFor(chain, 'invoke'))) return null;
  if (!resourcePermissions(user, phoneLine).show) return 'unknown';
  const { line } = await api.client(phoneLine).show();
  return line ?? 'none';
}

/** Starts the chain that the posted form requests; `resultId` is that of its result. */
export async function startCall(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const params = requestedCall(await args.request.formData());
  return withApi(args, async (api) => {
    try {
      const { resultId } = await invokeChain<ChainReply>(api.transport, { params });
      return { resultId };
    } catch (error) {
      return toProblemResponse(error, {}, { part: 'params' });
    }
  });
}
