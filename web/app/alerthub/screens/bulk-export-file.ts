// Hands the file of an export on to the browser.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fixedCalls } from '@yagura/core/http/fixed-calls';
import { fillPath } from '@yagura/core/resource/define-resource';
import { screen } from '../../signin/api.server.ts';
import { kindOf } from '../bulk/tools.server.ts';
import { handOn } from '../hand-on.server.ts';

export async function loader(args: LoaderFunctionArgs) {
  const place = { kind: kindOf(args.params), exportId: args.params.exportId! };
  const path = fillPath(fixedCalls['bulk-export-file'].path, place);
  return screen(args, (api) => handOn(api, path, args.request.signal));
}
