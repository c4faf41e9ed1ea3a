// Sends notifications about a chain's events: queued in the step's transaction, delivered at least once,
// without blocking the engine.

import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Translate } from '@yagura/core/i18n/translator';
import type { ChainEvent, pigeonNotificationSetting } from '@yagura/core/pigeon/notification-setting';
import type { Item } from '@yagura/core/resource/define-resource';
import { isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import type { Transaction } from '../db/database.ts';
import { createPlainMail, type MailRequest } from '../delivery/mail-message.ts';
import { Outbox, type OutboxDeps } from '../delivery/outbox.ts';
import type { DeliveryMeta, SendResult } from '../delivery/send-result.ts';
import type { WebhookRequest } from '../delivery/webhook-sender.ts';
import type { CallChainState } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';

type Setting = Item<typeof pigeonNotificationSetting>;

/** What notifications tell of a chain. */
export type NotifiedChain = Pick<StoredChain, 'resultId' | 'spaceId' | 'callflow' | 'guidance' | 'createdAt'>;
export type NotifiedState = Pick<
  CallChainState,
  'status' | 'reason' | 'loop' | 'numberOfCalls' | 'keyInput' | 'startedAt' | 'endedAt'
>;

/** Sends one notification; never throws. */
export type SendNotification = (
  kind: Setting['kind'],
  request: WebhookRequest | MailRequest,
  meta: DeliveryMeta,
) => Promise<SendResult>;

export interface NotificationDeps extends OutboxDeps {
  nextId: NextId;
  /** Public origin of a space. */
  originOf(spaceId: string): string;
  send: SendNotification;
}

interface Payload {
  kind: Setting['kind'];
  request: WebhookRequest | MailRequest;
  deliveryId: string;
  createdAt: string;
}

export class ChainNotifications {
  private readonly deps: NotificationDeps;
  private readonly outbox: Outbox<Payload>;

  constructor(deps: NotificationDeps) {
    this.deps = deps;
    this.outbox = new Outbox<Payload>(deps, {
      queue: 'pigeon-notification',
      maxConcurrent: 16,
      failureMessage: 'a notification of a call was not sent',
      read: async ({ kind, request, deliveryId, createdAt }) => ({
        id: deliveryId,
        createdAt,
        send: (meta) => deps.send(kind, request, meta),
      }),
    });
  }

  start(): Promise<void> {
    return this.outbox.start();
  }

  /** Resolves when no work is in progress or due. */
  idle(): Promise<void> {
    return this.outbox.idle();
  }

  close(): Promise<void> {
    return this.outbox.close();
  }

  /**
   * Queues the notifications that the space's settings request for this event; the returned function wakes
   * the sender.
   */
  async queue(
    tx: Transaction,
    chain: NotifiedChain,
    state: NotifiedState,
    event: ChainEvent,
  ): Promise<() => void> {
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
        request: await this.requestOf(setting, chain, state, event),
        deliveryId: nextId(),
        createdAt: now,
      };
      await this.outbox.add(tx, chain.spaceId, payload);
    }
    return () => {
      if (rows.length > 0) this.outbox.wake();
    };
  }

  private async requestOf(
    setting: Setting,
    chain: NotifiedChain,
    state: NotifiedState,
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
    const text = (t: Translate) =>
      [
        t('pigeon.mail.text', values),
        ...(state.reason === null ? [] : [t('pigeon.mail.reason', { reason: t(`value.${state.reason}`) })]),
      ].join('\n');
    const happened = event.replace('chain:', '') as ChainEvent extends `chain:${infer Name}` ? Name : never;
    return createPlainMail(setting.emails, {
      subject: `${ja(`pigeon.mail.${happened}`, values)} / ${en(`pigeon.mail.${happened}`, values)}`,
      text: `${text(ja)}\n\n${text(en)}\n`,
    });
  }
}
