// Selects scopes by display name and by conditions on their attributes.

import type { Reason } from '../../decision-log.ts';
import type { ConditionalEventParam } from '../../flow-schema.ts';
import { toText } from '../data/convert-values.ts';
import { type DataPath, parsePath } from '../data/data-path.ts';
import type { FlowData } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, withErrorPath } from '../errors/flow-error.ts';
import { ScopeIndex, type ScopeLookup } from './scope-index.ts';
import { checkScopeName, compileScopeName, type ScopeName } from './scope-name.ts';

type AttributeCondition = ConditionalEventParam['attributes'][number];

interface CompiledAttributeCondition {
  name: string;
  op: AttributeCondition['op'];
  value: string | DataPath;
}

type ResolvedCondition = CompiledAttributeCondition & { value: string };

/** A scope to be created because none was selected. */
export interface NewScope {
  displayName: string;
  attributes: ReadonlyMap<string, string>;
}

export interface SelectedScopes {
  scopeIds: readonly string[];
  /** Present only if `scopeIds` is empty. */
  newScope?: NewScope;
}

const none: SelectedScopes = { scopeIds: [] };
/** Maximum length of an attribute of a new scope in characters. */
const maxAttributeLength = 2048;

export class ScopeSelector {
  readonly #conditions: readonly CompiledAttributeCondition[];
  readonly #scopeName: ScopeName | undefined;
  /** Whether it creates a scope if none is selected. */
  readonly createsScope: boolean;
  /** By index: a replay compares two configurations that may have the same selector. */
  readonly #possible = new WeakMap<
    ScopeIndex,
    { size: number; max: number; scopeIds: readonly string[] | undefined }
  >();

  constructor(
    conditions: readonly CompiledAttributeCondition[],
    scopeName: ScopeName | undefined,
    createsScope: boolean,
  ) {
    this.#conditions = conditions;
    this.#scopeName = scopeName;
    this.createsScope = createsScope;
  }

  /** Selects the scopes that match, or else the one to create; explains in `notes` if there are none. */
  select(scopes: ScopeLookup, data: FlowData, notes: Reason[]): SelectedScopes {
    const displayName = this.#scopeName?.read(data);
    if (typeof displayName === 'object') {
      notes.push(displayName);
      return none;
    }
    const conditions: ResolvedCondition[] = [];
    for (const condition of this.#conditions) {
      const value = resolveValue(condition, data);
      if (value === undefined) {
        const path = (condition.value as DataPath).text;
        notes.push(reason('why.event.noAttributeValue', { path, name: condition.name }));
        return none;
      }
      conditions.push({ ...condition, value });
    }
    const scopeIds = [...candidates(scopes, displayName, conditions)].filter((scopeId) =>
      conditions.every(({ name, op, value }) => meetsCondition(scopes.attribute(scopeId, name), op, value)),
    );
    if (scopeIds.length > 0) return { scopeIds };
    if (this.createsScope)
      return this.#create(scopes, displayName ?? conditions[0]!.value, conditions, notes);
    const wanted = describeConditions(conditions);
    if (displayName === undefined) notes.push(reason('why.event.noScopes', { wanted }));
    else if (wanted === '') notes.push(reason('why.event.noScopeNamed', { name: displayName }));
    else notes.push(reason('why.event.noScopeNamedWith', { name: displayName, wanted }));
    return none;
  }

