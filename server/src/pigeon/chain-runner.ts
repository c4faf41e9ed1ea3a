// Runs call chains: one database step at a time on the server's clock, safe with replicas and across crashes.

import { isFinalStatus } from '@yagura/core/pigeon/call-constants';
import type { ChainEvent } from '@yagura/core/pigeon/notification-setting';
import { type Clock, isoTime } from '../common/clock.ts';
import type { NextId } from '../common/id.ts';
import { errorFields, type Log } from '../common/log.ts';
import type { ChangeBus } from '../db/change-bus.ts';
import type { Database, InTransaction, Transaction } from '../db/database.ts';
import { leaseExpiredSql, RowLeases, rowLeaseMs } from '../jobs/leases/row-leases.ts';
import { PeriodicJob } from '../jobs/periodic-job.ts';
import { isRowFault } from '../jobs/poison-row-guard.ts';
import { PostponedRows } from '../jobs/postponed-rows.ts';
import { acknowledgeEvent, type StoreAcknowledgement } from './acknowledge-event.ts';
import { toCallOrder } from './call-order.ts';
import {
  type CallReport,
  type ChainInput,
  type ChainStep,
  isRequestingCall,
  stepChain,
} from './chain-state.ts';
import {
  failChain,
  insertChain,
  lockChain,
  type NewChain,
  type StoredChain,
  writeStep,
} from './chain-store.ts';
import type { PhoneLine } from './line.ts';
import type { NotifiedChain, NotifiedState } from './notifications.ts';

export interface ChainRunnerDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Null when none is configured; no calls are made then. */
  line: PhoneLine | null;
  /** Maximum number of concurrent call chains across all replicas. */
  maxConcurrentChains: number;
  /** Queues notifications within the step's transaction; returns what to do after the commit. */
  notify(tx: Transaction, chain: NotifiedChain, state: NotifiedState, event: ChainEvent): Promise<() => void>;
  storeAcknowledgement: StoreAcknowledgement;
  /** Identifies this process in leases. */
  instance: string;
}

const pollIntervalMs = 1000;
/** Maximum milliseconds that a chain waits for its speech; then the line renders what is missing. */
const speechWaitMs = 120_000;
/** Maximum chains processed in one pass. */
const maxPerPoll = 100;
const activeStatuses = "('preparing', 'processing', 'aborting')";

type ChooseInput = (chain: StoredChain, now: number) => ChainInput | null;

interface StepOptions {
  /** The chain must belong to this space; any space if absent. */
  spaceId?: string;
  /** Runs in the transaction that stores the step. */
  onStepped?: InTransaction | undefined;
}

export class ChainRunner {
  private readonly deps: ChainRunnerDeps;
  /** Serializes the steps of a chain in call order. */
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly polling: PeriodicJob;
  /** Chains whose speech is being rendered. */
  private readonly preparing = new Set<Promise<void>>();
  /** Chains that can neither continue nor be failed. */
  private readonly postponed: PostponedRows;
  private closed = false;
  private readonly leases: RowLeases;

  constructor(deps: ChainRunnerDeps) {
    this.deps = deps;
    const { clock, log } = deps;
    this.postponed = new PostponedRows(clock);
    this.leases = new RowLeases(deps, 'pigeon_chain');
    this.polling = new PeriodicJob({
      ...{ clock, log },
      intervalMs: pollIntervalMs,
      failureMessage: 'chains could not be looked after, will be tried again',
      work: () => this.poll(),
    });
  }

  get line(): PhoneLine | null {
    return this.deps.line;
  }

  async start(): Promise<void> {
    await this.leases.start();
    await this.deps.line?.start?.();
    this.polling.start();
    await this.polling.runNow();
  }

  /**
   * Adds a chain to the queue; it starts once its speech is `prepared`. The same action record returns the same
   * result again. `onStored` runs in the same transaction.
   */
  async add(chain: NewChain, prepared?: Promise<void>, onStored?: InTransaction): Promise<string> {
    const { database, clock } = this.deps;
    const now = clock.now();
    const resultId = await database.transaction(async (tx) => {
      const id = await insertChain(tx, chain, now, prepared ? now + speechWaitMs : null);
      if (chain.actionRecordId)
        await tx.query('update action_record set result_id = $2 where action_record_id = $1', [
          chain.actionRecordId,
          id,
        ]);
      await onStored?.(tx);
      return id;
    });
    this.publishChange(chain.spaceId, 'result', resultId, 'create');
    if (prepared) this.startWhen(prepared, resultId);
    else this.wake();
    return resultId;
  }

  private startWhen(prepared: Promise<void>, resultId: string): void {
    const { database, log } = this.deps;
    const work = prepared
      .then(() =>
        database.query('update pigeon_chain set start_after = null where result_id = $1', [resultId]),
      )
      .then(() => this.wake())
      // The chain starts by itself later.
      .catch((error) =>
        log({ level: 'warn', message: 'a chain starts late', resultId, ...errorFields(error) }),
      )
      .finally(() => this.preparing.delete(work));
    this.preparing.add(work);
  }

