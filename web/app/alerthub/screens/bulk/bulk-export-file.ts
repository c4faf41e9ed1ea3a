// Streams an export's file to the browser.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fillPath } from '@yagura/core/resource/define-resource';
import { standaloneCalls } from '@yagura/core/standalone-calls';
import { proxyDownload } from '../../../signin/proxy-download.server.ts';
import { bulkKindOf } from '../../bulk/tools.server.ts';

export function loader(args: LoaderFunctionArgs) {
  return proxyDownload(args, () =>
    fillPath(standaloneCalls['bulk-export-file'].path, {
      kind: bulkKindOf(args.params),
      exportId: args.params.exportId!,
    }),
  );
}
