// Decides waiting messages in order of arrival, in batches; the effects of each are stored exactly once.
import type { BatchResult } from '@yagura/core/alerthub/decide/batch';
import { type CompiledConfig, touchedScopes } from '@yagura/core/alerthub/decide/config';
import type { DecideMessage } from '@yagura/core/alerthub/decide/data';
import {
  decideEvents,
  decideMessages,
  type MessageDecision,
  type RequestedChange,
} from '@yagura/core/alerthub/decide/decide';
import { decideReleases } from '@yagura/core/alerthub/decide/release';
import { type RunbookProgress, runRunbooks } from '@yagura/core/alerthub/decide/run-runbooks';
import { scopesOfRunbook } from '@yagura/core/alerthub/decide/runbook';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Queryable, Transaction } from '../db/database.ts';
import { StoreUnavailable } from '../db/unavailable.ts';
import type { NextId } from '../id.ts';
import { isRowFault, RowGuard } from '../jobs/row-guard.ts';
import { errorFacts, type Log } from '../log.ts';
import type { Change, ChangeBus } from '../resource/change-bus.ts';
import { type Sealing, sealRequest } from '../resource/sealed-fields.ts';
import { countHours } from './count-hours.ts';
import type { Decided } from './decision-part.ts';
import { type FreshJob, storeDecided, storeDecisions } from './decision-store.ts';
import type { Deliveries } from './deliveries.ts';
import { DelayedJobTimer } from './due-work.ts';
import {
  dropOrphans,
  firstWaiting,
  giveUpMessage,
  giveUpRunbook,
  giveUpTrigger,
  returnMessages,
  setAside,
  setMessageAside,
  type WaitingKey,
} from './give-up.ts';
import { type MessageRow, messageColumns, messageOf } from './message-row.ts';
import { joinHistory, loadHistory, severitiesOf } from './past.ts';
import { PipelineConfig } from './pipeline-config.ts';
import { type FindChanges, Recovery } from './recovery.ts';
import { dueReleases, firstRelease, maxReleases } from './releases.ts';
import { dueRuns, firstRun, maxRuns } from './runbook-runs.ts';
import { type Row as Arrived, arrivalChanges, pairWithin, type StoredMessage } from './store-arrivals.ts';
import { PendingBuffer } from './waiting-line.ts';

interface Waiting {
  seq: string;
  spaceId: string;
  message: DecideMessage;
}

/** Messages that a batch takes out of the line, and what was decided about each. */
interface Taken {
  seqs: string[];
  messages: DecideMessage[];
  decisions: MessageDecision[];
}

/** What was decided about messages, with what it was decided by. */
interface Made {
  now: string;
  config: CompiledConfig;
  decisions: MessageDecision[];
  result: BatchResult;
  begun: RunbookProgress[];
}

const noMessages: Taken = { seqs: [], messages: [], decisions: [] };

export interface PipelineDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  deliveries: Deliveries;
  /** What the records of deliveries keep of credentials. */
  sealing: Sealing;
}

/** Messages and bytes that one batch takes. */
const batchSize = 500;
const batchBytes = 16 << 20;
/** Characters that one batch may make of them. */
const maxWeight = 16 << 20;
/** Replicas wake one another through the store; this is the net below. */
const pollIntervalMs = 1000;
/** Key of the advisory lock under which one replica at a time decides. */
const lockKey = '7810774121093153901';

/**
 * One plan serves all batches of a size, and reads message by message by key however many there are: planning anew for
 * each batch would cost more than running, and a plan made while the table is small would join all of it later.
 */
const takeNext = (size: number) => ({
  name: `take-${size}-messages`,
  text: `
    select p.seq::text as seq, m.*
    from (
      select q.seq, q.message_id, sum(q.size) over (order by q.seq) - q.size as before
      from (
        select w.seq, w.message_id, (select s.size from message s where s.message_id = w.message_id) as size
        from message_pending w order by w.seq limit ${size}
      ) q
    ) p cross join lateral (
      select m.space_id, m.size as weight, ${messageColumns}
      from message m where m.message_id = p.message_id offset 0
    ) m
    where p.before = 0 or p.before < ${batchBytes}
    order by p.seq`,
});

