// From what files want and what a space has to the steps between: pure, in an order that can be carried out.
import { inputFields } from '../resource/define-resource.ts';
import { invalidParams } from '../rules/reason.ts';
import type { Translate } from '../words/translate.ts';
import { type FieldChange, fieldChanges } from './field-changes.ts';
import { fieldAt, refuseUnknown } from './known-fields.ts';
import {
  type Fields,
  inputOf,
  isId,
  isSecretSource,
  keyOf,
  mapSecrets,
  type PlanItem,
  portableFields,
  withoutSecrets,
  withValue,
} from './plan-item.ts';
import { isPart, planKindNamed, planKinds, planTitle } from './plan-kinds.ts';

export interface PlanStep extends Omit<PlanItem, 'fields'> {
  operation: 'create' | 'update' | 'delete';
  /** As it must be when the step is taken; null before a create. */
  before: Fields | null;
  /** As it is afterwards; null after a delete. Secrets are named by their variable. */
  after: Fields | null;
  changes: FieldChange[];
}

export interface KeptItem extends Omit<PlanItem, 'fields'> {
  reason: string;
}

export interface PlanFault {
  /** Index of the wanted item. */
  item: number;
  /** Dotted path of the field; empty for the item as a whole. */
  path: string;
  reason: string;
}

export interface MadePlan {
  steps: PlanStep[];
  faults: PlanFault[];
  /** Items that are as the files want them. */
  unchanged: number;
  /** Items of the kinds that the files speak of, which the files do not have and which nobody asked to delete. */
  leftAlone: number;
  /** Items that stay although such items are deleted. */
  kept: KeptItem[];
}

export interface PlanRequest {
  wanted: readonly PlanItem[];
  present: readonly PlanItem[];
  /** Names that exist in the space for what files cannot make, by resource. */
  others: ReadonlyMap<string, ReadonlySet<string>>;
  /** Delete what the files do not have, of the kinds that they speak of. */
  prune: boolean;
  /** Why an item cannot be deleted; undefined for one that can. */
  keptBecause?(item: PlanItem): string | undefined;
  /** What a change of an item must not be. */
  refused?(step: PlanStep): { path: string; reason: string } | undefined;
  /** Value of an environment variable. */
  secretOf(variable: string): string | undefined;
  t: Translate;
}

/** Finds all faults at once; the steps are worth something only when there are none. */
export function makePlan(request: PlanRequest): MadePlan {
  const present = new Map(request.present.map((item) => [keyOf(item), item]));
  const spoken = new Set(request.wanted.map(({ kind }) => kind));
  const asked = new Set(request.wanted.map(keyOf));
  const extra = request.present.filter((item) => spoken.has(item.kind) && !asked.has(keyOf(item)));
  const kept = request.prune
    ? extra.flatMap((item) => {
        const reason = request.keptBecause?.(item);
        return reason === undefined ? [] : [{ item, reason }];
      })
    : [];
  const gone = goneOf(request, extra, new Set(kept.map(({ item }) => item)));
  const stays = request.present.filter((item) => !gone.has(item));
  const names = new Set([...request.wanted, ...stays].map(({ kind, name }) => `${kind}\n${name}`));
  const plan: MadePlan = { steps: [], faults: [], unchanged: 0, leftAlone: 0, kept: [] };
  for (const { item, reason } of kept) plan.kept.push({ ...bare(item), reason });
  const places = new Set([...request.wanted, ...stays].map(placeKey));
  request.wanted.forEach((item, index) => {
    const checked = checkItem(item, present.get(keyOf(item)), request, names);
    const { parents, number } = item;
    if (number > 0 && isAlone(item.kind)) checked.faults.push({ path: '', reason: request.t('plan.twice') });
    if (parents.length > 0 && !places.has(parentPlace(item)))
      checked.faults.push({ path: '', reason: request.t('plan.no-parent', { name: parents.at(-1) }) });
    for (const fault of checked.faults) plan.faults.push({ item: index, ...fault });
    const refused = checked.step && request.refused?.(checked.step);
    if (refused) plan.faults.push({ item: index, ...refused });
    if (checked.faults.length > 0) return;
    if (checked.step) plan.steps.push(checked.step);
    else plan.unchanged += 1;
  });
  if (!request.prune) plan.leftAlone = extra.filter(({ kind }) => !isPart(planKindNamed(kind))).length;
  for (const item of gone)
    plan.steps.push({ ...bare(item), operation: 'delete', before: item.fields, after: null, changes: [] });
  plan.steps = inOrder(plan.steps);
  return plan;
}

