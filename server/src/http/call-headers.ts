// Headers of replies that are data for programs: they are not pages, so that they run nothing and are framed by nobody.
import type { OutgoingHttpHeaders } from 'node:http';

export const callHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const satisfies OutgoingHttpHeaders;