export class Pipeline {
  readonly config: PipelineConfig;
  private readonly deps: PipelineDeps;
  private readonly line = new PendingBuffer<Row>();
  private turn: Promise<unknown> = Promise.resolve();
  private woken = false;
  private closed = false;
  private running = false;
  /** After a failure, until waiting messages are decided again: what is to blame is found among those that are stored. */
  private storesFirst = false;
  /** The round under way, and what cuts the rest short that it may be taking. */
  private round: Promise<void> = Promise.resolve();
  private endRest: () => void = () => undefined;
  private stopTimers: (() => void)[] = [];
  private readonly recovery: Recovery;
  private readonly releases: DelayedJobTimer;
  private readonly runbooks: DelayedJobTimer;
  /** Messages that could be neither decided nor marked come back into the line. */
  private readonly returns: DelayedJobTimer;
  private readonly messageGuard: RowGuard<WaitingKey>;

  constructor(deps: PipelineDeps) {
    this.deps = deps;
    this.config = new PipelineConfig(deps.changes, deps.sealing);
    this.recovery = new Recovery(deps, (spaceId, find) => this.change(spaceId, find));
    this.messageGuard = this.guardMessages();
    const releaseGuard = this.guardReleases();
    const runbookGuard = this.guardRunbooks();
    this.releases = new DelayedJobTimer(deps, {
      what: 'deciding waiting triggers',
      next: { name: 'next-release', text: 'select min(due_at) as at from waiting_trigger' },
      resources: ['mute-schedule'],
      work: () => releaseGuard.turn(),
    });
    this.runbooks = new DelayedJobTimer(deps, {
      what: 'running runbooks',
      next: {
        name: 'next-runbook',
        text: 'select min(due_at) as at from runbook_record where due_at is not null',
      },
      resources: ['runbook-record'],
      work: () => runbookGuard.turn(),
    });
    this.returns = new DelayedJobTimer(deps, {
      what: 'returning messages that were set aside',
      next: {
        name: 'next-return',
        text: 'select min(due_at) as at from message_set_aside where due_at is not null',
      },
      resources: [],
      work: async () => {
        await this.apart(async (db) => {
          if (await returnMessages(db, deps.clock.now())) this.arrived(undefined);
          return [];
        });
        return false;
      },
    });
  }

  start(): void {
    this.stopTimers.push(
      this.deps.clock.every(pollIntervalMs, () => {
        // While messages stream in they are known; whether the store knows more is asked in quiet moments.
        if (!this.running) this.line.lose();
        this.wake();
      }),
    );
    this.wake();
    this.recovery.start();
    this.releases.plan();
    this.runbooks.plan();
    this.returns.plan();
  }

  /** Takes messages that this process has just stored; undefined says that unknown ones may be waiting. */
  arrived(messages: readonly StoredMessage[] | undefined): void {
    if (!messages) this.line.lose();
    else if (this.deps.database.kind === 'embedded') this.line.add(messages.map(waitingRowOf));
    this.wake();
  }

  /** Says that messages may be waiting. */
  wake(): void {
    this.woken = true;
    if (this.running || this.closed) return;
    this.running = true;
    this.round = this.run();
  }

  /**
   * Stores arrivals that the intake journal has, and decides them in the same statement: one commit instead of two, and
   * nothing to read again. False, and nothing is stored, when they are to be stored first: because others wait before
   * them, because some repeat a message, or because the statement does not take all of them.
   */
  async storeAndDecide(arrivals: readonly Arrived[]): Promise<boolean> {
    const spaceId = arrivals[0]?.address.spaceId;
    const isOneSpace = arrivals.every(({ address }) => address.spaceId === spaceId);
    if (this.storesFirst || spaceId === undefined || !isOneSpace || !(await this.isCaughtUp())) return false;
    if (pairWithin(arrivals).twins.length > 0) return false;
    try {
      return await this.inTurn(async (db) => {
        const after = this.isAhead() ? undefined : await this.decideArrivals(db, spaceId, arrivals);
        return { done: after !== undefined, after: after ?? (() => undefined) };
      });
    } catch (error) {
      this.storesFirst = true;
      if (isRowFault(error)) return false;
      throw error;
    }
  }

