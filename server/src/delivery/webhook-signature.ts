/** Signs webhooks according to the Standard Webhooks specification, version 1 (symmetric). */
import { createHmac } from 'node:crypto';

/**
 * Returns the value of `webhook-signature`: one `v1,<base64>` per secret, separated by spaces, so that a
 * secret can be rotated without interruption. HMAC-SHA256 over `id.timestamp.body`, with the timestamp in
 * whole seconds.
 */
export function signWebhook(
  secrets: readonly Uint8Array[],
  signed: { deliveryId: string; seconds: number; body: string },
): string {
  const content = `${signed.deliveryId}.${signed.seconds}.${signed.body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(content, 'utf8').digest('base64')}`)
    .join(' ');
}