  #create(
    scopes: ScopeLookup,
    wantedName: string,
    conditions: readonly ResolvedCondition[],
    notes: Reason[],
  ): SelectedScopes {
    const refuse = (because: Reason): SelectedScopes => {
      notes.push(because);
      return none;
    };
    const displayName = checkScopeName(wantedName);
    if (typeof displayName === 'object') return refuse(displayName);
    if (scopes.withDisplayName(displayName) !== undefined)
      return refuse(
        reason('why.event.scopeNameTaken', { name: displayName, wanted: describeConditions(conditions) }),
      );
    const unusable = conditions.find(
      ({ value }) => value.length > maxAttributeLength || /[\p{Cc}\p{Cs}]/u.test(value),
    );
    if (unusable) return refuse(reason('why.event.badNewAttribute', { name: unusable.name }));
    const attributes = new Map(conditions.map(({ name, value }) => [name, value]));
    return { scopeIds: [], newScope: { displayName, attributes } };
  }

  /** Whether any message could select the scope. */
  couldSelect(scopes: ScopeLookup, scopeId: string): boolean {
    return this.#conditions.every((condition) =>
      couldMeet(scopes.attribute(scopeId, condition.name), condition),
    );
  }

  /** Ids of the scopes that any message could select; undefined if there are more than `max`. */
  possibleScopes(scopes: ScopeLookup): readonly string[];
  possibleScopes(scopes: ScopeLookup, max: number): readonly string[] | undefined;
  possibleScopes(scopes: ScopeLookup, max = Number.POSITIVE_INFINITY): readonly string[] | undefined {
    if (!(scopes instanceof ScopeIndex)) return this.#findPossible(scopes, max);
    // Asked for with each batch, while the index of a configuration stays the same.
    const { size } = scopes;
    const known = this.#possible.get(scopes);
    if (known?.size === size && known.max === max) return known.scopeIds;
    const scopeIds = this.#findPossible(scopes, max);
    this.#possible.set(scopes, { size, max, scopeIds });
    return scopeIds;
  }

  #findPossible(scopes: ScopeLookup, max: number): readonly string[] | undefined {
    const found: string[] = [];
    for (const scopeId of scopes.all()) {
      if (!this.couldSelect(scopes, scopeId)) continue;
      // Each of many rules would otherwise keep a list of nearly all scopes.
      if (found.length >= max) return undefined;
      found.push(scopeId);
    }
    return found;
  }
}

/**
 * Throws FlowError that names the field. Requires a display name or at least one condition, because none would
 * select every scope.
 */
export function compileSelector({
  attributes,
  scopeName,
  createScope = false,
}: Pick<ConditionalEventParam, 'attributes' | 'scopeName' | 'createScope'>): ScopeSelector {
  if (attributes.length === 0 && !scopeName) throw new FlowError('attributes', reason('why.param.missing'));
  const inexact = createScope ? attributes.findIndex(({ op }) => op !== 'eq') : -1;
  if (inexact >= 0) throw new FlowError(`attributes.${inexact}.op`, reason('why.event.createNeedsEquality'));
  const conditions = attributes.map(({ name, op, value }, index) => ({
    name,
    op,
    value:
      typeof value === 'string'
        ? value
        : withErrorPath(`attributes.${index}.value.path`, () => parsePath(value.path)),
  }));
  const compiledName = scopeName ? withErrorPath('scopeName', () => compileScopeName(scopeName)) : undefined;
  return new ScopeSelector(conditions, compiledName, createScope);
}

function candidates(
  scopes: ScopeLookup,
  displayName: string | undefined,
  conditions: readonly ResolvedCondition[],
): Iterable<string> {
  if (displayName !== undefined) {
    const named = scopes.withDisplayName(displayName);
    return named === undefined ? [] : [named];
  }
  const exact = conditions.find((condition) => condition.op === 'eq');
  return exact ? scopes.withAttribute(exact.name, exact.value) : scopes.all();
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

/** Whether the condition can hold for a scope, whatever a message has at its path. */
function couldMeet(own: string | undefined, { op, value }: CompiledAttributeCondition): boolean {
  if (op === 'pr') return meetsCondition(own, op, '');
  return typeof value === 'string' ? meetsCondition(own, op, value) : own !== undefined || op === 'ne';
}

function describeConditions(
  resolvedConditions: readonly { name: string; op: string; value: string }[],
): string {
  const parts = resolvedConditions.map(({ name, op, value }) =>
    op === 'pr' ? `${name} pr` : `${name} ${op} "${value.slice(0, 100)}"`,
  );
  return parts.join(', ').slice(0, 500);
}
