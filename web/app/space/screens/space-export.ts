// The export of the space, as a download.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fixedCalls } from '@yagura/core/http/fixed-calls';
import { proxyDownload } from '../hand-on.server.ts';

export const loader = (args: LoaderFunctionArgs) => proxyDownload(args, fixedCalls['space-export'].path);
