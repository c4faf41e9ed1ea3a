// Creates scopes that rules select and that do not exist yet.
import type { Reason } from '../../decision-log.ts';
import { defaultSeverityName, defaultThresholds } from '../../scope-status.ts';
import { reason } from '../errors/decision-reason.ts';
import type { CompiledScope } from '../evaluation/compile-config.ts';
import { ScopeMutes } from '../evaluation/scope-mutes.ts';
import type { NewScope } from '../evaluation/scope-selector.ts';
import type { Batch } from './batch.ts';
import { extendConfig } from './config-extension.ts';

/** Maximum number of existing scopes that the rules of one receive slot have created. */
export const maxCreatedScopes = 1000;

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
