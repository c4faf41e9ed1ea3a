// Adds the scopes that rules have created to a compiled configuration.
import type { CompiledConfig, CompiledScope } from '../evaluation/compile-config.ts';
import { ExtendedScopeIndex } from '../evaluation/scope-index.ts';

/** A scope that a rule has created. */
export interface CreatedScope {
  receiveSlotId: string;
  ruleId: string;
  scope: CompiledScope;
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
