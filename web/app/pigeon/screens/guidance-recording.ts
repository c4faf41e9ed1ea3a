// Resource route of a guidance's recorded file: plays, replaces and deletes it.
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { guidance } from '@yagura/core/pigeon/guidance';
import { toProblemResponse } from '../../resource/write/write.server.ts';
import { withApi } from '../../signin/api.server.ts';
import { proxyDownload } from '../../signin/proxy-download.server.ts';
import { proxyUpload } from '../../signin/proxy-upload.server.ts';
import { rejectCrossSiteRequest } from '../../signin/same-origin.server.ts';

const timeoutMs = 60_000;

export function loader(args: LoaderFunctionArgs) {
  const id = encodeURIComponent(args.params.guidanceId ?? '');
  return proxyDownload(args, `${guidance.path}/${id}/recording`);
}

/** A file replaces the recording; any other form deletes it. */
export async function action(args: ActionFunctionArgs) {
  const { request, params } = args;
  rejectCrossSiteRequest(request, args.context);
  return withApi(args, async (api) => {
    const { guidanceId = '' } = params;
    try {
      if (request.headers.get('content-type')?.startsWith('multipart/form-data'))
        await proxyUpload(api, 'guidance-recording-create', { params: { guidanceId }, request, timeoutMs });
      else await api.client(guidance).call('delete-recording', { id: guidanceId });
      return { done: true };
    } catch (error) {
      return toProblemResponse(error, {});
    }
  });
}
