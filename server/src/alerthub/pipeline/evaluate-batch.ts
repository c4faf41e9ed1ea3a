// Evaluates one batch of messages, due triggers, due runbooks or requested changes: loads the settings and the
// state that the batch needs, and stores nothing.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import {
  type CompiledConfig,
  requiredHistory,
  scopesWithFingerprints,
  touchedScopes,
} from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { scopesOfRunbook } from '@yagura/core/alerthub/engine/evaluation/compile-runbook';
import type { BatchResult } from '@yagura/core/alerthub/engine/execution/batch';
import {
  decideEvents,
  decideMessages,
  type MessageDecision,
  type RequestedSeverityChange,
} from '@yagura/core/alerthub/engine/execution/decide-batch';
import { decideDueTriggers } from '@yagura/core/alerthub/engine/execution/decide-due-triggers';
import { runRunbooks } from '@yagura/core/alerthub/engine/execution/run-runbooks';
import type { RunbookProgress } from '@yagura/core/alerthub/engine/execution/runbook-run';
import { type Clock, isoTime } from '../../common/clock.ts';
import type { NextId } from '../../common/id.ts';
import type { Queryable } from '../../db/database.ts';
import { applyResult } from './apply-result.ts';
import { loadDueRunbooks } from './due-runbooks.ts';
import { loadDueTriggers } from './due-triggers.ts';
import { loadContributions, loadHistory, loadSeverities, mergeHistories } from './load-history.ts';
import type { PipelineConfig } from './pipeline-config.ts';
import type { FindChanges } from './recovery-scheduler.ts';

export interface EvaluationDeps {
  clock: Clock;
  nextId: NextId;
  config: Pick<PipelineConfig, 'of'>;
}

/** Messages of one space with their queue positions; those of the journal have none. */
interface WaitingMessages {
  seqs: string[];
  messages: ReceivedMessage[];
}

/** Messages that a batch removes from the queue, with their decisions. */
interface DequeuedMessages extends WaitingMessages {
  decisions: MessageDecision[];
}

/** The results of a batch of one space, with the inputs used. */
export interface EvaluatedBatch {
  spaceId: string;
  now: string;
  config: CompiledConfig;
  taken: DequeuedMessages;
  result: BatchResult;
  /** Progress of runbook records, including those that the batch starts. */
  progress: readonly RunbookProgress[];
}

/** Results of due rows; `hasMore` means that others may be due. */
export interface EvaluatedDueRows {
  batch: EvaluatedBatch;
  hasMore: boolean;
}

const noMessages: DequeuedMessages = { seqs: [], messages: [], decisions: [] };

/** Maximum characters that one batch may generate. */
const maxWeight = 16 << 20;

/**
 * Evaluates messages of one space; `seqs` are their queue positions. Messages that would make the batch too
 * large are left out.
 *
 * With `begins`, runbooks triggered by the messages start in the same batch, which saves a separate turn
 * per record.
 */
export async function evaluateMessages(
  deps: EvaluationDeps,
  db: Queryable,
  spaceId: string,
  waiting: WaitingMessages,
  begins: boolean,
): Promise<EvaluatedBatch> {
  const now = isoTime(deps.clock.now());
  const config = await deps.config.of(db, spaceId);
  const loaded = await loadState(db, config, waiting.messages, now);
  return decideWaiting(deps, db, { spaceId, now, config, ...loaded }, waiting, begins);
}

/**
 * Evaluates messages that come after those of `previous`, with the same settings, while its results are being stored: the
 * state is asked for before the caller's next statement, and then the results are applied to it. Undefined if conditions
 * look at stored events, actions or messages.
 */
export async function evaluateFollowing(
  deps: EvaluationDeps,
  db: Queryable,
  { spaceId, config, result }: EvaluatedBatch,
  messages: ReceivedMessage[],
): Promise<EvaluatedBatch | undefined> {
  const needs = Object.values(requiredHistory(config, touchedScopes(config, messages)));
  if (needs.some(({ size }) => size > 0)) return undefined;
  const now = isoTime(deps.clock.now());
  const loaded = await loadState(db, config, messages, now);
  applyResult(loaded, result);
  return decideWaiting(deps, db, { spaceId, now, config, ...loaded }, { seqs: [], messages }, true);
}

async function loadState(
  db: Queryable,
  config: CompiledConfig,
  messages: readonly ReceivedMessage[],
  now: string,
) {
  const scopeIds = touchedScopes(config, messages);
  // Asked at once: the embedded engine gets them in one exchange with its thread.
  const [state, contributions, loaded] = await Promise.all([
    loadSeverities(db, scopeIds),
    loadContributions(db, scopesWithFingerprints(config, messages)),
    loadHistory(db, config, scopeIds, now),
  ]);
  return { scopeIds, state, contributions, history: mergeHistories(loaded) };
}

