// Server side of the ring preview: reads the posted form and asks the API.
import type { ActionFunctionArgs } from '@remix-run/node';
import { callflow } from '@yagura/core/pigeon/callflow';
import { chain } from '@yagura/core/pigeon/chain';
import { guidance } from '@yagura/core/pigeon/guidance';
import type { RingPreview } from '@yagura/core/pigeon/ring-preview';
import { inputFields } from '@yagura/core/resource/define-resource';
import { ifPermitted } from '../../resource/if-permitted.server.ts';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { type Api, withApi } from '../../signin/api.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { maxReferenceOptions } from '../../ui/references.ts';
import { variableNames } from '../sample-parameters.ts';
import { previewFields, previewIntent } from './preview-fields.ts';
import type { GuidanceOption } from './ring-preview-panel.tsx';

/** The guidances to choose from, with the variables of their templates; empty if the user may not list them. */
export async function listGuidances(api: Api): Promise<Record<string, GuidanceOption>> {
  const load = () => api.client(guidance).list({ limit: maxReferenceOptions, sort: 'displayName' });
  const { items } = await ifPermitted(api, guidance, 'list', load, { items: [] });
  return Object.fromEntries(
    items.map(({ guidanceId, displayName, messageTemplate, reactions }) => {
      const templates = [messageTemplate, ...Object.values(reactions).map((one) => one.messageTemplate)];
      return [guidanceId, { name: displayName, variables: variableNames(templates.join(' ')) }];
    }),
  );
}

/** What a posted form requests of the panel, if anything; leaves the request body readable. */
export async function requestedIntent(request: Request): Promise<string> {
  return String((await request.clone().formData()).get(previewFields.intent) ?? '');
}

export async function isPreviewRequest(request: Request): Promise<boolean> {
  return (await requestedIntent(request)) === previewIntent;
}

/** Parameters of the chain in a posted form: of the callflow with the posted id, or the one in the form around the panel. */
export function requestedCall(form: FormData) {
  const field = (name: string) => String(form.get(name) ?? '');
  const callflowId = field(previewFields.callflowId);
  return {
    ...(callflowId ? { callflowId } : { callflow: callflowOf(form) }),
    guidanceId: field(previewFields.guidanceId),
    parameters: JSON.parse(field(previewFields.parameters) || '{}') as unknown,
  };
}

/** Previews the requested call. */
export async function handlePreview(args: ActionFunctionArgs) {
  rejectCrossSiteRequest(args.request, args.context);
  const form = await args.request.formData();
  const params = requestedCall(form);
  const assumptions = JSON.parse(String(form.get(previewFields.assumptions) || '{}')) as object;
  return withApi(
    args,
    async (api): Promise<{ preview: RingPreview } | ReturnType<typeof toProblemResponse>> => {
      try {
        const body = { params, ...assumptions };
        return { preview: await api.client(chain).call<RingPreview>('preview', { body }) };
      } catch (error) {
        return toProblemResponse(error, {}, { part: 'callflow' in params ? 'params.callflow' : 'params' });
      }
    },
  );
}

function callflowOf(form: FormData) {
  const { remarks: _remarks, ...inline } = readForm(form, inputFields(callflow));
  return inline;
}