  /**
   * False when the chain has already ended, null when the space has no such chain. `onAborted` runs in the transaction
   * that stores the abort.
   */
  async abort(spaceId: string, resultId: string, onAborted?: InTransaction): Promise<boolean | null> {
    let found: boolean | null = null;
    await this.enqueue(
      resultId,
      (chain) => {
        found = !isFinalStatus(chain.state.status);
        return { kind: 'abort' };
      },
      { spaceId, onStepped: onAborted },
    );
    return found;
  }

  /** Handles a line's report of a call; reports of a finished call are ignored. */
  async report(
    { resultId, spaceId }: Pick<StoredChain, 'resultId' | 'spaceId'>,
    callId: string,
    report: CallReport,
  ): Promise<void> {
    await this.enqueue(resultId, () => ({ kind: 'report', callId, report }), { spaceId });
  }

  wake(): void {
    void this.polling.runNow();
  }

  /** Resolves when no work is in progress or due. */
  async idle(): Promise<void> {
    await Promise.all(this.preparing);
    await this.polling.runNow();
    await this.polling.idle();
    while (this.queues.size > 0) {
      await Promise.allSettled([...this.queues.values()]);
      await this.polling.idle();
    }
  }

  /** Calls bound to this process end with it; another process continues their chains at once. */
  async close(): Promise<void> {
    this.closed = true;
    await this.polling.close();
    await Promise.allSettled([...this.queues.values()]);
    await this.deps.line?.close();
    await this.leases.close();
  }

  private async poll(): Promise<void> {
    for (const { result_id: resultId, call_id: callId, asked } of await this.findDueChains()) {
      await this.failOnError(resultId, async () => {
        if (asked && callId) this.deps.line?.hangUp({ callId, resultId });
        await this.enqueue(resultId, (chain, now) => this.overdueInput(chain, now));
      });
    }
    if (!this.deps.line) return;
    while (!this.closed && (await this.startNext()));
  }

  /** Fails a chain that cannot continue, so that it does not occupy a line. */
  private async failOnError(resultId: string, work: () => Promise<void>): Promise<void> {
    const { log } = this.deps;
    try {
      await work();
      this.postponed.delete(resultId);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      log({ level: 'error', message: 'a chain could not go on', resultId, ...errorFields(error) });
      try {
        await this.fail(resultId, true).catch((unnotified) => {
          if (!isRowFault(unnotified)) throw unnotified;
          return this.fail(resultId, false);
        });
        this.postponed.delete(resultId);
      } catch (second) {
        if (!isRowFault(second)) throw second;
        log({ level: 'error', message: 'a chain could not be failed', resultId, ...errorFields(second) });
        this.postponed.postpone(resultId);
      }
    }
  }

  /** A notification that cannot be queued does not keep the chain from being failed. */
  private async fail(resultId: string, notifies: boolean): Promise<void> {
    const { database, clock, notify } = this.deps;
    let notified = () => {};
    const failed = await database.transaction(async (tx) => {
      const chain = await failChain(tx, resultId, clock.now());
      if (chain && notifies) notified = await notify(tx, chain, chain.state, 'chain:failed');
      return chain;
    });
    if (!failed) return;
    this.publishChange(failed.spaceId, 'result', resultId, 'update');
    notified();
  }

  /** Chains that are due, whose process has died, or whose call another process was asked to hang up. */
  private async findDueChains() {
    const { database, clock, instance, line } = this.deps;
    const { rows } = await database.query<{ result_id: string; call_id: string | null; asked: boolean }>(
      `select result_id, state->'call'->>'callId' as call_id, status = 'aborting' and owner = $2 as asked
       from pigeon_chain where result_id <> all($4::uuid[]) and (
         (status in ${activeStatuses} and due_at <= $1 and (owner is null or owner = $2))
         or (status in ${activeStatuses} and owner <> $2 and ${leaseExpiredSql('$1')})
         or (status = 'aborting' and owner = $2)
         or ($3 and status in ('waiting', 'preparing', 'processing', 'aborting') and owner is null))
       order by created_at limit ${maxPerPoll}`,
      [isoTime(clock.now()), instance, line === null, this.postponed.ids()],
    );
    return rows;
  }

  private overdueInput({ owner, leaseUntil, state, line }: StoredChain, now: number): ChainInput | null {
    const mine = owner === null || owner === this.deps.instance;
    if (!mine && leaseUntil > now) return null;
    const known = this.deps.line;
    if (!known) return { kind: 'noLine' };
    if (mine) return { kind: 'tick' };
    const alive = known.kind === line && known.outlives && !isRequestingCall(state);
    return { kind: alive ? 'tick' : 'interrupted' };
  }

