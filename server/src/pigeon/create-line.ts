// Creates the configured line; null when none is configured.
import type { LineKind } from '@yagura/core/pigeon/result';
import { parseSimulatedCallee } from '@yagura/core/pigeon/simulated-callee';
import type { Clock } from '../common/clock.ts';
import type { WebhookSender } from '../delivery/webhook-sender.ts';
import type { PhoneLine } from './line.ts';
import { createSimulatedLine } from './simulator/simulated-line.ts';
import { createWebhookLine } from './webhook-line.ts';

export interface LineSettings {
  line: LineKind | undefined;
  /** Reaction of a simulated callee whose number does not select one. */
  simulator: string;
  webhookUrl: string | undefined;
  webhookSecret: Uint8Array | undefined;
}

export function createLine(
  settings: LineSettings,
  deps: { clock: Clock; originOf(spaceId: string): string; sender: Pick<WebhookSender, 'sendWebhook'> },
): PhoneLine | null {
  if (settings.line === 'simulator')
    return createSimulatedLine(deps.clock, parseSimulatedCallee(settings.simulator)!);
  if (settings.line === 'webhook' && settings.webhookUrl && settings.webhookSecret)
    return createWebhookLine({ url: settings.webhookUrl, secret: settings.webhookSecret, ...deps });
  return null;
}
