// Form actions of a replay: start, poll and cancel.
import type { ActionFunctionArgs } from '@remix-run/node';
import { type ReplayChange, type ReplayState, replay } from '@yagura/core/alerthub/replay';
import { type AnyResource, inputFields } from '@yagura/core/resource/define-resource';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { replayFields } from './replay-fields.ts';

/** Returns whether a posted form is for a replay; leaves the request body readable. */
export async function isReplayRequest(request: Request): Promise<boolean> {
  return String((await request.clone().formData()).get(replayFields.intent) ?? '').startsWith('replay');
}

/** Handles a posted replay form; `target` is what the form changes. */
export async function handleReplay(
  args: ActionFunctionArgs,
  resource: AnyResource,
  target: Pick<ReplayChange, 'kind' | 'id' | 'scopeId'>,
) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  return withApi(
    args,
    async (api): Promise<{ replay: ReplayState } | ReturnType<typeof toProblemResponse>> => {
      try {
        return { replay: await fetchReplayState(api, await startOrFindReplay(api, form, resource, target)) };
      } catch (error) {
        return toProblemResponse(error, {}, { part: 'change.body' });
      }
    },
  );
}

async function startOrFindReplay(
  api: Api,
  form: FormData,
  resource: AnyResource,
  target: Pick<ReplayChange, 'kind' | 'id' | 'scopeId'>,
): Promise<string> {
  const client = api.client(replay);
  const known = String(form.get(replayFields.id) ?? '');
  if (form.get(replayFields.intent) === 'replay-abort') await client.call('abort', { id: known });
  if (form.get(replayFields.intent) !== 'replay') return known;
  const values = readForm(form, inputFields(resource));
  const body = { days: Number(form.get(replayFields.days)), change: { ...target, body: values } };
  return (await client.call<{ replayId: string }>('start', { body })).replayId;
}

function fetchReplayState(api: Api, id: string): Promise<ReplayState> {
  return api.client(replay).call<ReplayState>('state', { id });
}
