// Configuration of a space, compiled once and used for every batch until it changes.
import type { RunbookSource } from '../../runbook.ts';
import type { Thresholds } from '../../scope-status.ts';
import { toFlowError } from '../errors/flow-error.ts';
import type { ActionSource } from '../template/render-action.ts';
import { type CompiledEvent, type CompiledRule, compileRule, type RuleSource } from './evaluate-rule.ts';
import {
  type CompiledTrigger,
  compileTrigger,
  historyNeeds,
  type TriggerSource,
} from './evaluate-trigger.ts';
import { ScopeIndex, type ScopeLookup } from './scope-index.ts';
import { type MuteSource, ScopeMutes } from './scope-mutes.ts';

export interface ScopeSource {
  scopeId: string;
  displayName: string;
  remarks: string;
  thresholds: Thresholds;
  recoveryTime: number | null;
  attributes: readonly { name: string; value: string }[];
}

export interface NamedAction extends ActionSource {
  actionId: string;
  displayName: string;
}

/** Rows as stored; `space` is what templates read under `space`. */
export interface ConfigRows {
  rules: readonly RuleSource[];
  scopes: readonly ScopeSource[];
  triggers: readonly TriggerSource[];
  mutes?: readonly MuteSource[];
  actions: readonly NamedAction[];
  runbooks?: readonly RunbookSource[];
  /** Receive slots that start a runbook for each message. */
  slotRunbooks?: readonly { receiveSlotId: string; runbookId: string }[];
  /** Number of scopes that rules of a receive slot have created; slots without any may be absent. */
  createdScopeCounts?: ReadonlyMap<string, number>;
  space: Readonly<Record<string, unknown>>;
}

export interface CompiledScope {
  source: ScopeSource;
  attributes: ReadonlyMap<string, string>;
  triggers: readonly CompiledTrigger[];
  mutes: ScopeMutes;
  /** Whether an action or runbook of one of its triggers may read related messages. */
  usesRelatedMessages: boolean;
}

export interface CompiledConfig {
  rulesBySlot: ReadonlyMap<string, readonly CompiledRule[]>;
  scopes: ReadonlyMap<string, CompiledScope>;
  scopeIndex: ScopeLookup;
  createdScopeCounts: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, NamedAction>;
  runbooks: ReadonlyMap<string, RunbookSource>;
  runbookOfSlot: ReadonlyMap<string, RunbookSource>;
  space: Readonly<Record<string, unknown>>;
}

/**
 * Compiles the configuration. A stored rule or trigger that does not compile is kept and fails with its
 * reason. Rows must not be changed afterwards, only replaced: what was made of a row, or of the list of scopes, is kept
 * for the next configuration that has the same object.
 */
export function compileConfig(rows: ConfigRows): CompiledConfig {
  const rulesBySlot = new Map<string, CompiledRule[]>();
  for (const rule of [...rows.rules].sort(byDisplayName((row) => row.ruleId))) {
    appendTo(rulesBySlot, rule.receiveSlotId, compileRuleOnce(rule));
  }
  const triggersByScope = new Map<string, CompiledTrigger[]>();
  const runbooks = new Map((rows.runbooks ?? []).map((runbook) => [runbook.runbookId, runbook]));
  const actions = new Map(rows.actions.map((action) => [action.actionId, action]));
  const scopesUsingRelated = new Set<string>();
  for (const row of [...rows.triggers].sort(byDisplayName((one) => one.triggerId))) {
    const trigger = compileTriggerOnce(row);
    appendTo(triggersByScope, row.scopeId, trigger);
    if (readsRelated(trigger, actions, runbooks)) scopesUsingRelated.add(row.scopeId);
  }
  const mutesByScope = new Map<string, MuteSource[]>();
  for (const mute of rows.mutes ?? []) appendTo(mutesByScope, mute.scopeId, mute);
  const scopes = new Map<string, CompiledScope>();
  for (const source of rows.scopes) {
    scopes.set(source.scopeId, {
      source,
      attributes: attributesOf(source),
      triggers: triggersByScope.get(source.scopeId) ?? [],
      mutes: new ScopeMutes(mutesByScope.get(source.scopeId) ?? []),
      usesRelatedMessages: scopesUsingRelated.has(source.scopeId),
    });
  }
  return {
    rulesBySlot,
    scopes,
    scopeIndex: indexOf(rows.scopes),
    createdScopeCounts: rows.createdScopeCounts ?? new Map(),
    actions,
    runbooks,
    runbookOfSlot: new Map(
      (rows.slotRunbooks ?? []).flatMap(({ receiveSlotId, runbookId }) => {
        const found = runbooks.get(runbookId);
        return found ? [[receiveSlotId, found] as const] : [];
      }),
    ),
    space: rows.space,
  };
}

/** Ids of the scopes that an event could change, whatever the message; undefined if there are more than `max`. */
export function possibleScopesOf(event: CompiledEvent, config: CompiledConfig): readonly string[];
export function possibleScopesOf(
  event: CompiledEvent,
  config: CompiledConfig,
  max: number,
): readonly string[] | undefined;
export function possibleScopesOf(
  { selector, scopeId }: CompiledEvent,
  { scopes, scopeIndex }: CompiledConfig,
  max = Number.POSITIVE_INFINITY,
): readonly string[] | undefined {
  if (selector) return selector.possibleScopes(scopeIndex, max);
  return scopes.has(scopeId!) ? [scopeId!] : [];
}

