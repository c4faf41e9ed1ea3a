// Settings of a replay: the stored and the changed ones, and which of them must run to compare the two.
import {
  type CompiledConfig,
  type ConfigRows,
  compileConfig,
  possibleScopesOf,
} from '@yagura/core/alerthub/engine/evaluation/compile-config';
import type { CompiledRule } from '@yagura/core/alerthub/engine/evaluation/evaluate-rule';
import type { ReplayChange } from '@yagura/core/alerthub/replay';

export interface ReplaySettings {
  before: CompiledConfig;
  after: CompiledConfig;
  /** Scopes that the change can affect. */
  scopeIds: ReadonlySet<string>;
  /** Slots whose messages reach those scopes. */
  slotIds: string[];
}

/** Name of the list and of the id field for each kind. */
const rowLists = {
  rule: ['rules', 'ruleId'],
  trigger: ['triggers', 'triggerId'],
  scope: ['scopes', 'scopeId'],
  'mute-schedule': ['mutes', 'muteScheduleId'],
} as const;

/** Placeholder id of an item that is not stored yet. */
const newRowId = '00000000-0000-7000-8000-000000000000';

export function buildReplaySettings(
  rows: ConfigRows,
  change: ReplayChange | null,
  now: string,
): ReplaySettings {
  const changed = change ? applyChange(rows, change, now) : rows;
  const before = compileConfig(rows);
  const after = compileConfig(changed);
  const scopeIds = change ? affectedScopes(before, after, change) : new Set(before.scopes.keys());
  const focused = [before, after].map((config) => restrictToScopes(config, scopeIds)) as [
    CompiledConfig,
    CompiledConfig,
  ];
  const slotIds = new Set(focused.flatMap((config) => [...config.rulesBySlot.keys()]));
  return { before: focused[0], after: focused[1], scopeIds, slotIds: [...slotIds] };
}

/** Returns the stored row that a change refers to; undefined if there is none. */
export function findStoredRow(
  rows: ConfigRows,
  { kind, id }: ReplayChange,
): Record<string, unknown> | undefined {
  const [list, idName] = rowLists[kind];
  const found = (rows[list] ?? []) as unknown as Record<string, unknown>[];
  return found.find((row) => row[idName] === id);
}

function applyChange(rows: ConfigRows, change: ReplayChange, now: string): ConfigRows {
  const [list, idName] = rowLists[change.kind];
  const all = (rows[list] ?? []) as unknown as Record<string, unknown>[];
  const stored = findStoredRow(rows, change);
  const base = stored ?? { [idName]: newRowId, scopeId: change.scopeId, createdAt: now };
  const made = change.body ? [{ ...base, ...change.body }] : [];
  return { ...rows, [list]: [...all.filter((row) => row !== stored), ...made] };
}

function affectedScopes(before: CompiledConfig, after: CompiledConfig, change: ReplayChange): Set<string> {
  if (change.kind === 'scope') return new Set(change.id ? [change.id] : []);
  if (change.kind !== 'rule') {
    const scopes = [before, after].flatMap((config) => [...config.scopes.values()]);
    const id = change.id ?? newRowId;
    const own = scopes.filter(({ source, triggers }) =>
      change.scopeId
        ? source.scopeId === change.scopeId
        : triggers.some((one) => one.source.triggerId === id),
    );
    return new Set(own.map(({ source }) => source.scopeId));
  }
  const ruleId = change.id ?? newRowId;
  return new Set(
    [before, after].flatMap((config) =>
      [...config.rulesBySlot.values()]
        .flat()
        .filter((rule) => rule.ruleId === ruleId)
        .flatMap((rule) => scopesOfRule(config, rule)),
    ),
  );
}

/** Keeps only rules that may affect these scopes or create some, and drops runbooks triggered by messages. */
function restrictToScopes(config: CompiledConfig, scopeIds: ReadonlySet<string>): CompiledConfig {
  const rulesBySlot = new Map<string, readonly CompiledRule[]>();
  for (const [slotId, rules] of config.rulesBySlot) {
    const kept = rules.filter(
      (rule) =>
        rule.events.some(({ selector }) => selector?.createsScope) ||
        scopesOfRule(config, rule).some((scopeId) => scopeIds.has(scopeId)),
    );
    if (kept.length > 0) rulesBySlot.set(slotId, kept);
  }
  return { ...config, rulesBySlot, runbookOfSlot: new Map() };
}

function scopesOfRule(config: CompiledConfig, rule: CompiledRule): string[] {
  return rule.disabled ? [] : rule.events.flatMap((event) => possibleScopesOf(event, config));
}