/** The settings and state with which a batch is evaluated. */
type LoadedState = Pick<EvaluatedBatch, 'spaceId' | 'now' | 'config'> & Awaited<ReturnType<typeof loadState>>;

async function decideWaiting(
  { nextId }: EvaluationDeps,
  db: Queryable,
  { spaceId, now, config, scopeIds, state, contributions, history }: LoadedState,
  { seqs, messages }: WaitingMessages,
  begins: boolean,
): Promise<EvaluatedBatch> {
  const input = { config, state, contributions, history, now, nextId, messages, maxWeight };
  const decided = decideMessages(input);
  let startedRunbooks: RunbookProgress[] = [];
  if (begins && decided.runbookStarts.length > 0) {
    const graphs = new Set(decided.runbookStarts.map(({ runbook }) => runbook));
    const more = new Set([...graphs].flatMap((graph) => [...scopesOfRunbook(graph, config)]));
    for (const scopeId of scopeIds) more.delete(scopeId);
    for (const [scopeId, values] of await loadSeverities(db, more)) state.set(scopeId, values);
    history.add(await loadHistory(db, config, more, now));
    startedRunbooks = decided.startRunbooks();
  }
  const decisions = decided.messages;
  const count = decisions.length;
  const taken = { seqs: seqs.slice(0, count), messages: messages.slice(0, count), decisions };
  return { spaceId, now, config, taken, result: decided.result(), progress: startedRunbooks };
}

/** Evaluates changes that do not originate from a message; a function computes them now. */
export async function evaluateChanges(
  { clock, nextId, config: configs }: EvaluationDeps,
  db: Queryable,
  spaceId: string,
  requested: readonly RequestedSeverityChange[] | FindChanges,
): Promise<EvaluatedBatch & { result: ReturnType<typeof decideEvents> }> {
  const now = isoTime(clock.now());
  const changes = typeof requested === 'function' ? await requested(db, now) : requested;
  const scopeIds = new Set(changes.map((change) => change.scopeId));
  const config = await configs.of(db, spaceId);
  const state = await loadSeverities(db, scopeIds);
  const history = await loadHistory(db, config, scopeIds, now);
  const result = decideEvents({ config, state, history, now, nextId, changes });
  return { spaceId, now, config, taken: noMessages, result, progress: [] };
}

/**
 * Evaluates at most `size` due waiting triggers of one space; undefined if none is due. `onFirst` is called
 * with the first one before anything can fail.
 */
export async function evaluateDueTriggers(
  { clock, nextId, config: configs }: EvaluationDeps,
  db: Queryable,
  size: number,
  onFirst: (waitingTriggerId: string) => void,
): Promise<EvaluatedDueRows | undefined> {
  const now = isoTime(clock.now());
  const { spaceId, releases: dueTriggers, more } = await loadDueTriggers(db, now, size);
  if (!spaceId) return undefined;
  onFirst(dueTriggers[0]!.waitingTriggerId);
  const config = await configs.of(db, spaceId);
  const scopeIds = new Set(dueTriggers.map((release) => release.scopeId));
  const state = await loadSeverities(db, scopeIds);
  const oldest = dueTriggers.map(({ event }) => event.createdAt).sort()[0] ?? now;
  const history = await loadHistory(db, config, scopeIds, now, oldest);
  const result = decideDueTriggers({
    config,
    state,
    history,
    now,
    nextId,
    dueTriggers,
    maxWeight,
  });
  return {
    batch: { spaceId, now, config, taken: noMessages, result, progress: [] },
    hasMore: more || result.released.length < dueTriggers.length,
  };
}

/**
 * Advances at most `size` due runbook records of one space as far as possible; undefined if none is due.
 * `onFirst` is called with the first one before anything can fail.
 */
export async function evaluateDueRunbooks(
  { clock, nextId, config: configs }: EvaluationDeps,
  db: Queryable,
  size: number,
  onFirst: (runbookRecordId: string) => void,
): Promise<EvaluatedDueRows | undefined> {
  const now = isoTime(clock.now());
  const { spaceId, runs, more } = await loadDueRunbooks(db, now, size);
  if (!spaceId) return undefined;
  onFirst(runs[0]!.runbookRecordId);
  const config = await configs.of(db, spaceId);
  const scopes = new Set(runs.flatMap((run) => [...scopesOfRunbook(run.graph, config)]));
  const state = await loadSeverities(db, scopes);
  const history = await loadHistory(db, config, scopes, now);
  const result = runRunbooks({ config, state, history, now, nextId, runs, maxWeight });
  const { progress } = result;
  const isCut = progress.length < runs.length;
  return {
    batch: { spaceId, now, config, taken: noMessages, result, progress },
    hasMore: more || isCut || progress.some((one) => one.dueAt === now),
  };
}