/** Whether an event could change the scope, whatever the message. */
export function couldChange(
  { selector, scopeId }: CompiledEvent,
  { scopes, scopeIndex }: CompiledConfig,
  wanted: string,
): boolean {
  return selector ? selector.couldSelect(scopeIndex, wanted) : scopeId === wanted && scopes.has(wanted);
}

/** Ids of the scopes that any messages of these slots could change. */
export function touchedScopes(
  config: CompiledConfig,
  messages: Iterable<{ receiveSlotId: string }>,
): Set<string> {
  const touched = new Set<string>();
  for (const slotId of new Set([...messages].map((message) => message.receiveSlotId))) {
    for (const rule of config.rulesBySlot.get(slotId) ?? []) {
      if (rule.disabled) continue;
      for (const event of rule.events)
        for (const scopeId of possibleScopesOf(event, config)) touched.add(scopeId);
    }
  }
  return touched;
}

/**
 * How far back the triggers of these scopes look, in seconds; scopes and triggers without a window are
 * omitted.
 */
export function requiredHistory(
  config: CompiledConfig,
  scopeIds: Iterable<string>,
): {
  eventSeconds: Map<string, number>;
  actionSeconds: Map<string, number>;
  /** By scope: maximum age of a related message in seconds. */
  messageSeconds: Map<string, number>;
} {
  const eventSeconds = new Map<string, number>();
  const actionSeconds = new Map<string, number>();
  const messageSeconds = new Map<string, number>();
  for (const scopeId of scopeIds) {
    const scope = config.scopes.get(scopeId);
    for (const trigger of scope?.triggers ?? []) {
      const reach = scope!.usesRelatedMessages ? trigger.lookBackSeconds + trigger.lookAheadSeconds : 0;
      if (reach > (messageSeconds.get(scopeId) ?? 0)) messageSeconds.set(scopeId, reach);
      const needs = historyNeeds(trigger);
      if (needs.eventSeconds > (eventSeconds.get(scopeId) ?? 0))
        eventSeconds.set(scopeId, needs.eventSeconds);
      if (needs.actionSeconds > 0) actionSeconds.set(trigger.source.triggerId, needs.actionSeconds);
    }
  }
  return { eventSeconds, actionSeconds, messageSeconds };
}

const compileRuleOnce = oncePerSource(compileRuleSafely);
const compileTriggerOnce = oncePerSource(compileTriggerSafely);
const attributesOf = oncePerSource(
  ({ attributes }: ScopeSource): ReadonlyMap<string, string> =>
    new Map(attributes.map(({ name, value }) => [name, value])),
);
const indexOf = oncePerSource(
  (scopes: readonly ScopeSource[]): ScopeLookup =>
    new ScopeIndex(
      scopes.map((source) => ({
        ...{ scopeId: source.scopeId, displayName: source.displayName },
        attributes: attributesOf(source),
      })),
    ),
);

function oncePerSource<Source extends object, Made>(
  make: (source: Source) => Made,
): (source: Source) => Made {
  const known = new WeakMap<Source, Made>();
  return (source) => {
    let made = known.get(source);
    if (made === undefined) {
      made = make(source);
      known.set(source, made);
    }
    return made;
  };
}

function compileRuleSafely(rule: RuleSource): CompiledRule {
  try {
    return compileRule(rule);
  } catch (error) {
    const compileError = toFlowError(error);
    const { ruleId, displayName, receiveSlotId, disabled, createdAt } = rule;
    const identity = { ruleId, displayName, receiveSlotId, disabled, createdAt };
    return { ...identity, forEach: undefined, steps: [], events: [], compileError };
  }
}

function compileTriggerSafely(source: TriggerSource): CompiledTrigger {
  try {
    return compileTrigger(source);
  } catch (error) {
    const compileError = toFlowError(error);
    return {
      source,
      conditions: [],
      steps: [],
      related: [],
      lookBackSeconds: 0,
      lookAheadSeconds: 0,
      compileError,
    };
  }
}

/** Whether the flow or the target of a trigger with a window reads related messages. */
function readsRelated(
  trigger: CompiledTrigger,
  actions: ReadonlyMap<string, NamedAction>,
  runbooks: ReadonlyMap<string, RunbookSource>,
): boolean {
  if (trigger.lookBackSeconds + trigger.lookAheadSeconds === 0) return false;
  const { flow, target } = trigger.source;
  const runbook = target.kind === 'runbook' ? runbooks.get(target.id) : undefined;
  const actionIds = runbook ? runbook.steps.map(({ params }) => params.actionId ?? '') : [target.id];
  const read = [flow, runbook?.steps, ...actionIds.map((id) => actions.get(id)?.parameters)];
  return JSON.stringify(read).includes('relatedMessages');
}

function appendTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** Orders by display name, then age, then id, independent of the load order of the rows. */
function byDisplayName<T extends { displayName: string; createdAt: string }>(id: (row: T) => string) {
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return (a: T, b: T): number =>
    compare(a.displayName, b.displayName) || compare(a.createdAt, b.createdAt) || compare(id(a), id(b));
}
