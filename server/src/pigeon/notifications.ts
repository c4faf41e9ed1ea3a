// Sends notifications about a chain's events: queued in the step's transaction, delivered at least once,
// without blocking the engine.

import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { ChainEvent, pigeonNotificationSetting } from '@yagura/core/pigeon/notification-setting';
import type { Item } from '@yagura/core/resource/define-resource';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Log } from '../common/log.ts';
import type { Database, Transaction } from '../db/database.ts';
import { retryAt } from '../delivery/backoff.ts';
import { createPlainMail, type MailRequest } from '../delivery/mail-message.ts';
import type { DeliveryMeta, SendResult } from '../delivery/send-result.ts';
import type { WebhookRequest } from '../delivery/webhook-sender.ts';
import type { Job } from '../jobs/job-queue.ts';
import { QueueWorker } from '../jobs/queue-worker.ts';
import type { ChainStep } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';

type Setting = Item<typeof pigeonNotificationSetting>;

/** Sends one notification; never throws. */
export type SendNotification = (
  kind: Setting['kind'],
  request: WebhookRequest | MailRequest,
  meta: DeliveryMeta,
) => Promise<SendResult>;

export interface NotificationDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  /** Public origin of a space. */
  originOf(spaceId: string): string;
  send: SendNotification;
  random: () => number;
  instance: string;
}

interface Payload {
  kind: Setting['kind'];
  request: WebhookRequest | MailRequest;
  deliveryId: string;
  createdAt: string;
}

export class ChainNotifications {
  private readonly deps: NotificationDeps;
  private readonly worker: QueueWorker<Payload>;

  constructor(deps: NotificationDeps) {
    this.deps = deps;
    this.worker = new QueueWorker<Payload>(deps, {
      queue: 'pigeon-notification',
      maxConcurrent: 16,
      work: (job) => this.sendOne(job),
      failureMessage: 'notifications could not be sent, will be tried again',
    });
  }

  start(): Promise<void> {
    return this.worker.start();
  }

  /** Resolves when no work is in progress or due. */
  idle(): Promise<void> {
    return this.worker.idle();
  }

  close(): Promise<void> {
    return this.worker.close();
  }

  /**
   * Queues the notifications that the space's settings request for this event; the returned function wakes
   * the sender.
   */
  async queue(tx: Transaction, chain: StoredChain, step: ChainStep, event: ChainEvent): Promise<() => void> {
    const { clock, nextId } = this.deps;
    const { rows } = await tx.query<{ body: Setting }>(
      `select body from resource where space_id = $1 and kind = 'pigeon-notification-setting'
         and body->>'disabled' = 'false' and body->'events' ? $2 order by created_at, id`,
      [chain.spaceId, event],
    );
    const now = isoTime(clock.now());
    for (const { body: setting } of rows) {
      const payload: Payload = {
        kind: setting.kind,
        request: await this.requestOf(setting, chain, step, event),
        deliveryId: nextId(),
        createdAt: now,
      };
      await this.worker.queue.add(tx, payload);
    }
    return () => {
      if (rows.length > 0) this.worker.wake();
    };
  }

  private async requestOf(
    setting: Setting,
    chain: StoredChain,
    { state }: ChainStep,
    event: ChainEvent,
  ): Promise<WebhookRequest | MailRequest> {
    const { spaceId, resultId, callflow, guidance } = chain;
    const url = `${this.deps.originOf(spaceId)}/apps/pigeon/results/${resultId}`;
    if (setting.kind === 'webhook') {
      const { status, reason, loop, numberOfCalls, keyInput, startedAt, endedAt } = state;
      const time = (value: number | null) => (value === null ? null : isoTime(value));
      const body = { event, resultId, status, reason, callflow, guidance, loop, numberOfCalls, keyInput };
      return {
        url: setting.webhook?.url ?? '',
        method: 'POST',
        headers: {},
        body: JSON.stringify({
          ...body,
          startedAt: time(startedAt),
          endedAt: time(endedAt),
          createdAt: chain.createdAt,
          url,
        }),
      };
    }
    const [ja, en] = await Promise.all([loadTranslator('ja'), loadTranslator('en')]);
    const values = { callflow: callflow.displayName, guidance: guidance.displayName, resultId, url };
    const happened = event.replace('chain:', '') as ChainEvent extends `chain:${infer Name}` ? Name : never;
    return createPlainMail(setting.emails, {
      subject: `${ja(`pigeon.mail.${happened}`, values)} / ${en(`pigeon.mail.${happened}`, values)}`,
      text: `${ja('pigeon.mail.text', values)}\n\n${en('pigeon.mail.text', values)}\n`,
    });
  }

  private async sendOne(job: Job<Payload>): Promise<void> {
    const { database, clock, log } = this.deps;
    const { kind, request, deliveryId, createdAt } = job.payload;
    const result = await this.deps.send(kind, request, {
      deliveryId,
      attempt: job.attempts,
      timestamp: clock.now(),
    });
    const again = retryAt(result, { attempt: job.attempts, firstAt: createdAt }, this.deps);
    if (result.outcome === 'failed' && again === null)
      log({ level: 'warn', message: 'a notification was given up', deliveryId, reason: result.reason.word });
    await this.worker.queue.settle(database, job, again);
  }
}