  /** Starts the chain that has waited longest if a line is free. */
  private async startNext(): Promise<boolean> {
    const { database, clock, maxConcurrentChains } = this.deps;
    let resultId: string | undefined;
    let started: CommittedStep | null = null;
    const start = () =>
      database.transaction(async (tx) => {
        await tx.query("select pg_advisory_xact_lock(hashtext('yagura pigeon lines'))");
        const { rows } = await tx.query<{ result_id: string }>(
          `select result_id from pigeon_chain where status = 'waiting' and result_id <> all($2::uuid[])
           and (start_after is null or start_after <= $3)
           and (select count(*) from pigeon_chain where status in ${activeStatuses}) < $1
         order by created_at, result_id limit 1`,
          [maxConcurrentChains, this.postponed.ids(), isoTime(clock.now())],
        );
        resultId = rows[0]?.result_id;
        const chain = resultId && (await lockChain(tx, resultId));
        return chain ? this.step(tx, chain, { kind: 'start' }) : null;
      });
    try {
      started = await start();
    } catch (error) {
      if (resultId === undefined) throw error;
      await this.failOnError(resultId, () => Promise.reject(error));
      return true;
    }
    if (!started) return false;
    this.runEffects(started);
    return true;
  }

  private enqueue(resultId: string, choose: ChooseInput, options?: StepOptions): Promise<void> {
    const before = this.queues.get(resultId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.applyInput(resultId, choose, options));
    this.queues.set(resultId, turn);
    const done = () => {
      if (this.queues.get(resultId) === turn) this.queues.delete(resultId);
    };
    turn.then(done, done);
    return turn;
  }

  private async applyInput(
    resultId: string,
    choose: ChooseInput,
    { spaceId, onStepped }: StepOptions = {},
  ): Promise<void> {
    const { database, clock } = this.deps;
    const done = await database.transaction(async (tx) => {
      const chain = await lockChain(tx, resultId, spaceId);
      const input = chain && choose(chain, clock.now());
      if (!chain || !input || isFinalStatus(chain.state.status)) return null;
      const stepped = await this.step(tx, chain, input);
      await onStepped?.(tx);
      return stepped;
    });
    if (done) this.runEffects(done);
  }

  private async step(tx: Transaction, chain: StoredChain, input: ChainInput): Promise<CommittedStep> {
    const { clock, nextId, line, instance, storeAcknowledgement } = this.deps;
    const now = clock.now();
    const step = stepChain(chain.plan, chain.state, input, now, nextId);
    const mine = step.dial !== null || chain.owner === instance;
    const free = line?.outlives && !isRequestingCall(step.state);
    await writeStep(tx, chain, step, {
      now,
      line: step.dial && line ? line.kind : chain.line,
      owner: free ? null : mine ? instance : chain.owner,
      leaseUntil: mine ? now + rowLeaseMs : chain.leaseUntil,
    });
    const after: (() => void)[] = [];
    const { acknowledgedIn } = step;
    const acknowledged =
      acknowledgedIn && (await acknowledgeEvent(tx, storeAcknowledgement, chain, acknowledgedIn, now));
    if (acknowledged) {
      after.push(() => this.publishChange(chain.spaceId, 'event', acknowledged.eventId, 'update'));
      after.push(() => this.publishChange(chain.spaceId, 'scope', acknowledged.scopeId, 'update'));
    }
    for (const event of step.events) after.push(await this.deps.notify(tx, chain, step.state, event));
    return { chain, step, after };
  }

  /** Executes the side effects of a committed step. */
  private runEffects({ chain, step, after }: CommittedStep): void {
    const { line } = this.deps;
    const { resultId, spaceId } = chain;
    for (const callId of step.hangUp) line?.hangUp({ callId, resultId });
    if (step.dial && line) {
      const { callId } = step.dial;
      line.dial(toCallOrder(chain, step.dial), (report) => {
        if (this.closed) return;
        this.report({ resultId, spaceId }, callId, report).catch((error) =>
          // The engine's own time limits will end the call.
          this.deps.log({ level: 'warn', message: 'a call could not be recorded', ...errorFields(error) }),
        );
      });
    }
    this.publishChange(chain.spaceId, 'result', resultId, 'update');
    for (const work of after) work();
    if (isFinalStatus(step.state.status)) this.wake();
  }

  private publishChange(
    spaceId: string,
    resource: 'result' | 'event' | 'scope',
    id: string,
    op: 'create' | 'update',
  ): void {
    const at = isoTime(this.deps.clock.now());
    this.deps.changes.publish([{ spaceId, resource, id, op, at }]);
  }
}

interface CommittedStep {
  chain: StoredChain;
  step: ChainStep;
  after: (() => void)[];
}
