// Creates the configured line; null when none is configured.
import type { Clock } from '../common/clock.ts';
import type { Config } from '../config/config.ts';
import type { WebhookSender } from '../delivery/webhook-sender.ts';
import type { PhoneLine } from './line.ts';
import { createSimulatedLine, parseSimulatedCallee } from './simulated-line.ts';
import { createWebhookLine } from './webhook-line.ts';

export function createLine(
  { pigeon }: Pick<Config, 'pigeon'>,
  deps: { clock: Clock; originOf(spaceId: string): string; sender: Pick<WebhookSender, 'sendWebhook'> },
): PhoneLine | null {
  if (pigeon.line === 'simulator')
    return createSimulatedLine(deps.clock, parseSimulatedCallee(pigeon.simulator)!);
  if (pigeon.line === 'webhook' && pigeon.webhookUrl && pigeon.webhookSecret)
    return createWebhookLine({ url: pigeon.webhookUrl, secret: pigeon.webhookSecret, ...deps });
  return null;
}
