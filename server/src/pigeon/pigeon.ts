// Composes Pigeon: line, chain engine, notifications, and the entry point for AlertHub actions.
import type { FeatureGate } from '@yagura/core/access/features';
import type { PigeonRequest } from '@yagura/core/alerthub/engine/template/render-action';
import type { Clock } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database } from '../db/database.ts';
import { createAddressGuard } from '../delivery/address-guard.ts';
import type { MailRequest } from '../delivery/mail-message.ts';
import { type DeliveryMeta, failedResult, type SendResult } from '../delivery/send-result.ts';
import { createWebhookSender, type WebhookRequest } from '../delivery/webhook-sender.ts';
import type { StoreAcknowledgement } from './acknowledge-event.ts';
import { ChainRunner } from './chain-runner.ts';
import { createLine, type LineSettings } from './create-line.ts';
import { MockPhone } from './mock-phone/mock-phone.ts';
import type { PhoneAddress } from './mock-phone/phone-messages.ts';
import { ChainNotifications } from './notifications.ts';
import { startChain } from './start-chain.ts';
import { createSpeechRenderer } from './voice/create-speech-renderer.ts';
import type { SpeechRenderer } from './voice/speech-renderer.ts';
import type { VoiceSettings } from './voice/voice-settings.ts';

/** The fields of a delivery needed to hand it over. */
interface ActionDelivery {
  spaceId: string;
  actionRecordId: string;
  request: unknown;
}

export interface PigeonConfig {
  pigeon: LineSettings & {
    maxConcurrentChains: number;
    voice: VoiceSettings;
    mockPhone?: PhoneAddress | undefined;
  };
  outboundAllow: string[];
  contract: FeatureGate;
}

export interface PigeonDeps {
  config: PigeonConfig;
  /** Public origin of a space. */
  originOf(spaceId: string): string;
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  version: string;
  /** The server's mail sender. */
  mailer: { sendMail(request: MailRequest, meta: DeliveryMeta): Promise<SendResult> };
  storeAcknowledgement: StoreAcknowledgement;
  random: () => number;
  instance: string;
}

export interface Pigeon {
  runner: ChainRunner;
  notifications: ChainNotifications;
  speech: SpeechRenderer;
  /** Null if none is configured. */
  mockPhone: MockPhone | null;
  /** Starts the chain of an AlertHub action, once however often it is handed over; never throws. */
  startFromDelivery(delivery: ActionDelivery): Promise<SendResult>;
  start(): Promise<void>;
  close(): Promise<void>;
}

export function createPigeon(deps: PigeonDeps): Pigeon {
  const { config, version, mailer, database, clock, nextId, log } = deps;
  const guard = createAddressGuard({ allow: config.outboundAllow });
  const userAgent = `Yagura/${version}`;
  const webhooks = createWebhookSender({ guard, userAgent });
  const speech = createSpeechRenderer({ ...deps, settings: config.pigeon.voice, guard, userAgent });
  const notifications = new ChainNotifications({
    ...deps,
    send: (kind, request, meta) =>
      kind === 'email'
        ? mailer.sendMail(request as MailRequest, meta)
        : webhooks.sendWebhook(request as WebhookRequest, meta),
  });
  const runner = new ChainRunner({
    ...deps,
    line: createLine(config.pigeon, { ...deps, speech, sender: webhooks }),
    maxConcurrentChains: config.pigeon.maxConcurrentChains,
    notify: (tx, chain, state, event) => notifications.queue(tx, chain, state, event),
  });
  const { mockPhone: address } = config.pigeon;
  const mockPhone = address ? new MockPhone({ ...deps, address }) : null;
  async function handOver({ spaceId, actionRecordId, request }: ActionDelivery): Promise<SendResult> {
    const { callflowId, guidanceId, parameters, drill: isTestDelivery = false } = request as PigeonRequest;
    try {
      const invoked = await startChain(
        { database, clock, nextId, runner, speech },
        {
          spaceId,
          params: { callflowId, guidanceId, parameters },
          source: 'trigger',
          actionRecordId,
          isTestDelivery,
          mayTransfer: config.contract.allowsFeature('pigeon-transfer'),
        },
      );
      if ('rejected' in invoked)
        return failedResult(
          invoked.rejected.word,
          (invoked.rejected.params ?? {}) as Record<string, string>,
          {
            retry: false,
          },
        );
      const reason: SendResult['reason'] = {
        word: 'pigeon.handed-over',
        params: { resultId: invoked.resultId },
      };
      return { outcome: 'succeeded', retry: false, statusCode: null, reason, reply: null };
    } catch (error) {
      log({
        level: 'warn',
        message: 'a chain could not be started, will be tried again',
        ...errorFields(error),
      });
      return failedResult('delivery.connection', { detail: 'STORE' }, { retry: true });
    }
  }
  return {
    runner,
    notifications,
    speech,
    mockPhone,
    startFromDelivery: handOver,
    async start() {
      mockPhone?.start();
      await notifications.start();
      await runner.start();
    },
    async close() {
      await runner.close();
      await mockPhone?.close();
      await notifications.close();
      await webhooks.close();
      await speech.close();
    },
  };
}
