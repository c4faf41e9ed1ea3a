// Creates the configured line; null when none is configured.
import type { LineKind } from '@yagura/core/pigeon/result';
import { parseSimulatedCallee } from '@yagura/core/pigeon/simulated-callee';
import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/log.ts';
import type { Queryable } from '../db/database.ts';
import type { WebhookSender } from '../delivery/webhook-sender.ts';
import type { PhoneLine } from './line.ts';
import { createSimulatedLine } from './simulator/simulated-line.ts';
import { SipLine } from './sip-line/sip-line.ts';
import type { SipSettings } from './sip-line/sip-settings.ts';
import type { SpeechRenderer } from './voice/speech-renderer.ts';
import { createWebhookLine } from './webhook-line/webhook-line.ts';

export interface LineSettings {
  line: LineKind | undefined;
  /** Reaction of a simulated callee whose number does not select one. */
  simulator: string;
  webhookUrl: string | undefined;
  webhookSecret: Uint8Array | undefined;
  sip: SipSettings | undefined;
}

export interface LineDeps {
  clock: Clock;
  log: Log;
  database: Queryable;
  speech: SpeechRenderer;
  originOf(spaceId: string): string;
  sender: Pick<WebhookSender, 'sendWebhook'>;
}

export function createLine(settings: LineSettings, deps: LineDeps): PhoneLine | null {
  if (settings.line === 'simulator')
    return createSimulatedLine(deps.clock, parseSimulatedCallee(settings.simulator)!);
  if (settings.line === 'webhook' && settings.webhookUrl && settings.webhookSecret)
    return createWebhookLine({ url: settings.webhookUrl, secret: settings.webhookSecret, ...deps });
  if (settings.line === 'sip' && settings.sip) return new SipLine({ ...deps, settings: settings.sip });
  return null;
}
