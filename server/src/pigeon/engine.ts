// Runs chains: one step at a time in the store, on the server's clock, safe with replicas and through a crash.

import { isFinal } from '@yagura/core/pigeon/key';
import type { ChainEvent } from '@yagura/core/pigeon/notification-setting';
import { type Clock, isoTime } from '../clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import type { NextId } from '../id.ts';
import { isRowFault } from '../jobs/row-guard.ts';
import { errorFacts, type Log } from '../log.ts';
import type { ChangeBus } from '../resource/change-bus.ts';
import { type ChainInput, type Report, type Step, stepChain } from './chain-state.ts';
import {
  failChain,
  insertChain,
  lockChain,
  type NewChain,
  type StoredChain,
  writeStep,
} from './chain-store.ts';
import type { Line } from './line.ts';
import { orderOf } from './order.ts';

export interface ChainRunnerDeps {
  database: Database;
  clock: Clock;
  nextId: NextId;
  log: Log;
  changes: ChangeBus;
  /** Null when none is configured: nothing is called then. */
  line: Line | null;
  /** Chains that are called at once, over all replicas. */
  lines: number;
  /** Queues what is told to the outside, inside the step's transaction; gives what to do after the commit. */
  notify(tx: Transaction, chain: StoredChain, step: Step, event: ChainEvent): Promise<() => void>;
  /** Names this process in leases. */
  instance: string;
}

const pollIntervalMs = 1000;
/** A lease is renewed long before it runs out. */
const lease = 30_000;
const renewIntervalMs = 10_000;
/** Chains looked after in one go. */
const max = 100;
const active = "('preparing', 'processing', 'aborting')";

type Choose = (chain: StoredChain, now: number) => ChainInput | null;

export class ChainRunner {
  private readonly deps: ChainRunnerDeps;
  /** Steps of one chain come one after the other, in the order in which they were asked for. */
  private readonly tails = new Map<string, Promise<unknown>>();
  private working: Promise<void> | undefined;
  private again = false;
  private closed = false;
  private renewedAt = 0;
  private stop: (() => void) | undefined;

  constructor(deps: ChainRunnerDeps) {
    this.deps = deps;
  }

  get line(): Line | null {
    return this.deps.line;
  }

  /** On the embedded engine nobody else can hold a call, so those of a dead process are given up at once. */
  async start(): Promise<void> {
    const { database, clock } = this.deps;
    if (database.kind === 'embedded')
      await database.query('update pigeon_chain set lease_until = $1 where owner is not null', [isoTime(0)]);
    this.stop = clock.every(pollIntervalMs, () => this.wake());
    await this.work();
  }

  /** Puts a chain into the line of those that wait. The same action record gives the same result again. */
  async add(chain: NewChain): Promise<string> {
    const { database, clock } = this.deps;
    const resultId = await database.transaction(async (tx) => {
      const id = await insertChain(tx, chain, clock.now());
      if (chain.actionRecordId)
        await tx.query('update action_record set result_id = $2 where action_record_id = $1', [
          chain.actionRecordId,
          id,
        ]);
      return id;
    });
    this.tell(chain.spaceId, resultId, 'create');
    this.wake();
    return resultId;
  }

  /** False when the chain is over already, null when the space has none of this id. */
  async abort(spaceId: string, resultId: string): Promise<boolean | null> {
    let found: boolean | null = null;
    await this.apply(
      resultId,
      (chain) => {
        found = !isFinal(chain.state.status);
        return { kind: 'abort' };
      },
      spaceId,
    );
    return found;
  }

  /** Takes what a line tells of a call; what is said of a call that is over changes nothing. */
  async report(
    { resultId, spaceId }: Pick<StoredChain, 'resultId' | 'spaceId'>,
    callId: string,
    report: Report,
  ): Promise<void> {
    await this.apply(resultId, () => ({ kind: 'report', callId, report }), spaceId);
  }

  wake(): void {
    if (!this.closed) void this.work();
  }

  /** Resolves when nothing is under way or due now. */
  async idle(): Promise<void> {
    await this.work();
    while (this.working || this.tails.size > 0)
      await Promise.allSettled([this.working, ...this.tails.values()]);
  }

  /** Calls that live in this process end with it; another one goes on with their chains at once. */
  async close(): Promise<void> {
    this.closed = true;
    this.stop?.();
    await this.working;
    await Promise.allSettled([...this.tails.values()]);
    this.deps.line?.close();
    await this.deps.database.query('update pigeon_chain set lease_until = $1 where owner = $2', [
      isoTime(0),
      this.deps.instance,
    ]);
  }

  private work(): Promise<void> {
    if (this.working) {
      this.again = true;
      return this.working;
    }
    this.working = this.look().finally(() => {
      this.working = undefined;
      const again = this.again && !this.closed;
      this.again = false;
      if (again) void this.work();
    });
    return this.working;
  }

  private async look(): Promise<void> {
    try {
      await this.renew();
      for (const { result_id: resultId, call_id: callId, asked } of await this.due()) {
        await this.alone(resultId, async () => {
          if (asked && callId) this.deps.line?.hangUp({ callId, resultId });
          await this.apply(resultId, (chain, now) => this.overdue(chain, now));
        });
      }
      if (!this.deps.line) return;
      while (!this.closed && (await this.startOne()));
    } catch (error) {
      this.deps.log({
        level: 'warn',
        message: 'chains could not be looked after, will be tried again',
        ...errorFacts(error),
      });
    }
  }

