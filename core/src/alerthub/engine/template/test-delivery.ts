// Sample data and labelling of an action's test delivery.
import type { EmailRequest, PigeonRequest, WebhookRequest } from './render-action.ts';

/**
 * The same roots as for a real firing, with sample values. `message` is the view of a stored message, if one
 * is given.
 */
export function testDeliveryContext(options: {
  now: string;
  space: Readonly<Record<string, unknown>>;
  message: Record<string, unknown> | undefined;
}): Record<string, unknown> {
  const nilUuid = '00000000-0000-0000-0000-000000000000';
  const title = 'Drill / 訓練';
  return {
    event: {
      eventId: nilUuid,
      scopeId: nilUuid,
      severityName: 'default',
      delta: 1,
      previousSeverity: 0,
      severity: 1,
      statusBefore: 'normal',
      status: 'warning',
      source: 'api',
      ruleId: null,
      messageId: null,
      createdAt: options.now,
    },
    scope: {
      scopeId: nilUuid,
      displayName: title,
      remarks: '',
      status: 'warning',
      severity: 1,
      thresholds: { warning: 1, incident: 2 },
      recoveryTime: null,
      lastEventAt: options.now,
      attributes: {},
    },
    scopeSeverities: [{ name: 'default', value: 1, status: 'warning' }],
    space: options.space,
    trigger: { triggerId: nilUuid, displayName: title, remarks: '' },
    message: options.message ?? {
      content: { body: title, data: { title } },
      metadata: { requestUrl: '', headers: {} },
      receivedAt: options.now,
      receiveSlotId: nilUuid,
      receiveSlotKind: 'webhook',
    },
  };
}

/** Marks a rendered request, so that recipients can tell a test delivery from an alert. */
export function markTestDelivery(
  kind: string,
  request: WebhookRequest | EmailRequest | PigeonRequest,
): typeof request {
  if (kind === 'email' && 'subject' in request)
    return { ...request, subject: `[Drill / 訓練] ${request.subject}` };
  if ('callflowId' in request) return { ...request, drill: true };
  if ('headers' in request) return { ...request, headers: { ...request.headers, 'x-yagura-drill': 'true' } };
  return request;
}
