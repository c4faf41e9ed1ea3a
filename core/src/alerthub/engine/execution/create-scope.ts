// Creates scopes that rules select and that do not exist yet.
import type { Reason } from '../../decision-log.ts';
import { defaultSeverityName, defaultThresholds } from '../../scope-status.ts';
import { reason } from '../errors/decision-reason.ts';
import type { CompiledConfig, CompiledScope } from '../evaluation/compile-config.ts';
import { ExtendedScopeIndex } from '../evaluation/scope-index.ts';
import { ScopeMutes } from '../evaluation/scope-mutes.ts';
import type { NewScope } from '../evaluation/scope-selector.ts';
import type { Batch } from './batch.ts';

/** Maximum number of existing scopes that the rules of one receive slot have created. */
export const maxCreatedScopes = 1000;

/** A scope that a rule has created. */
export interface CreatedScope {
  receiveSlotId: string;
  ruleId: string;
  scope: CompiledScope;
}

/** The rule that selects a scope. */
interface Creator {
  receiveSlotId: string;
  ruleId: string;
}

/**
 * Creates a scope in the batch and returns its id; that of an equal scope that an earlier event created, or the
 * reason if there can be none.
 */
export function createScope(
  batch: Batch,
  { receiveSlotId, ruleId }: Creator,
  { displayName, attributes }: NewScope,
  notes: Reason[],
): string | undefined {
  const known = batch.config.scopeIndex.withDisplayName(displayName);
  if (known !== undefined) {
    const isSame = [...attributes].every(
      ([name, value]) => batch.config.scopeIndex.attribute(known, name) === value,
    );
    if (isSame) return known;
    const wanted = [...attributes].map(([name, value]) => `${name} eq "${value.slice(0, 100)}"`).join(', ');
    notes.push(reason('why.event.scopeNameTaken', { name: displayName, wanted: wanted.slice(0, 500) }));
    return undefined;
  }
  const count = batch.config.createdScopeCounts.get(receiveSlotId) ?? 0;
  if (count >= maxCreatedScopes) {
    batch.fullSlots.add(receiveSlotId);
    notes.push(reason('why.event.tooManyScopes', { name: displayName, most: maxCreatedScopes }));
    return undefined;
  }
  const scopeId = batch.nextScopeId(displayName);
  const scope: CompiledScope = {
    source: {
      ...{ scopeId, displayName, remarks: '', recoveryTime: null },
      thresholds: defaultThresholds,
      attributes: [...attributes].map(([name, value]) => ({ name, value })),
    },
    attributes,
    triggers: [],
    mutes: new ScopeMutes([]),
    usesRelatedMessages: false,
  };
  const created = { receiveSlotId, ruleId, scope };
  batch.extension ??= extendConfig(batch.config);
  batch.extension.add(created);
  batch.config = batch.extension.config;
  batch.createdScopes.push(created);
  batch.scope(scopeId)!.changedNames.add(defaultSeverityName);
  notes.push(reason('why.event.scopeCreated', { name: displayName }));
  return scopeId;
}

/** A copy of a configuration, and a function that adds scopes to it. */
export interface ConfigExtension {
  config: CompiledConfig;
  add(created: CreatedScope): void;
}

export function extendConfig(config: CompiledConfig): ConfigExtension {
  const scopes = new Map(config.scopes);
  const scopeIndex = new ExtendedScopeIndex(config.scopeIndex);
  const createdScopeCounts = new Map(config.createdScopeCounts);
  return {
    config: { ...config, scopes, scopeIndex, createdScopeCounts },
    add({ receiveSlotId, scope }) {
      const { scopeId, displayName } = scope.source;
      scopes.set(scopeId, scope);
      scopeIndex.add({ scopeId, displayName, attributes: scope.attributes });
      createdScopeCounts.set(receiveSlotId, (createdScopeCounts.get(receiveSlotId) ?? 0) + 1);
    },
  };
}
