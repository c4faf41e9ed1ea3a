// Streams a raw message, one of its attachments or its HTML to the browser.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { message } from '@yagura/core/alerthub/message';
import { fillPath } from '@yagura/core/resource/define-resource';
import { proxyDownload } from '../../../signin/proxy-download.server.ts';

const files = new Set(['raw', 'attachment', 'html']);

export async function loader(args: LoaderFunctionArgs) {
  const { messageId, file = '' } = args.params;
  if (!files.has(file)) throw new Response(null, { status: 404 });
  const index = new URL(args.request.url).searchParams.get('index');
  const query = file === 'attachment' ? `?index=${encodeURIComponent(index ?? '')}` : '';
  const path = fillPath(message.itemPath, { messageId }) + message.calls[file]!.path + query;
  return proxyDownload(args, path);
}
