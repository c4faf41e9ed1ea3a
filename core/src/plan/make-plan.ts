// Computes the ordered steps from the current items of a space to the wanted items of the files, without side
// effects.

import { mapReferences } from '../alerthub/bulk/map-references.ts';
import { formatReason } from '../alerthub/engine/errors/decision-reason.ts';
import { checkContent } from '../alerthub/engine/evaluation/check-content.ts';
import type { Translate } from '../i18n/translator.ts';
import { inputFields } from '../resource/define-resource.ts';
import { withPlainPositions } from '../resource/exact-position.ts';
import { invalidParams } from '../validation/issue-messages.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { itemPathKey, parentPathKey, planDeletions } from './plan-deletions.ts';
import {
  type Fields,
  isId,
  isSecretSource,
  mapSecrets,
  type PlanItem,
  planItemKey,
  portableFields,
  toInput,
  withoutSecrets,
  withValue,
} from './plan-item.ts';
import { isParentPart, planFields, planKindNamed, planKinds } from './plan-kinds.ts';
import { fieldAt, findUnknownFields } from './unknown-fields.ts';

export interface PlanStep extends Omit<PlanItem, 'fields'> {
  operation: 'create' | 'update' | 'delete';
  /** Expected state before the step; null before a create. */
  before: Fields | null;
  /** State after the step; null after a delete. Secrets are given as the name of their variable. */
  after: Fields | null;
  changes: FieldChange[];
}

export interface RetainedItem extends Omit<PlanItem, 'fields'> {
  reason: string;
}

export interface PlanIssue {
  /** Index of the wanted item. */
  item: number;
  /** Dotted path of the field; empty for the whole item. */
  path: string;
  reason: string;
}

export interface Plan {
  steps: PlanStep[];
  issues: PlanIssue[];
  /** References to items that files cannot create and the space does not have; they stay empty. */
  missing: PlanIssue[];
  /** Number of items that already match the files. */
  unchanged: number;
  /**
   * Number of items missing from the files, of kinds that the files contain, that are kept because pruning is
   * off.
   */
  leftAlone: number;
  /** Items that cannot be deleted although pruning is on. */
  kept: RetainedItem[];
}

export interface PlanRequest {
  desired: readonly PlanItem[];
  /** Kinds that the files contain although they have no items of them. */
  describedKinds?: ReadonlySet<string>;
  existing: readonly PlanItem[];
  /**
   * Existing names by resource, for resources that files cannot create. A new item may refer to one that does
   * not exist yet.
   */
  unmanagedNames: ReadonlyMap<string, ReadonlySet<string>>;
  /** Delete items missing from the files, of kinds that the files contain. */
  prune: boolean;
  /** Why an item cannot be deleted; undefined if it can. */
  keepReason?(item: PlanItem): string | undefined;
  /** Names an item for users, with its kind. */
  labelOf(item: PlanItem): string;
  /** Why a change is not allowed; undefined if it is. */
  rejectStep?(step: PlanStep): { path: string; reason: string } | undefined;
  /** Value of an environment variable. */
  resolveSecret(variable: string): string | undefined;
  t: Translate;
}

/** As many users of an item as refusals of the server name. */
const maxUsersTold = 5;