  /** A chain that cannot go on ends, and keeps no line from the others. */
  private async alone(resultId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isRowFault(error)) throw error;
      const { database, clock, log } = this.deps;
      log({ level: 'error', message: 'a chain could not go on', resultId, ...errorFacts(error) });
      const spaceId = await failChain(database, resultId, clock.now());
      if (spaceId !== undefined) this.tell(spaceId, resultId, 'update');
    }
  }

  private async renew(): Promise<void> {
    const now = this.deps.clock.now();
    if (now - this.renewedAt < renewIntervalMs) return;
    this.renewedAt = now;
    await this.deps.database.query('update pigeon_chain set lease_until = $1 where owner = $2', [
      isoTime(now + lease),
      this.deps.instance,
    ]);
  }

  /** Chains whose time has come, whose process has died, or whose call another process was asked to hang up. */
  private async due() {
    const { database, clock, instance, line } = this.deps;
    const { rows } = await database.query<{ result_id: string; call_id: string | null; asked: boolean }>(
      `select result_id, state->'call'->>'callId' as call_id, status = 'aborting' and owner = $2 as asked
       from pigeon_chain where
         (status in ${active} and due_at <= $1 and (owner is null or owner = $2))
         or (status in ${active} and owner <> $2 and lease_until <= $1)
         or (status = 'aborting' and owner = $2)
         or ($3 and status in ('waiting', 'preparing', 'processing', 'aborting') and owner is null)
       order by created_at limit ${max}`,
      [isoTime(clock.now()), instance, line === null],
    );
    return rows;
  }

  private overdue({ owner, leaseUntil, state, line }: StoredChain, now: number): ChainInput | null {
    const mine = owner === null || owner === this.deps.instance;
    if (!mine && leaseUntil > now) return null;
    const known = this.deps.line;
    if (!known) return { kind: 'noLine' };
    if (mine) return { kind: 'tick' };
    const alive = known.kind === line && known.outlives && state.call?.status !== 'preparing';
    return { kind: alive ? 'tick' : 'interrupted' };
  }

  /** Starts the chain that has waited longest if a line is free. */
  private async startOne(): Promise<boolean> {
    const { database, lines } = this.deps;
    let resultId: string | undefined;
    let started: Done | null = null;
    const start = () =>
      database.transaction(async (tx) => {
        await tx.query("select pg_advisory_xact_lock(hashtext('yagura pigeon lines'))");
        const { rows } = await tx.query<{ result_id: string }>(
          `select result_id from pigeon_chain where status = 'waiting'
           and (select count(*) from pigeon_chain where status in ${active}) < $1
         order by created_at, result_id limit 1`,
          [lines],
        );
        resultId = rows[0]?.result_id;
        const chain = resultId && (await lockChain(tx, resultId));
        return chain ? this.step(tx, chain, { kind: 'start' }) : null;
      });
    try {
      started = await start();
    } catch (error) {
      if (resultId === undefined) throw error;
      await this.alone(resultId, () => Promise.reject(error));
      return true;
    }
    if (!started) return false;
    this.carryOut(started);
    return true;
  }

  private apply(resultId: string, choose: Choose, spaceId?: string): Promise<void> {
    const before = this.tails.get(resultId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.applyNow(resultId, choose, spaceId));
    this.tails.set(resultId, turn);
    const done = () => {
      if (this.tails.get(resultId) === turn) this.tails.delete(resultId);
    };
    turn.then(done, done);
    return turn;
  }

  private async applyNow(resultId: string, choose: Choose, spaceId?: string): Promise<void> {
    const { database, clock } = this.deps;
    const done = await database.transaction(async (tx) => {
      const chain = await lockChain(tx, resultId, spaceId);
      const input = chain && choose(chain, clock.now());
      if (!chain || !input || isFinal(chain.state.status)) return null;
      return this.step(tx, chain, input);
    });
    if (done) this.carryOut(done);
  }

  private async step(tx: Transaction, chain: StoredChain, input: ChainInput): Promise<Done> {
    const { clock, nextId, line, instance } = this.deps;
    const now = clock.now();
    const step = stepChain(chain.plan, chain.state, input, now, nextId);
    const mine = step.dial !== null || chain.owner === instance;
    const free = line?.outlives && step.state.call?.status !== 'preparing';
    await writeStep(tx, chain, step, {
      now,
      line: step.dial && line ? line.kind : chain.line,
      owner: free ? null : mine ? instance : chain.owner,
      leaseUntil: mine ? now + lease : chain.leaseUntil,
    });
    const after: (() => void)[] = [];
    for (const event of step.events) after.push(await this.deps.notify(tx, chain, step, event));
    return { chain, step, after };
  }

  /** What a committed step wants done outside the store. */
  private carryOut({ chain, step, after }: Done): void {
    const { line } = this.deps;
    const { resultId, spaceId } = chain;
    for (const callId of step.hangUp) line?.hangUp({ callId, resultId });
    if (step.dial && line) {
      const { callId } = step.dial;
      line.dial(orderOf(chain, step.dial), (report) => {
        if (this.closed) return;
        this.report({ resultId, spaceId }, callId, report).catch((error) =>
          // The engine's own time limits end the call.
          this.deps.log({ level: 'warn', message: 'a call could not be recorded', ...errorFacts(error) }),
        );
      });
    }
    this.tell(chain.spaceId, resultId, 'update');
    for (const work of after) work();
    if (isFinal(step.state.status)) this.wake();
  }

  private tell(spaceId: string, id: string, op: 'create' | 'update'): void {
    const at = isoTime(this.deps.clock.now());
    this.deps.changes.publish([{ spaceId, resource: 'result', id, op, at }]);
  }
}

interface Done {
  chain: StoredChain;
  step: Step;
  after: (() => void)[];
}
