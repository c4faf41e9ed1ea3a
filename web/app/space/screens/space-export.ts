// Downloads the export of the space.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { standaloneCalls } from '@yagura/core/standalone-calls';
import { proxyDownload } from '../../signin/proxy-download.server.ts';

export const loader = (args: LoaderFunctionArgs) => proxyDownload(args, standaloneCalls['space-export'].path);
