// The export of the space, as a download.
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fixedCalls } from '@yagura/core/http/fixed-calls';
import { handOn } from '../hand-on.server.ts';

export const loader = (args: LoaderFunctionArgs) => handOn(args, fixedCalls['space-export'].path);
