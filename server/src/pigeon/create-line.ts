// The line that the configuration asks for, null for none.
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { WebhookSender } from '../delivery/webhook.ts';
import type { Line } from './line.ts';
import { createSimulator, parseHabit } from './simulator.ts';
import { createWebhookLine } from './webhook-line.ts';

export function createLine(
  { pigeon }: Pick<Config, 'pigeon'>,
  parts: { clock: Clock; originOf(spaceId: string): string; sender: Pick<WebhookSender, 'sendWebhook'> },
): Line | null {
  if (pigeon.line === 'simulator') return createSimulator(parts.clock, parseHabit(pigeon.simulator)!);
  if (pigeon.line === 'webhook' && pigeon.webhookUrl && pigeon.webhookSecret)
    return createWebhookLine({ url: pigeon.webhookUrl, secret: pigeon.webhookSecret, ...parts });
  return null;
}
