// Evaluates one batch of messages, due triggers, due runbooks or requested changes: loads the settings and the
// state that the batch needs, and stores nothing.
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import { type CompiledConfig, requiredHistory } from '@yagura/core/alerthub/engine/evaluation/compile-config';
import { scopesOfRunbook } from '@yagura/core/alerthub/engine/evaluation/compile-runbook';
import {
  type AffectedScopes,
  scopesOfMessages,
} from '@yagura/core/alerthub/engine/evaluation/scopes-of-messages';
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
import { loadContributions, loadHistory, loadSeverities, mergeHistories, noHistory } from './load-history.ts';
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
): Promise<EvaluatedMessages> {
  const { messages } = waiting;
  const state = await loadBatchState(deps, db, spaceId, { slots: messages, read: () => messages });
  return evaluateWith(deps, db, state, waiting, begins);
}

/** Messages to be evaluated, which are read only if necessary. */
export interface UnreadMessages {
  slots: readonly { receiveSlotId: string }[];
  read: () => ReceivedMessage[];
}

/** Loads the settings of a space, and the state that these messages need. */
export async function loadBatchState(
  { clock, config: configs }: EvaluationDeps,
  db: Queryable,
  spaceId: string,
  messages: UnreadMessages,
): Promise<BatchState> {
  const now = isoTime(clock.now());
  const config = await configs.of(db, spaceId);
  return { spaceId, now, config, ...(await loadState(db, config, findScopes(config, messages), now)) };
}

/**
 * Returns the state in which these messages find the space after an earlier batch, with the settings of that one.
 * While its results are being stored, they are given as `unstored`: what has to be loaded is asked for at once, and does
 * not contain them.
 * Undefined if conditions look at stored events, actions or messages.
 */
export async function loadFollowingState(
  { clock }: EvaluationDeps,
  db: Queryable,
  { spaceId, config, loaded }: PreviousBatch,
  messages: UnreadMessages,
  unstored?: BatchResult,
): Promise<BatchState | undefined> {
  const scopes = findScopes(config, messages);
  const needs = Object.values(requiredHistory(config, scopes.touched));
  if (needs.some(({ size }) => size > 0)) return undefined;
  const now = isoTime(clock.now());
  const kept = keepLoaded(loaded, scopes);
  if (kept) return { spaceId, now, config, ...kept };
  const fresh = await loadState(db, config, scopes, now);
  if (unstored) applyResult(fresh, unstored);
  return { spaceId, now, config, ...fresh };
}

const findScopes = (config: CompiledConfig, { slots, read }: UnreadMessages): AffectedScopes =>
  scopesOfMessages(config, slots, read);

/** What an earlier batch has left; undefined if some of what these scopes need is missing. */
function keepLoaded(
  loaded: PreviousBatch['loaded'],
  { touched: scopeIds, withFingerprints }: AffectedScopes,
): LoadedState | undefined {
  for (const scopeId of scopeIds) if (!loaded.scopeIds.has(scopeId)) return undefined;
  const contributions = new Map<string, Map<string, Map<string, number>>>();
  for (const scopeId of withFingerprints) {
    const ofScope = loaded.contributions.get(scopeId);
    if (!ofScope) return undefined;
    contributions.set(scopeId, ofScope);
  }
  const state = new Map([...loaded.state].filter(([scopeId]) => scopeIds.has(scopeId)));
  return { scopeIds, state, contributions, history: mergeHistories(noHistory) };
}

async function loadState(
  db: Queryable,
  config: CompiledConfig,
  { touched: scopeIds, withFingerprints }: AffectedScopes,
  now: string,
) {
  // Asked at once: the embedded engine gets them in one exchange with its thread.
  const [state, contributions, loaded] = await Promise.all([
    loadSeverities(db, scopeIds),
    loadContributions(db, withFingerprints),
    loadHistory(db, config, scopeIds, now),
  ]);
  return { scopeIds, state, contributions, history: mergeHistories(loaded) };
}

type LoadedState = Awaited<ReturnType<typeof loadState>>;
/** The settings and state with which messages are evaluated. */
export type BatchState = Pick<EvaluatedBatch, 'spaceId' | 'now' | 'config'> & LoadedState;
/** Evaluated messages with the state that was loaded for them. */
export type EvaluatedMessages = EvaluatedBatch & { loaded: LoadedState };
/** What the evaluation of the next messages needs of a batch: its settings, and the state that it leaves. */
export type PreviousBatch = Pick<EvaluatedBatch, 'spaceId' | 'config'> & {
  loaded: Omit<LoadedState, 'history'>;
};

/** Evaluates messages in this state; `begins` as for `evaluateMessages`. */
export async function evaluateWith(
  { nextId }: EvaluationDeps,
  db: Queryable,
  { spaceId, now, config, ...loaded }: BatchState,
  { seqs, messages }: WaitingMessages,
  begins: boolean,
): Promise<EvaluatedMessages> {
  const { scopeIds, state, contributions, history } = loaded;
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
  return { spaceId, now, config, taken, result: decided.result(), progress: startedRunbooks, loaded };
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
