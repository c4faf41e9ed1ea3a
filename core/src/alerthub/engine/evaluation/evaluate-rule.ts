// Rules: compiled once, then evaluated for each message; a match yields severity changes.

import type { Reason, RuleDecision, StepDecision } from '../../decision-log.ts';
import type { ConditionalEventParam, EventParam, SeverityNameSource, Step } from '../../flow-schema.ts';
import { toText } from '../data/convert-values.ts';
import { type DataPath, parsePath } from '../data/data-path.ts';
import type { FlowData } from '../data/flow-data.ts';
import { JsonPath } from '../data/json-path.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, toFlowError, withErrorPath } from '../errors/flow-error.ts';
import { type CompiledStep, checkFlow, compileFlow, runStep } from './compile-flow.ts';
import { readFingerprint } from './read-fingerprint.ts';
import type { ScopeLookup } from './scope-index.ts';
import { compileSelector, type NewScope, type ScopeSelector } from './scope-selector.ts';

/** The fields of a rule that evaluation needs. */
export interface RuleSource {
  ruleId: string;
  displayName: string;
  receiveSlotId: string;
  disabled: boolean;
  createdAt: string;
  /** Absent in a rule stored before there were elements. */
  forEach?: string | null | undefined;
  flow: { steps: readonly Step[] };
  eventParams: readonly EventParam[];
  conditionalEventParams: readonly ConditionalEventParam[];
}

type ChangeSource = Pick<EventParam, 'mode' | 'delta' | 'value' | 'fingerprint'>;

/**
 * A requested change of one severity of one scope: by an amount, to a value, or to a value of one fingerprint in
 * it.
 */
export type SeverityChange = { scopeId: string } & NamedChange;

/** A change of a scope that exists, or of one to be created. */
export type PlannedChange =
  | (SeverityChange & { newScope?: undefined })
  | ({ newScope: NewScope } & NamedChange);

type NamedChange = { severityName: string } & Amount;
type Amount =
  | { delta: number; set?: undefined }
  | { set: { value: number; fingerprint: string | null }; delta?: undefined };

export interface CompiledEvent {
  scopeId: string | undefined;
  selector: ScopeSelector | undefined;
  name: { literal: string } | { path: DataPath };
  change: { delta: number } | { value: number; fingerprint: DataPath | undefined };
}

export interface CompiledRule {
  ruleId: string;
  displayName: string;
  receiveSlotId: string;
  disabled: boolean;
  createdAt: string;
  /** The query that selects the elements to evaluate; undefined to evaluate the message once. */
  forEach: { text: string; query: JsonPath } | undefined;
  steps: readonly CompiledStep[];
  events: readonly CompiledEvent[];
  /** Why a stored rule cannot run; it fails for every message with this reason. */
  compileError: FlowError | undefined;
}

export type RuleBody = Pick<RuleSource, 'forEach' | 'flow' | 'eventParams' | 'conditionalEventParams'>;

/** Throws FlowError that names the field, e.g. `flow.steps.2.params.pattern`. */
export function compileRule(rule: RuleSource): CompiledRule {
  const { ruleId, displayName, receiveSlotId, disabled, createdAt } = rule;
  const forEach = compileForEach(rule);
  const steps = withErrorPath('flow', () => compileFlow(rule.flow));
  const events = compileEvents(rule);
  return {
    ...{ ruleId, displayName, receiveSlotId, disabled, createdAt, forEach, steps, events },
    compileError: undefined,
  };
}

/** All errors in a rule to be saved. */
export function checkRule(rule: RuleBody): FlowError[] {
  const errors = checkFlow(rule.flow).map((error) => error.withPathPrefix('flow'));
  for (const compile of [compileForEach, compileEvents]) {
    try {
      compile(rule);
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      errors.push(error);
    }
  }
  return errors;
}

const elementRoots: readonly unknown[] = ['element', 'elementIndex'];

function compileForEach({ forEach, flow }: RuleBody): CompiledRule['forEach'] {
  if (forEach === null || forEach === undefined) return undefined;
  const text = forEach.trim();
  const query = withErrorPath('forEach', () => new JsonPath(text));
  for (const [index, { params }] of flow.steps.entries()) {
    const name = params.destination;
    if (elementRoots.includes(name))
      throw new FlowError(`flow.steps.${index}.params.destination`, reason('why.name.reserved', { name }));
  }
  return { text, query };
}

/** Compiles the events that a match raises. Throws FlowError naming the field. */
export function compileEvents(rule: RuleBody): CompiledEvent[] {
  return [
    ...rule.eventParams.map(
      (param, index): CompiledEvent =>
        withErrorPath(`eventParams.${index}`, () => ({
          scopeId: param.scopeId,
          selector: undefined,
          name: compileSeverityName(param.severityName),
          change: compileChange(param),
        })),
    ),
    ...rule.conditionalEventParams.map((param, index) =>
      withErrorPath(
        `conditionalEventParams.${index}`,
        (): CompiledEvent => ({
          scopeId: undefined,
          selector: compileSelector(param),
          name: compileSeverityName(param.severityName),
          change: compileChange(param),
        }),
      ),
    ),
  ];
}

