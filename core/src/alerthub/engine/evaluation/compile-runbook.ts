// Compiles runbook graphs and finds the scopes they may change.
import type { RunbookGraph, RunbookStep } from '../../runbook.ts';
import { FlowError, toFlowError, withErrorPath } from '../errors/flow-error.ts';
import type { StepFunction } from '../operators/define-operator.ts';
import type { CompiledConfig } from './compile-config.ts';
import { type CompiledEvent, compileEvents } from './evaluate-rule.ts';
import { getStepFunction } from './runbook-step-function.ts';

export interface CompiledRunbookStep {
  source: RunbookStep;
  /** For an operator step, whether it tests or transforms; a branch always tests. */
  kind: 'test' | 'transform';
  run: StepFunction | undefined;
  events: readonly CompiledEvent[];
}

/** Steps by id; a step that does not compile fails when a record reaches it. */
export type CompiledRunbook = ReadonlyMap<string, CompiledRunbookStep | FlowError>;

function compileRunbook(graph: RunbookGraph): CompiledRunbook {
  return new Map(
    graph.steps.map((source, index): [string, CompiledRunbookStep | FlowError] => {
      try {
        return [source.stepId, withErrorPath(`steps.${index}`, () => compileStep(source))];
      } catch (error) {
        return [source.stepId, toFlowError(error)];
      }
    }),
  );
}

const compiled = new WeakMap<RunbookGraph, CompiledRunbook>();

/** Compiles a graph; cached as long as the graph object exists. */
export function getCompiledRunbook(graph: RunbookGraph): CompiledRunbook {
  const known = compiled.get(graph);
  if (known) return known;
  const made = compileRunbook(graph);
  compiled.set(graph, made);
  return made;
}

/** Ids of the scopes on which the steps of a runbook may raise events. */
export function scopesOfRunbook(graph: RunbookGraph, config: CompiledConfig): Set<string> {
  const touched = new Set<string>();
  for (const step of getCompiledRunbook(graph).values()) {
    if (step instanceof FlowError) continue;
    for (const { selector, scopeId } of step.events) {
      for (const id of selector ? selector.possibleScopes(config.scopeIndex) : [scopeId!]) touched.add(id);
    }
  }
  return touched;
}

function compileStep(source: RunbookStep): CompiledRunbookStep {
  const { kind, params } = source;
  if (kind === 'action') return { source, kind: 'transform', run: undefined, events: [] };
  if (kind === 'event') {
    const name = params.severityName ?? { literal: 'default' };
    const delta = params.delta ?? 0;
    const events = compileEvents({
      flow: { steps: [] },
      eventParams: params.scopeId ? [{ scopeId: params.scopeId, severityName: name, delta }] : [],
      conditionalEventParams: params.attributes
        ? [{ attributes: params.attributes, severityName: name, delta }]
        : [],
    });
    return { source, kind: 'transform', run: undefined, events };
  }
  const id = (kind === 'operator' ? params.operatorId : params.conditionId) ?? '';
  const found = getStepFunction(kind, id, 'params');
  return {
    source,
    kind: found.kind,
    run: withErrorPath('params', () => found.compile(params.params ?? {})),
    events: [],
  };
}
