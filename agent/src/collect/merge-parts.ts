// Joins what several protocols told about one host, and says where each group was read.
import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import type { Evidence, HostPart } from './host-part.ts';

export interface ReadPart {
  part: HostPart;
  at: string;
  credential?: string | undefined;
}

/**
 * Earlier parts win over later ones, group by group. Only the system has members of its own: later parts add those that
 * are missing, and then both are named.
 */
export function mergeParts(parts: readonly ReadPart[]): {
  fields: Partial<ScannedHostInput>;
  evidence: Evidence[];
} {
  const fields: Partial<ScannedHostInput> = {};
  const evidence: Evidence[] = [];
  const system: Record<string, unknown> = {};
  const extraFields: Record<string, unknown> = {};
  for (const { part, at, credential } of parts) {
    const { signatures, system: ownSystem = {}, extraFields: ownFields = {}, ...rest } = part.fields;
    for (const [name, value] of Object.entries(rest)) (fields as Record<string, unknown>)[name] ??= value;
    fields.signatures = { ...signatures, ...fields.signatures };
    const addsSystem = [addMissing(system, ownSystem), addMissing(extraFields, ownFields as object)].some(
      Boolean,
    );
    const taken = new Set(evidence.map(({ group }) => group));
    const read = [...part.groups.map((group) => ({ group, source: part.source })), ...(part.learnedBy ?? [])];
    for (const one of read)
      if (!taken.has(one.group) || (one.group === 'system' && addsSystem))
        evidence.push({ ...one, at, ...(credential === undefined ? {} : { credential }) });
  }
  if (Object.keys(system).length > 0) fields.system = system;
  if (Object.keys(extraFields).length > 0) fields.extraFields = extraFields;
  return { fields, evidence };
}

/** Whether there was something to add; empty texts are unknown values. */
function addMissing(known: Record<string, unknown>, own: object): boolean {
  const missing = Object.entries(own).filter(([name, value]) => (known[name] ?? '') === '' && value !== '');
  Object.assign(known, Object.fromEntries(missing));
  return missing.length > 0;
}