function compileSeverityName(source: SeverityNameSource): CompiledEvent['name'] {
  if ('literal' in source) return source;
  return { path: withErrorPath('severityName.path', () => parsePath(source.path)) };
}

function compileChange({ mode, delta, value, fingerprint }: ChangeSource): CompiledEvent['change'] {
  const check = (name: string, given: unknown, isOwn: boolean) => {
    const missing = given === undefined || given === null;
    if (isOwn && missing) throw new FlowError(name, reason('why.param.missing'));
    if (!isOwn && !missing) throw new FlowError(name, reason('why.event.otherMode'));
  };
  const isSet = mode === 'set';
  check('delta', delta, !isSet);
  check('value', value, isSet);
  if (!isSet) check('fingerprint', fingerprint, false);
  if (!isSet) return { delta: delta! };
  const path = fingerprint?.path;
  const compiled = path === undefined ? undefined : withErrorPath('fingerprint.path', () => parsePath(path));
  return { value: value!, fingerprint: compiled };
}

/** The decision of a rule that cannot or must not be evaluated; undefined for others. */
export function unevaluatedDecision(rule: CompiledRule): RuleDecision | undefined {
  const decision: RuleDecision = {
    ruleId: rule.ruleId,
    displayName: rule.displayName,
    outcome: 'disabled',
    steps: [],
    notes: [],
  };
  if (rule.disabled) return decision;
  if (!rule.compileError) return undefined;
  const { path, reason: because } = rule.compileError;
  return { ...decision, outcome: 'failed', notes: [reason('why.rule.broken', { path, because })] };
}

/** Result of a rule for a message or an element. */
export interface RuleEvaluation {
  outcome: 'matched' | 'unmatched' | 'failed';
  steps: StepDecision[];
  notes: Reason[];
  changes: PlannedChange[];
}

/**
 * Evaluates a rule on data, which then contains the values written by its steps. An error fails the rule with
 * its reason.
 */
export function evaluateRule(rule: CompiledRule, data: FlowData, scopes: ScopeLookup): RuleEvaluation {
  const evaluation: RuleEvaluation = { outcome: 'matched', steps: [], notes: [], changes: [] };
  for (const step of rule.steps) {
    const stepDecision = runStep(step, data);
    evaluation.steps.push(stepDecision);
    if (stepDecision.outcome === 'passed') continue;
    evaluation.outcome = stepDecision.outcome === 'failed' ? 'failed' : 'unmatched';
    return evaluation;
  }
  const { notes, changes } = evaluation;
  if (rule.events.length === 0) notes.push(reason('why.event.none'));
  try {
    for (const event of rule.events) changes.push(...severityChangesOf(event, data, scopes, notes));
  } catch (error) {
    return { ...evaluation, outcome: 'failed', notes: [toFlowError(error).reason], changes: [] };
  }
  return evaluation;
}

/** The changes that one event requests; explains in `notes` if there are none. */
export function severityChangesOf(
  event: CompiledEvent,
  data: FlowData,
  scopes: ScopeLookup,
  notes: Reason[],
): PlannedChange[] {
  const severityName = resolveSeverityName(event.name, data, notes);
  if (severityName === undefined) return [];
  const change = resolveChange(event.change, data, notes);
  if (change === undefined) return [];
  if (event.selector) {
    const { scopeIds, newScope } = event.selector.select(scopes, data, notes);
    if (!newScope) return scopeIds.map((scopeId) => ({ scopeId, severityName, ...change }));
    if ((change.set ? change.set.value : change.delta) > 0) return [{ newScope, severityName, ...change }];
    notes.push(reason('why.event.nothingToLower', { name: newScope.displayName }));
    return [];
  }
  const scopeId = event.scopeId!;
  if (!scopes.has(scopeId)) {
    notes.push(reason('why.event.noScope', { scopeId }));
    return [];
  }
  return [{ scopeId, severityName, ...change }];
}

function resolveChange(change: CompiledEvent['change'], data: FlowData, notes: Reason[]): Amount | undefined {
  if ('delta' in change) return change;
  const { value, fingerprint: path } = change;
  if (!path) return { set: { value, fingerprint: null } };
  const fingerprint = readFingerprint(data, path);
  if (fingerprint !== undefined) return { set: { value, fingerprint } };
  notes.push(reason('why.event.noFingerprint', { path: path.text }));
  return undefined;
}

function resolveSeverityName(
  name: CompiledEvent['name'],
  data: FlowData,
  notes: Reason[],
): string | undefined {
  if ('literal' in name) return name.literal;
  const path = name.path.text;
  const text = toText(data.read(name.path))?.trim() ?? '';
  if (text === '') {
    notes.push(reason('why.event.noName', { path }));
    return undefined;
  }
  if (text.length > 64 || !/^\P{Cc}+$/u.test(text)) {
    notes.push(reason('why.event.badName', { path }));
    return undefined;
  }
  return text;
}
