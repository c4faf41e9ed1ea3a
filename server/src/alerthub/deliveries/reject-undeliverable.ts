// Rejects webhooks that no delivery could send, when they are saved; stored ones stay readable.
import type { WebhookParameters } from '@yagura/core/alerthub/action';
import { type InvalidParam, Problem } from '@yagura/core/http/problem';
import { parseOutgoingUrl } from '../../delivery/outgoing-url.ts';
import { findForbiddenHeaders } from '../../delivery/webhook-headers.ts';
import type { RequestContext } from '../../resource/request-context.ts';

type ActionBody = Record<string, unknown>;

/** Names the URL and the headers that a webhook cannot have. */
export function rejectUndeliverableWebhook({ t }: RequestContext, { kind, parameters }: ActionBody): void {
  if (kind !== 'webhook' && kind !== 'webhookOnPremises') return;
  const { url, headers } = parameters as WebhookParameters;
  const invalidParams: InvalidParam[] = [];
  const target = hasTemplateInHost(url) ? 'template' : parseOutgoingUrl(url);
  if (typeof target === 'string')
    invalidParams.push({ name: 'parameters.url', reason: t(`action.url.${target}`) });
  for (const name of findForbiddenHeaders(headers ?? {}))
    invalidParams.push({
      name: `parameters.headers.${name}`,
      reason: t('action.reserved-header', { name }),
    });
  if (invalidParams.length > 0) throw new Problem('invalid', { invalidParams });
}

/** URLs are not templates: in the path braces are sent as they are, but a host with them never resolves. */
function hasTemplateInHost(url: string): boolean {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? '';
  return /[{}]|%7[bd]/i.test(authority);
}
