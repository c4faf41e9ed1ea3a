// Records the results of attempts, those that end at about the same time in one statement.
import type { Attempt } from '@yagura/core/alerthub/action-record';
import { type Clock, isoTime } from '../../common/clock.ts';
import { errorFields, type Log } from '../../common/log.ts';
import type { ChangeBus } from '../../db/change-bus.ts';
import type { Database } from '../../db/database.ts';
import { retryWhileUnavailable } from '../../db/retry-while-unavailable.ts';
import { retryAt } from '../../delivery/backoff.ts';
import type { SendResult } from '../../delivery/send-result.ts';
import { Batcher, RejectedItem } from '../../jobs/batcher.ts';
import { faultText, runIsolatingFaults } from '../../jobs/poison-row-guard.ts';
import { type Delivery, type DeliveryOutcome, endDelivery, storeOutcomes } from './delivery-store.ts';

export interface AttemptRecorderDeps {
  database: Database;
  clock: Clock;
  log: Log;
  changes: ChangeBus;
  random: () => number;
  /** Identifies this process in leases. */
  instance: string;
  /** Milliseconds after which an undelivered delivery is reported to the notification addresses. */
  lateAfterMs: number;
  /** Called after each attempt, with the kind of its action. */
  onAttempt(kind: string, outcome: Attempt['outcome']): void;
}

/**
 * Outcomes wait this long for others, so that recording one does not make the next message wait for the database. A crash
 * meanwhile repeats the attempt.
 */
const outcomeGathering = { milliseconds: 25, items: 32 };

export class AttemptRecorder {
  private readonly deps: AttemptRecorderDeps;
  private readonly closing = new AbortController();
  private readonly outcomes: Batcher<DeliveryOutcome, undefined>;

  constructor(deps: AttemptRecorderDeps) {
    this.deps = deps;
    this.outcomes = new Batcher((list) => this.recordWhenAvailable(list), {
      items: 500,
      bytes: Number.MAX_SAFE_INTEGER,
      waitingItems: Number.MAX_SAFE_INTEGER,
      waitingBytes: Number.MAX_SAFE_INTEGER,
      gathering: outcomeGathering,
    });
  }

  /** Records what waits without gathering more. */
  flush(): void {
    this.outcomes.flush();
  }

  /** Resolves when nothing is waiting. */
  drained(): Promise<void> {
    return this.outcomes.drained();
  }

  /** Records what waits, unless the database is unavailable: these attempts are repeated. */
  close(): Promise<void> {
    this.closing.abort();
    return this.drained();
  }

  /** Resolves once the result of an attempt is recorded, or cannot be. */
  async record(delivery: Delivery, result: SendResult, startedAt: number): Promise<void> {
    const { clock } = this.deps;
    this.deps.onAttempt(delivery.kind, result.outcome);
    const firstAttempt = { attempt: delivery.attempt - (delivery.before ?? 0), firstAt: delivery.createdAt };
    const isLast = delivery.maxAttempts != null && firstAttempt.attempt >= delivery.maxAttempts;
    const again = isLast ? null : retryAt(result, firstAttempt, this.deps);
    const attempt: Attempt = {
      number: delivery.attempt,
      startedAt: isoTime(startedAt),
      endedAt: isoTime(clock.now()),
      outcome: result.outcome,
      statusCode: result.statusCode,
      reason: result.reason,
      reply: result.reply,
    };
    const status = result.outcome === 'succeeded' ? 'succeeded' : again ? 'waiting' : 'failed';
    const late =
      again !== null && Date.parse(again) - Date.parse(delivery.createdAt) >= this.deps.lateAfterMs;
    try {
      const outcome = { delivery, attempt, status, nextAt: again, late, answer: result.answer } as const;
      // The runbook goes on with the outcome of its step.
      await this.outcomes.add(outcome, 0, delivery.runbookRecordId != null);
    } catch (error) {
      // The lease expires and the delivery is repeated (at least once).
      this.deps.log({ level: 'warn', message: 'an attempt could not be recorded', ...errorFields(error) });
    }
  }

  /** The attempts were made: they must not be repeated because the database is away for a while. */
  private recordWhenAvailable(list: DeliveryOutcome[]): Promise<(undefined | RejectedItem)[]> {
    const { clock, log } = this.deps;
    const message = 'attempts were not recorded, will be tried again';
    return retryWhileUnavailable(() => this.recordAll(list), {
      ...{ clock, signal: this.closing.signal },
      onUnavailable: (error) => log({ level: 'warn', message, ...errorFields(error) }),
    });
  }

  /** If the database rejects an outcome, records it without the response, or at least ends the delivery. */
  private async recordAll(list: DeliveryOutcome[]): Promise<(undefined | RejectedItem)[]> {
    const refused = new Map<DeliveryOutcome, RejectedItem>();
    const record = (some: readonly DeliveryOutcome[]) => this.storeBatch(some);
    await runIsolatingFaults(list, record, async (outcome, error) => {
      const { delivery, attempt } = outcome;
      const { actionRecordId } = delivery;
      const message = 'the outcome of a delivery could not be stored';
      this.deps.log({ level: 'error', message, actionRecordId, ...errorFields(error) });
      const reason = { word: 'delivery.threw', params: { detail: faultText(error) } };
      const plain = { ...outcome, attempt: { ...attempt, reason, reply: null }, answer: undefined };
      await runIsolatingFaults([plain], record, async (_plain, second) => {
        refused.set(outcome, new RejectedItem(second));
        const { database, instance, clock } = this.deps;
        await endDelivery(database, instance, isoTime(clock.now()), delivery);
      });
    });
    return list.map((outcome) => refused.get(outcome));
  }

  private async storeBatch(list: readonly DeliveryOutcome[]): Promise<void> {
    const { database, instance, changes, clock } = this.deps;
    const at = isoTime(clock.now());
    const answered = await storeOutcomes(database, instance, at, list);
    const toChange = (spaceId: string, resource: string, id: string) =>
      ({ spaceId, resource, id, op: 'update', at }) as const;
    changes.publish([
      ...answered.map((row) => toChange(row.space_id, 'runbook-record', row.runbook_record_id)),
      ...list.map(({ delivery }) => toChange(delivery.spaceId, 'action-record', delivery.actionRecordId)),
    ]);
  }
}