/** What is deleted; what has no name of its own goes with what holds it, and not without. */
function goneOf(
  { prune }: PlanRequest,
  extra: readonly PlanItem[],
  kept: ReadonlySet<PlanItem>,
): Set<PlanItem> {
  if (!prune) return new Set();
  const named = extra.filter((item) => !kept.has(item) && !isPart(planKindNamed(item.kind)));
  const places = new Set(named.map(placeKey));
  const part = extra.filter((item) => isPart(planKindNamed(item.kind)) && places.has(parentPlace(item)));
  return new Set([...named, ...part]);
}

/** A second one of the same name cannot be. */
function isAlone(kind: string): boolean {
  const resource = planKindNamed(kind);
  return isPart(resource) || resource.unique.includes(planTitle(resource));
}

/** The steps that lead back. What a deleted item's secrets were is not known any more. */
export function reversed(steps: readonly PlanStep[]): PlanStep[] {
  const back = { create: 'delete', delete: 'create', update: 'update' } as const;
  return inOrder(
    steps.map((step) => ({
      ...step,
      operation: back[step.operation],
      before: step.after && withoutSecrets(inputFields(planKindNamed(step.kind)), step.after),
      after: step.before,
      changes: step.changes.map(({ path, before, after }) => ({ path, before: after, after: before })),
    })),
  );
}

interface Checked {
  step: PlanStep | undefined;
  faults: Omit<PlanFault, 'item'>[];
}

function checkItem(
  item: PlanItem,
  present: PlanItem | undefined,
  request: PlanRequest,
  names: ReadonlySet<string>,
): Checked {
  const { t } = request;
  const resource = planKindNamed(item.kind);
  const fields = inputFields(resource);
  const faults = refuseUnknown(fields, item.fields, t);
  const merged = { ...present?.fields, ...item.fields };
  const secrets = new Map<string, unknown>();
  const filled = mapSecrets(fields, merged, (value, path) => {
    const found = isSecretSource(value) ? request.secretOf(value.$env) : undefined;
    // What the space has already stays as it is where nothing is given.
    if (isSecretSource(value) && found === undefined && present) return undefined;
    if (!isSecretSource(value)) faults.push({ path, reason: t('plan.bare-secret') });
    else if (found === undefined)
      faults.push({ path, reason: t('plan.no-variable', { variable: value.$env }) });
    secrets.set(path, value);
    return found ?? 'x';
  });
  const stand = new StandIns();
  const input = inputOf(
    resource,
    filled,
    (kind, name) => {
      const known = names.has(`${kind}\n${name}`) || request.others.get(kind)?.has(name);
      return known ? stand.idFor(name) : undefined;
    },
    (path, kind, name) => faults.push({ path, reason: t('plan.no-reference', { kind, name }) }),
  );
  const parsed = resource.input!.safeParse(input);
  if (!parsed.success) {
    for (const { name, reason } of invalidParams(parsed.error, t, input)) {
      // A secret that is not given stays as it is, and what is wrong with a reference has been told.
      const secret =
        present !== undefined && fieldAt(fields, input, name)?.kind === 'secret' && !secrets.has(name);
      if (!secret && !faults.some(({ path }) => path === name)) faults.push({ path: name, reason });
    }
    return { step: undefined, faults };
  }
  const whole = portableFields(resource, parsed.data as Fields, (_kind, id) => stand.nameOf(id));
  const after = present ? keptTo(whole, merged) : whole;
  const changes = fieldChanges(present?.fields ?? {}, after);
  if (present && changes.length === 0) return { step: undefined, faults };
  const step: PlanStep = {
    ...bare(item),
    operation: present ? 'update' : 'create',
    before: present?.fields ?? null,
    after: [...secrets].reduce((fields, [path, value]) => withValue(fields, path, value), after),
    changes,
  };
  return { step, faults };
}

/** Fields that neither the space nor the file has are not in an update, whatever their default is. */
function keptTo(fields: Fields, known: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(known, name)));
}

function bare({ kind, parents, name, number }: PlanItem): Omit<PlanItem, 'fields'> {
  return { kind, parents, name, number };
}

function placeKey({ kind, parents, name }: PlanItem): string {
  return JSON.stringify([kind, ...parents, name]);
}

function parentPlace({ kind, parents }: PlanItem): string {
  return JSON.stringify([planKindNamed(kind).parent, ...parents]);
}

/** Creates and updates with what is needed first, then deletes the other way around. */
function inOrder(steps: readonly PlanStep[]): PlanStep[] {
  const rank = new Map(planKinds.map(({ name }, index) => [name, index]));
  const by = (a: PlanStep, b: PlanStep) => rank.get(a.kind)! - rank.get(b.kind)!;
  return [
    ...steps.filter(({ operation }) => operation !== 'delete').sort(by),
    ...steps.filter(({ operation }) => operation === 'delete').sort((a, b) => by(b, a)),
  ];
}

/** Ids that stand for names while a schema looks at them. */
class StandIns {
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
