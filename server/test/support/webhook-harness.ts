/** Shared helpers of webhook tests: sinks and senders closed after each test, and a request to send. */
import { type HttpSink, type HttpSinkOptions, startHttpSink } from '@yagura/fixtures/sink/http-sink';
import { onTestFinished } from 'vitest';
import { createAddressGuard } from '../../src/delivery/address-guard.ts';
import type { ResolveHost } from '../../src/delivery/dns/resolve-host.ts';
import type { DeliveryMeta } from '../../src/delivery/send-result.ts';
import {
  createWebhookSender,
  type WebhookRequest,
  type WebhookSender,
  type WebhookSenderOptions,
} from '../../src/delivery/webhook-sender.ts';

/** Files share this module: a hook that it set when it is loaded would be the first file's alone. */
export function closeAfterTest(one: { close(): Promise<unknown> }): void {
  onTestFinished(async () => {
    await one.close();
  });
}

/** A web server that records requests and responds as scripted. */
export async function sink(options?: HttpSinkOptions): Promise<HttpSink> {
  const started = await startHttpSink(options);
  closeAfterTest(started);
  return started;
}

interface SenderChoices extends Partial<Omit<WebhookSenderOptions, 'guard'>> {
  allow?: string[];
  resolve?: ResolveHost;
}

/** A sender that may reach this machine, unless configured otherwise. */
export function sender({ allow = ['127.0.0.0/8'], resolve, ...options }: SenderChoices = {}): WebhookSender {
  const guard = createAddressGuard({ allow, resolve });
  const made = createWebhookSender({ guard, userAgent: 'Yagura/test', ...options });
  closeAfterTest(made);
  return made;
}

export const meta: DeliveryMeta = {
  deliveryId: '0198c0de-0000-7000-8000-000000000001',
  timestamp: 1_767_225_600_500,
  attempt: 2,
};

export function post(url: string, rest: Partial<WebhookRequest> = {}): WebhookRequest {
  return { url, method: 'POST', headers: {}, body: '{"a":"あ"}', ...rest };
}

/** A resolver that returns the given address lists in sequence; the last one is repeated. */
export function answers(...lists: string[][]): { resolve: ResolveHost; asked: () => number } {
  let turn = 0;
  return {
    asked: () => turn,
    resolve: async () => {
      const list = lists[Math.min(turn, lists.length - 1)]!;
      turn += 1;
      return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}
