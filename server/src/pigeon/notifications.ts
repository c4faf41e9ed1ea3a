// Tells the outside of a chain's events: queued with the step that made them, sent at least once, never in the engine's way.
import type { ChainEvent, pigeonNotificationSetting } from '@yagura/core/pigeon/notification-setting';
import type { Item } from '@yagura/core/resource/define-resource';
import { loadTranslator } from '@yagura/core/words/dictionary';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { storeJson } from '../db/store-json.ts';
import { nextAttempt } from '../delivery/backoff.ts';
import type { MailRequest } from '../delivery/mail-message.ts';
import type { DeliveryMeta, SendResult } from '../delivery/send-result.ts';
import type { WebhookRequest } from '../delivery/webhook.ts';
import type { NextId } from '../id.ts';
import { errorFacts, type Log } from '../log.ts';
import type { Step } from './chain-state.ts';
import type { StoredChain } from './chain-store.ts';

type Setting = Item<typeof pigeonNotificationSetting>;

/** Sends one notification; never throws. */
export type SendNotification = (
  kind: Setting['kind'],
  request: WebhookRequest | MailRequest,
  meta: DeliveryMeta,
) => Promise<SendResult>;

export interface NotificationParts {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  publicUrl: string;
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

const queue = 'pigeon-notification';
const pollEvery = 1000;
const mostAtOnce = 16;
/** Longer than any attempt can take. */
const lease = 120_000;

export class Notifications {
  private readonly parts: NotificationParts;
  private working: Promise<void> | undefined;
  private again = false;
  private closed = false;
  private stop: (() => void) | undefined;

  constructor(parts: NotificationParts) {
    this.parts = parts;
  }

  async start(): Promise<void> {
    const { database, clock } = this.parts;
    if (database.kind === 'embedded')
      await database.query(
        'update job set run_at = $1, locked_by = null where queue = $2 and locked_by is not null',
        [isoTime(clock.now()), queue],
      );
    this.stop = clock.every(pollEvery, () => this.wake());
    this.wake();
  }

  wake(): void {
    if (!this.closed) void this.work();
  }

  /** Resolves when nothing is under way or due now. */
  async idle(): Promise<void> {
    await this.work();
    while (this.working) await this.working;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stop?.();
    await this.working;
  }

  /** Queues what the settings of the space ask to be told of this event; the result wakes the sending. */
  async queue(tx: Transaction, chain: StoredChain, step: Step, event: ChainEvent): Promise<() => void> {
    const { clock, nextId } = this.parts;
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
      await tx.query('insert into job (queue, run_at, payload) values ($1, $2, $3)', [
        queue,
        now,
        storeJson(payload),
      ]);
    }
    return () => {
      if (rows.length > 0) this.wake();
    };
  }

  private async requestOf(
    setting: Setting,
    chain: StoredChain,
    { state }: Step,
    event: ChainEvent,
  ): Promise<WebhookRequest | MailRequest> {
    const { resultId, callflow, guidance } = chain;
    const url = `${this.parts.publicUrl}/apps/pigeon/results/${resultId}`;
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
    const happened = event.replace('chain:', '');
    return {
      to: setting.emails.map((email) => ({ name: '', email })),
      cc: [],
      bcc: [],
      subject: `${ja(`pigeon.mail.${happened}`, values)} / ${en(`pigeon.mail.${happened}`, values)}`,
      text: `${ja('pigeon.mail.text', values)}\n\n${en('pigeon.mail.text', values)}\n`,
    };
  }

  private work(): Promise<void> {
    if (this.working) {
      this.again = true;
      return this.working;
    }
    this.working = this.sendDue().finally(() => {
      this.working = undefined;
      const again = this.again && !this.closed;
      this.again = false;
      if (again) void this.work();
    });
    return this.working;
  }

  private async sendDue(): Promise<void> {
    const { database, clock, instance, log } = this.parts;
    try {
      for (;;) {
        const now = clock.now();
        const { rows } = await database.query<{ id: string; attempts: number; payload: Payload }>(
          `update job set run_at = $2, attempts = attempts + 1, locked_by = $4
           where id = any(array(select id from job where queue = $5 and run_at <= $1 order by run_at, id limit $3
             for update skip locked)) returning id::text as id, attempts, payload`,
          [isoTime(now), isoTime(now + lease), mostAtOnce, instance, queue],
        );
        await Promise.all(rows.map((row) => this.sendOne(row)));
        if (rows.length < mostAtOnce || this.closed) return;
      }
    } catch (error) {
      log({
        level: 'warn',
        message: 'notifications could not be sent, will be tried again',
        ...errorFacts(error),
      });
    }
  }

  private async sendOne({ id, attempts, payload }: { id: string; attempts: number; payload: Payload }) {
    const { database, clock, random, log, instance } = this.parts;
    const { kind, request, deliveryId, createdAt } = payload;
    const result = await this.parts.send(kind, request, {
      deliveryId,
      attempt: attempts,
      timestamp: clock.now(),
    });
    const again =
      result.outcome === 'failed' && result.retry
        ? nextAttempt({
            attempt: attempts,
            firstAt: createdAt,
            now: clock.now(),
            retryAfterSeconds: result.retryAfterSeconds ?? 0,
            random,
          })
        : null;
    if (result.outcome === 'failed' && again === null)
      log({ level: 'warn', message: 'a notification was given up', deliveryId, reason: result.reason.word });
    await database.query(
      again === null
        ? 'delete from job where id = $1 and locked_by = $2 and attempts = $3'
        : 'update job set run_at = $4, locked_by = null where id = $1 and locked_by = $2 and attempts = $3',
      [id, instance, attempts, ...(again === null ? [] : [again])],
    );
  }
}
