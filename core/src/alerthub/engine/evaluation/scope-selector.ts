// Selects scopes by conditions on their attributes, using an index for equality conditions.

import type { Reason } from '../../decision-log.ts';
import type { ConditionalEventParam } from '../../flow-schema.ts';
import { toText } from '../data/convert-values.ts';
import { type DataPath, parsePath } from '../data/data-path.ts';
import type { FlowData } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, withErrorPath } from '../errors/flow-error.ts';

type AttributeCondition = ConditionalEventParam['attributes'][number];

interface CompiledAttributeCondition {
  name: string;
  op: AttributeCondition['op'];
  value: string | DataPath;
}

/** Scopes by id and by attribute. */
export class ScopeIndex {
  readonly #attributes: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly #byValue = new Map<string, Map<string, string[]>>();

  /** `attributes` contains the attributes of every scope, in the order in which events are raised. */
  constructor(attributes: ReadonlyMap<string, ReadonlyMap<string, string>>) {
    this.#attributes = attributes;
    for (const [scopeId, own] of attributes) {
      for (const [name, value] of own) {
        const values = this.#byValue.get(name) ?? new Map<string, string[]>();
        this.#byValue.set(name, values);
        const scopeIds = values.get(value);
        if (scopeIds) scopeIds.push(scopeId);
        else values.set(value, [scopeId]);
      }
    }
  }

  has(scopeId: string): boolean {
    return this.#attributes.has(scopeId);
  }

  attribute(scopeId: string, name: string): string | undefined {
    return this.#attributes.get(scopeId)?.get(name);
  }

  withAttribute(name: string, value: string): readonly string[] {
    return this.#byValue.get(name)?.get(value) ?? [];
  }

  all(): Iterable<string> {
    return this.#attributes.keys();
  }
}

export class ScopeSelector {
  readonly #conditions: readonly CompiledAttributeCondition[];

  constructor(conditions: readonly CompiledAttributeCondition[]) {
    this.#conditions = conditions;
  }

  /** Ids of the scopes that match all conditions; explains in `notes` if there are none. */
  select(scopes: ScopeIndex, data: FlowData, notes: Reason[]): string[] {
    const resolvedConditions: { name: string; op: CompiledAttributeCondition['op']; value: string }[] = [];
    for (const condition of this.#conditions) {
      const value = resolveValue(condition, data);
      if (value === undefined) {
        const path = (condition.value as DataPath).text;
        notes.push(reason('why.event.noAttributeValue', { path, name: condition.name }));
        return [];
      }
      resolvedConditions.push({ name: condition.name, op: condition.op, value });
    }
    const exact = resolvedConditions.find((condition) => condition.op === 'eq');
    const candidates = exact ? scopes.withAttribute(exact.name, exact.value) : scopes.all();
    const found: string[] = [];
    for (const scopeId of candidates) {
      if (
        resolvedConditions.every(({ name, op, value }) =>
          meetsCondition(scopes.attribute(scopeId, name), op, value),
        )
      )
        found.push(scopeId);
    }
    if (found.length === 0)
      notes.push(reason('why.event.noScopes', { wanted: describeConditions(resolvedConditions) }));
    return found;
  }

  /** Ids of the scopes that any message could select. */
  possibleScopes(scopes: ScopeIndex): string[] {
    const literal = this.#conditions.filter((condition) => typeof condition.value === 'string');
    return [...scopes.all()].filter((scopeId) =>
      literal.every(({ name, op, value }) =>
        meetsCondition(scopes.attribute(scopeId, name), op, value as string),
      ),
    );
  }
}

/**
 * Throws FlowError with a path below `attributes`. Requires at least one condition, because an empty list
 * would select every scope.
 */
export function compileSelector(conditions: readonly AttributeCondition[]): ScopeSelector {
  if (conditions.length === 0) throw new FlowError('attributes', reason('why.param.missing'));
  return new ScopeSelector(
    conditions.map(({ name, op, value }, index) => ({
      name,
      op,
      value:
        typeof value === 'string'
          ? value
          : withErrorPath(`attributes.${index}.value.path`, () => parsePath(value.path)),
    })),
  );
}

function resolveValue(condition: CompiledAttributeCondition, data: FlowData): string | undefined {
  if (typeof condition.value === 'string') return condition.value;
  return condition.op === 'pr' ? '' : toText(data.read(condition.value));
}

/** A scope without the attribute only matches `ne`. */
function meetsCondition(
  own: string | undefined,
  op: CompiledAttributeCondition['op'],
  value: string,
): boolean {
  if (own === undefined) return op === 'ne';
  switch (op) {
    case 'eq':
      return own === value;
    case 'ne':
      return own !== value;
    case 'co':
      return own.includes(value);
    case 'sw':
      return own.startsWith(value);
    case 'ew':
      return own.endsWith(value);
    case 'pr':
      return own !== '';
  }
}

function describeConditions(
  resolvedConditions: readonly { name: string; op: string; value: string }[],
): string {
  const parts = resolvedConditions.map(({ name, op, value }) =>
    op === 'pr' ? `${name} pr` : `${name} ${op} "${value.slice(0, 100)}"`,
  );
  return parts.join(', ').slice(0, 500);
}
