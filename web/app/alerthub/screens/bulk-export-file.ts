// Hands the file of an export on to the browser.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fixedCalls } from '@yagura/core/http/fixed-calls';
import { fillPath } from '@yagura/core/resource/define-resource';
import { withApi } from '../../signin/api.server.ts';
import { kindOf } from '../bulk/tools.server.ts';
import { proxyDownload } from '../hand-on.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const place = { kind: kindOf(args.params), exportId: args.params.exportId! };
  const path = fillPath(fixedCalls['bulk-export-file'].path, place);
  return withApi(args, (api) => proxyDownload(api, path, args.request.signal));
}
