// The address of a space as typed by users, and calls to it before there is a session.
import { Problem } from '@yagura/core/http/problem';
import type { Transport } from '@yagura/core/http/transport';
import { UsageError } from '../command-line/usage-error.ts';
import { quickFetch } from '../http/quick-fetch.ts';
import { networkReasonText } from '../terminal/network-error-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { withReplyCheck } from './check-reply.ts';

/**
 * `example.com`, `https://example.com/` and `https://example.com/apps` all yield the origin
 * `https://example.com`. An error names the source of the address, if given.
 */
export function parseOrigin(address: string, source?: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
    ? address
    : `${/^(localhost|127\.|\[::1\])/.test(address) ? 'http' : 'https'}://${address}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw source
      ? new UsageError('cli.usage.address-from', { address, source })
      : new UsageError('cli.usage.address', { address });
  }
  return url.origin;
}

/** Whether traffic is unencrypted: http to another machine. */
export function isPlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.localhost)$/.test(hostname);
}

/** Transport without a credential; a failure, or a reply from something else than a Yagura server, names the address. */
export function anonymousTransport({ t }: Terminal, origin: string): Transport {
  return {
    origin,
    fetch: withReplyCheck(
      quickFetch,
      (kind, { status }) => new Problem('unreachable', { detail: t(`cli.${kind}-at`, { origin, status }) }),
    ),
    describeFailure: ({ reason, timeoutMs }) =>
      `${origin} (${timeoutMs === undefined ? networkReasonText(reason, t) : t('cli.no-response', { seconds: timeoutMs / 1000 })})`,
  };
}