/** Collects all errors; the steps are only valid if there are none. */
export function makePlan(request: PlanRequest): Plan {
  const existing = new Map(request.existing.map((item) => [planItemKey(item), item]));
  const describedKinds = new Set([
    ...request.desired.map(({ kind }) => kind),
    ...(request.describedKinds ?? []),
  ]);
  const desiredKeys = new Set(request.desired.map(planItemKey));
  const extra = request.existing.filter(
    (item) => describedKinds.has(item.kind) && !desiredKeys.has(planItemKey(item)),
  );
  const { deleted, kept } = request.prune
    ? planDeletions({
        existing: request.existing,
        extra,
        desiredKeys,
        keepReason: (item) => request.keepReason?.(item),
        usedReason: (users) => describeUsers(request, users),
      })
    : { deleted: new Set<PlanItem>(), kept: [] };
  const remaining = request.existing.filter((item) => !deleted.has(item));
  const names = new Set([...request.desired, ...remaining].map(({ kind, name }) => `${kind}\n${name}`));
  const plan: Plan = { steps: [], issues: [], missing: [], unchanged: 0, leftAlone: 0, kept: [] };
  for (const { item, reason } of kept) plan.kept.push({ ...withoutFields(item), reason });
  const pathKeys = new Set([...request.desired, ...remaining].map(itemPathKey));
  request.desired.forEach((item, index) => {
    const checked = checkItem(item, existing.get(planItemKey(item)), request, names);
    const { parents, number } = item;
    if (number > 0 && isUniqueByName(item.kind))
      checked.issues.push({ path: '', reason: request.t('plan.twice') });
    if (parents.length > 0 && !pathKeys.has(parentPathKey(item)))
      checked.issues.push({ path: '', reason: request.t('plan.no-parent', { name: parents.at(-1) }) });
    for (const issue of checked.issues) plan.issues.push({ item: index, ...issue });
    for (const { path, reason } of checked.missing) plan.missing.push({ item: index, path, reason });
    const refused = checked.step && request.rejectStep?.(checked.step);
    if (refused) plan.issues.push({ item: index, ...refused });
    if (checked.issues.length > 0) return;
    if (checked.step) plan.steps.push(checked.step);
    else plan.unchanged += 1;
  });
  if (!request.prune) plan.leftAlone = extra.filter(({ kind }) => !isParentPart(planKindNamed(kind))).length;
  for (const item of deleted)
    plan.steps.push({
      ...withoutFields(item),
      operation: 'delete',
      before: item.fields,
      after: null,
      changes: [],
    });
  plan.steps = sortSteps(plan.steps);
  return plan;
}

function describeUsers({ t, labelOf }: PlanRequest, users: readonly PlanItem[]): string {
  const labels = users.slice(0, maxUsersTold).map(labelOf).join(t('problem.comma'));
  return t(users.length > maxUsersTold ? 'problem.in-use-more' : 'problem.in-use', { users: labels });
}

/** Whether names of this kind are unique. */
function isUniqueByName(kind: string): boolean {
  const resource = planKindNamed(kind);
  return isParentPart(resource) || resource.unique.includes(resource.identifiedBy);
}

/** The steps that undo these. Secrets of deleted items cannot be restored. */
export function reversePlan(steps: readonly PlanStep[]): PlanStep[] {
  const back = { create: 'delete', delete: 'create', update: 'update' } as const;
  return sortSteps(
    steps.map((step) => ({
      ...step,
      operation: back[step.operation],
      before: step.after && withoutSecrets(inputFields(planKindNamed(step.kind)), step.after),
      after: step.before,
      changes: step.changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
    })),
  );
}

interface CheckedItem {
  step: PlanStep | undefined;
  issues: Omit<PlanIssue, 'item'>[];
  missing: MissingReference[];
}

interface MissingReference extends Record<string, unknown>, Omit<PlanIssue, 'item'> {
  kind: string;
  name: string;
}