  /** Whether messages wait that were stored without being decided. PostgreSQL is asked by the statement itself. */
  private isAhead(): boolean {
    const { kind } = this.deps.database;
    return this.closed || (kind === 'embedded' && (!this.line.isComplete || this.line.length > 0));
  }

  /** Waits for the batch that is being decided; false when much more than that waits. */
  private async isCaughtUp(): Promise<boolean> {
    if (this.line.isComplete && this.line.length <= batchSize) {
      this.endRest();
      await this.round;
    } else await this.turn;
    return !this.isAhead();
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.running || this.woken) await new Promise((resolve) => setImmediate(resolve));
    await this.releases.idle();
    await this.runbooks.idle();
    await this.returns.idle();
    await this.turn;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const stop of this.stopTimers) stop();
    this.recovery.close();
    this.releases.close();
    this.runbooks.close();
    this.returns.close();
    await this.turn.catch(() => undefined);
  }

  /** Applies changes that come from no message; they take their turn between batches, and a function finds them then. */
  async change(
    spaceId: string,
    wanted: readonly RequestedChange[] | FindChanges,
  ): Promise<BatchResult & { notes: unknown[] }> {
    return this.inTurn(async (db) => {
      const now = isoTime(this.deps.clock.now());
      const changes = typeof wanted === 'function' ? await wanted(db, now) : wanted;
      const scopeIds = new Set(changes.map((change) => change.scopeId));
      const config = await this.config.of(db, spaceId);
      const state = await severitiesOf(db, scopeIds);
      const history = await loadHistory(db, config, scopeIds, now);
      const result = decideEvents({ config, state, history, now, nextId: this.deps.nextId, changes });
      const jobs = await this.store(db, spaceId, now, noMessages, result, config);
      return { done: result, after: () => this.announce(spaceId, now, [], result, jobs) };
    });
  }

  /** Decides triggers that are due to be looked at again; true when more may be due. */
  private release(size: number, took: (waitingTriggerId: string) => void): Promise<boolean> {
    return this.inTurn(async (db) => {
      const now = isoTime(this.deps.clock.now());
      const { spaceId, releases } = await dueReleases(db, now, size);
      if (!spaceId) return { done: false, after: () => undefined };
      took(releases[0]!.waitingTriggerId);
      const config = await this.config.of(db, spaceId);
      const scopeIds = new Set(releases.map((release) => release.scopeId));
      const state = await severitiesOf(db, scopeIds);
      const oldest = releases.map(({ event }) => event.createdAt).sort()[0] ?? now;
      const history = await loadHistory(db, config, scopeIds, now, oldest);
      const { nextId } = this.deps;
      const result = decideReleases({ config, state, history, now, nextId, releases, mostWeight: maxWeight });
      const jobs = await this.store(db, spaceId, now, noMessages, result, config);
      return {
        done: releases.length === size || result.released.length < releases.length,
        after: () => this.announce(spaceId, now, [], result, jobs),
      };
    });
  }

  /** Lets records of runbooks go on as far as they come; true when more may be due. */
  private runRunbooks(size: number, took: (runbookRecordId: string) => void): Promise<boolean> {
    return this.inTurn(async (db) => {
      const now = isoTime(this.deps.clock.now());
      const { spaceId, runs, more } = await dueRuns(db, now, size);
      if (!spaceId) return { done: false, after: () => undefined };
      took(runs[0]!.runbookRecordId);
      const config = await this.config.of(db, spaceId);
      const scopes = new Set(runs.flatMap((run) => [...scopesOfRunbook(run.graph, config)]));
      const state = await severitiesOf(db, scopes);
      const history = await loadHistory(db, config, scopes, now);
      const { nextId } = this.deps;
      const result = runRunbooks({ config, state, history, now, nextId, runs, mostWeight: maxWeight });
      const jobs = await this.store(db, spaceId, now, noMessages, result, config, result.progress);
      const isCut = result.progress.length < runs.length;
      const done = more || isCut || result.progress.some((one) => one.dueAt === now);
      return { done, after: () => this.announce(spaceId, now, [], result, jobs, result.progress) };
    });
  }

  /**
   * Writes in its turn, between batches: for settings and state that a running batch would write over. `after` is
   * called once it is committed and before the next batch.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, after: (result: T) => void): Promise<T> {
    const { database } = this.deps;
    const next = this.turn.then(async () => {
      const result = await database.transaction(async (tx) => {
        if (database.kind === 'postgresql') await tx.query(`select pg_advisory_xact_lock(${lockKey})`);
        return work(tx);
      });
      after(result);
      return result;
    });
    this.turn = next.catch(() => undefined);
    return next;
  }

  private async run(): Promise<void> {
    while (this.woken && !this.closed) {
      this.woken = false;
      try {
        const begun = performance.now();
        while (!this.closed && (await this.messageGuard.turn())) {
          // Until nothing waits.
        }
        // What comes in meanwhile has the store to itself for twice as long, and is then decided in one go.
        if (this.woken) await this.rest(performance.now() - begun);
      } catch (error) {
        const level = error instanceof StoreUnavailable ? 'warn' : 'error';
        this.deps.log({ level, message: 'deciding failed, will be tried again', ...errorFacts(error) });
        break;
      }
    }
    this.running = false;
  }

  /** At most 60 milliseconds. Real time, because it is the machine that rests. */
  private rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds * 2, 60));
      this.endRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async answers(): Promise<boolean> {
    await this.deps.database.query('select 1');
    return true;
  }

  /** Something that belongs to no batch, in its turn; what it changed is told of after the commit. */
  private apart(work: (db: Queryable) => Promise<Change[]>): Promise<void> {
    return this.inTurn(async (db) => {
      const changed = await work(db);
      return { done: undefined, after: () => this.deps.changes.publish(changed) };
    });
  }

  private guardMessages(): RowGuard<WaitingKey> {
    const { deps } = this;
    return new RowGuard(deps.log, {
      what: 'deciding messages',
      most: batchSize,
      work: (size, took) =>
        this.decideFirst(size, took).catch((error: unknown) => {
          this.line.lose();
          throw error;
        }),
      first: () => firstWaiting(deps.database),
      fail: (key, error) => this.apart((db) => giveUpMessage(db, deps, key, error)),
      setAside: async (key, error) => {
        await this.apart(async (db) => {
          await setMessageAside(db, deps, key, error);
          return [];
        });
        this.returns.plan();
      },
      answers: () => this.answers(),
    });
  }

  private guardReleases(): RowGuard<string> {
    const { deps } = this;
    return new RowGuard(deps.log, {
      what: 'deciding waiting triggers',
      most: maxReleases,
      work: (size, took) => this.release(size, took),
      first: () => firstRelease(deps.database, isoTime(deps.clock.now())),
      fail: (id, error) => this.apart((db) => giveUpTrigger(db, deps, id, error)),
      setAside: (id) => setAside(deps.database, deps, 'waiting_trigger', id),
      answers: () => this.answers(),
    });
  }

  private guardRunbooks(): RowGuard<string> {
    const { deps } = this;
    return new RowGuard(deps.log, {
      what: 'running runbooks',
      most: maxRuns,
      work: (size, took) => this.runRunbooks(size, took),
      first: () => firstRun(deps.database, isoTime(deps.clock.now())),
      fail: (id, error) => this.apart((db) => giveUpRunbook(db, deps, id, error)),
      setAside: (id) => setAside(deps.database, deps, 'runbook_record', id),
      answers: () => this.answers(),
    });
  }

  /** Decides the first messages; false when nothing more waited as they were taken. */
  private decideFirst(size: number, took: (first: WaitingKey) => void): Promise<boolean> {
    return this.inTurn(async (db) => {
      const isRead = !this.line.isComplete;
      const { rows, isAll } = await this.next(db, size);
      const head = rows[0];
      if (!head) return { done: isRead && (await dropOrphans(db)) > 0, after: () => undefined };
      took({ seq: head.seq, messageId: head.message_id });
      const waiting = rows.filter((row) => row.space_id === head.space_id).map(waitingOf);
      const { after, count } = await this.decideWaiting(db, head.space_id, waiting, size > 1);
      this.storesFirst = false;
      this.line.remove(waiting.slice(0, count).map((entry) => entry.seq));
      return { done: !isAll || count < rows.length, after };
    });
  }

  /** The first waiting messages: those held in memory when they are all there are, else from the store. */
  private async next(db: Queryable, size: number): Promise<{ rows: Row[]; isAll: boolean }> {
    if (this.line.isComplete) {
      const rows = this.line.first(size, batchBytes);
      return { rows, isAll: rows.length === this.line.length };
    }
    const completed = this.line.reading();
    const { rows } = await db.query<Row>(takeNext(size));
    const bytes = rows.reduce((sum, row) => sum + row.weight, 0);
    const isAll = rows.length < size && bytes < batchBytes;
    // Of several spaces the first is decided now, and the rest is read again.
    const isOneSpace = rows.every((row) => row.space_id === rows[0]!.space_id);
    if (isAll && isOneSpace && this.deps.database.kind === 'embedded') completed();
    return { rows, isAll };
  }

  /**
   * With `begins` the runbooks that messages start begin in the same batch, which saves each record a turn of its own. A
   * message that is decided alone because its batch could not be stored leaves them to their own turn, so that a runbook
   * is not to blame for a message.
   */
  private async decideWaiting(
    db: Queryable,
    spaceId: string,
    waiting: Waiting[],
    begins: boolean,
  ): Promise<{ after: () => void; count: number }> {
    const messages = waiting.map((entry) => entry.message);
    const made = await this.decide(db, spaceId, messages, begins);
    // What would make the batch too long is left for the next one.
    const count = made.decisions.length;
    const seqs = waiting.slice(0, count).map((entry) => entry.seq);
    const taken = { seqs, messages: messages.slice(0, count), decisions: made.decisions };
    const jobs = await this.store(db, spaceId, made.now, taken, made.result, made.config, made.begun);
    return { after: () => this.announceMade(spaceId, made, jobs), count };
  }

  /** Undefined when they are to be stored first. */
  private async decideArrivals(
    db: Queryable,
    spaceId: string,
    arrivals: readonly Arrived[],
  ): Promise<(() => void) | undefined> {
    const messages = arrivals.map((arrived) => messageOf(rowOf(arrived)));
    const made = await this.decide(db, spaceId, messages, true);
    if (made.decisions.length < messages.length) return undefined;
    const taken = { seqs: [], messages, decisions: made.decisions };
    const decided = this.decided(spaceId, made.now, taken, made.result, made.config, made.begun);
    const jobs = await storeDecided(db, decided, arrivals);
    if (!jobs) return undefined;
    return () => {
      this.deps.changes.publish(arrivalChanges(arrivals));
      this.announceMade(spaceId, made, jobs);
    };
  }

  private announceMade(spaceId: string, { now, decisions, result, begun }: Made, jobs: FreshJob[]): void {
    this.announce(spaceId, now, decisions, result, jobs, begun);
  }

  /** Decides messages of one space; nothing is stored yet. */
  private async decide(
    db: Queryable,
    spaceId: string,
    messages: DecideMessage[],
    begins: boolean,
  ): Promise<Made> {
    const now = isoTime(this.deps.clock.now());
    const config = await this.config.of(db, spaceId);
    const scopeIds = touchedScopes(config, messages);
    const state = await severitiesOf(db, scopeIds);
    const history = joinHistory(await loadHistory(db, config, scopeIds, now));
    const { nextId } = this.deps;
    const decided = decideMessages({ config, state, history, now, nextId, messages, mostWeight: maxWeight });
    let begun: RunbookProgress[] = [];
    if (begins && decided.starts.length > 0) {
      const graphs = new Set(decided.starts.map(({ runbook }) => runbook));
      const more = new Set([...graphs].flatMap((graph) => [...scopesOfRunbook(graph, config)]));
      for (const scopeId of scopeIds) more.delete(scopeId);
      for (const [scopeId, values] of await severitiesOf(db, more)) state.set(scopeId, values);
      history.add(await loadHistory(db, config, more, now));
      begun = decided.begin();
    }
    return { now, config, decisions: decided.messages, result: decided.result(), begun };
  }

  private store(db: Queryable, ...facts: Parameters<Pipeline['decided']>): Promise<FreshJob[]> {
    return storeDecisions(db, this.decided(...facts));
  }

  private decided(
    spaceId: string,
    now: string,
    taken: Taken,
    result: BatchResult,
    config: CompiledConfig,
    progress: readonly RunbookProgress[] = [],
  ): Decided {
    const recoveryAt = new Map(
      result.scopes.map(({ scopeId, severity }) => {
        const seconds = config.scopes.get(scopeId)?.source.recoveryTime ?? null;
        const at = seconds === null || severity === 0 ? null : isoTime(Date.parse(now) + seconds * 1000);
        return [scopeId, at] as const;
      }),
    );
    return {
      spaceId,
      now,
      seqs: taken.seqs,
      messages: taken.decisions,
      counts: countHours(taken.messages, taken.decisions),
      result: this.storable(spaceId, result),
      recoveryAt,
      progress,
      lease: this.deps.deliveries.lease(),
      nextId: this.deps.nextId,
    };
  }

  /** The same with the credentials in requests sealed. */
  private storable(spaceId: string, result: BatchResult): BatchResult {
    if (result.firings.length === 0) return result;
    const { sealing } = this.deps;
    const firings = result.firings.map((firing) => ({
      ...firing,
      request: sealRequest(sealing, spaceId, firing.request),
    }));
    return { ...result, firings };
  }

  /** After the commit: sends what is leased, tells the faces, and plans the next recovery. */
  private announce(
    spaceId: string,
    at: string,
    messages: MessageDecision[],
    result: BatchResult,
    jobs: FreshJob[],
    progress: readonly RunbookProgress[] = [],
  ): void {
    if (result.waiting.length > 0) this.releases.plan();
    if (result.starts.length > 0) this.runbooks.plan();
    const requests = new Map(result.firings.map((firing) => [firing.actionRecordId, firing]));
    this.deps.deliveries.take(
      jobs.map((job) => {
        const firing = requests.get(job.actionRecordId)!;
        return { jobId: job.id, attempt: 1, spaceId, createdAt: at, ...firing };
      }),
      jobs.length < result.firings.length,
    );
    const about = (resource: string, id: string, op: 'create' | 'update'): Change => ({
      spaceId,
      resource,
      id,
      op,
      at,
    });
    this.deps.changes.publish([
      ...messages.map((message) => about('message', message.messageId, 'update')),
      ...result.events.map((event) => ({ ...about('event', event.eventId, 'create'), scope: event.scopeId })),
      ...result.decided.map(({ eventId }) => about('event', eventId, 'update')),
      ...result.scopes.map((scope) => ({ ...about('scope', scope.scopeId, 'update'), state: true as const })),
      ...result.starts.map((start) => about('runbook-record', start.runbookRecordId, 'create')),
      ...progress.map((one) => ({
        ...about('runbook-record', one.runbookRecordId, 'update'),
        state: true as const,
      })),
      ...result.firings.map((firing) => about('action-record', firing.actionRecordId, 'create')),
    ]);
  }

  /**
   * The embedded engine has one process and one connection: a turn in memory is the lock, and each batch is one
   * statement. On PostgreSQL the turn is a transaction under an advisory lock.
   */
  private inTurn<T>(work: (db: Queryable) => Promise<{ done: T; after: () => void }>): Promise<T> {
    const next = this.turn.then(async () => {
      const { database } = this.deps;
      const outcome =
        database.kind === 'embedded'
          ? await work(database)
          : await database.transaction(async (tx) => {
              await tx.query(`select pg_advisory_xact_lock(${lockKey})`);
              return work(tx);
            });
      outcome.after();
      return outcome.done;
    });
    this.turn = next.catch(() => undefined);
    return next;
  }
}

function waitingOf(row: Row): Waiting {
  return { seq: row.seq, spaceId: row.space_id, message: messageOf(row) };
}

interface Row extends MessageRow {
  seq: string;
  space_id: string;
  message_id: string;
  /** Bytes that it came with. */
  weight: number;
}

function waitingRowOf(stored: StoredMessage): Row {
  return {
    ...rowOf(stored),
    seq: stored.seq,
    space_id: stored.address.spaceId,
    weight: stored.body.length,
  };
}

function rowOf({ address, ...row }: Arrived): MessageRow & { message_id: string } {
  return {
    message_id: row.messageId,
    receive_slot_id: address.receiveSlotId,
    receive_slot_kind: address.kind,
    received_at: row.receivedAt,
    request_url: row.requestUrl,
    headers: row.headers,
    mail: row.mail ?? null,
    body: row.mail ? Buffer.alloc(0) : row.body,
  };
}