function checkItem(
  item: PlanItem,
  existing: PlanItem | undefined,
  request: PlanRequest,
  names: ReadonlySet<string>,
): CheckedItem {
  const { t } = request;
  const resource = planKindNamed(item.kind);
  const fields = inputFields(resource);
  const issues = findUnknownFields(fields, item.fields, t);
  const { fields: desired, missing } = withoutMissing(item, existing, request);
  const merged = { ...existing?.fields, ...desired };
  const secrets = new Map<string, unknown>();
  const filled = mapSecrets(fields, merged, (value, path) => {
    const found = isSecretSource(value) ? request.resolveSecret(value.$env) : undefined;
    // Without a new value the stored secret is kept.
    if (isSecretSource(value) && found === undefined && existing) return undefined;
    if (!isSecretSource(value)) issues.push({ path, reason: t('plan.bare-secret') });
    else if (found === undefined)
      issues.push({ path, reason: t('plan.no-variable', { variable: value.$env }) });
    secrets.set(path, value);
    return found ?? 'x';
  });
  const placeholders = new PlaceholderIds();
  const input = toInput(
    resource,
    filled,
    (kind, name) => {
      const known = names.has(`${kind}\n${name}`) || request.unmanagedNames.get(kind)?.has(name);
      return known ? placeholders.idFor(name) : undefined;
    },
    (path, kind, name) => issues.push({ path, reason: t('plan.no-reference', { kind, name }) }),
  );
  const parsed = resource.input!.safeParse(input);
  if (!parsed.success) {
    for (const { name, reason } of invalidParams(parsed.error, t, input)) {
      // An omitted secret is kept, and reference errors have already been reported.
      const secret =
        existing !== undefined && fieldAt(fields, input, name)?.kind === 'secret' && !secrets.has(name);
      if (secret || issues.some(({ path }) => path === name)) continue;
      // The field cannot be empty.
      const lost = missing.find(({ path }) => path === name);
      issues.push({ path: name, reason: lost ? t('plan.no-reference', lost) : reason });
    }
    return { step: undefined, issues, missing: [] };
  }
  const whole = portableFields(resource, withPlainPositions(parsed.data) as Fields, (_kind, id) =>
    placeholders.nameOf(id),
  );
  const after = existing ? limitToKnown(whole, merged) : whole;
  const changes = fieldChanges(existing?.fields ?? {}, after);
  if (existing && changes.length === 0) return { step: undefined, issues, missing };
  // Otherwise the server would refuse the item after others have been changed.
  for (const error of checkContent(item.kind, parsed.data as Fields))
    issues.push({ path: error.path, reason: formatReason(error.reason, t) });
  const step: PlanStep = {
    ...withoutFields(item),
    operation: existing ? 'update' : 'create',
    before: existing?.fields ?? null,
    after: [...secrets].reduce((fields, [path, value]) => withValue(fields, path, value), after),
    changes,
  };
  return { step, issues, missing };
}

/**
 * Empties references to items that files cannot create and the space does not have, unless that would empty a
 * reference of an existing item.
 */
function withoutMissing(
  item: PlanItem,
  existing: PlanItem | undefined,
  { unmanagedNames, t }: PlanRequest,
): { fields: Fields; missing: MissingReference[] } {
  const missing: MissingReference[] = [];
  const fields = mapReferences(planFields(planKindNamed(item.kind)), item.fields, (kind, value, path) => {
    const known = unmanagedNames.get(kind);
    if (typeof value !== 'string' || isId(value) || known === undefined || known.has(value)) return value;
    if (existing && (valueAt(existing.fields, path) ?? null) !== null) return value;
    missing.push({ path, kind, name: value, reason: t('plan.missing-reference', { kind, name: value }) });
    return null;
  });
  return { fields, missing };
}

function valueAt(fields: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined),
      fields,
    );
}

/** Omits from an update the fields that neither the space nor the file has, whatever their default. */
function limitToKnown(fields: Fields, known: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(known, name)));
}

function withoutFields({ kind, parents, name, number }: PlanItem): Omit<PlanItem, 'fields'> {
  return { kind, parents, name, number };
}

/** Orders creates and updates by dependency, then deletes in reverse. */
function sortSteps(steps: readonly PlanStep[]): PlanStep[] {
  const rank = new Map(planKinds.map(({ name }, index) => [name, index]));
  const by = (a: PlanStep, b: PlanStep) => rank.get(a.kind)! - rank.get(b.kind)!;
  return [
    ...steps.filter(({ operation }) => operation !== 'delete').sort(by),
    ...steps.filter(({ operation }) => operation === 'delete').sort((a, b) => by(b, a)),
  ];
}

/** Placeholder ids for names during schema validation. */
class PlaceholderIds {
  readonly #ids = new Map<string, string>();
  readonly #names = new Map<string, string>();

  idFor(name: string): string {
    const known = this.#ids.get(name);
    if (known) return known;
    if (isId(name)) return name;
    const id = `00000000-0000-7000-8000-${(this.#ids.size + 1).toString(16).padStart(12, '0')}`;
    this.#ids.set(name, id);
    this.#names.set(id, name);
    return id;
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }
}
