// Shows, creates, edits and deletes items of any resource, with the hooks of its behavior, audit entries and
// announced changes.

import { nullIfNotFound } from '@yagura/core/http/null-if-not-found';
import { Problem } from '@yagura/core/http/problem';
import { type AnyResource, inputFields, type Resource } from '@yagura/core/resource/define-resource';
import { actorOf } from '../audit/actor.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { maskFields } from '../audit/mask.ts';
import { isoTime } from '../common/clock.ts';
import type { Operation } from '../db/change-bus.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { parseInput } from '../http/input/check-input.ts';
import type { Behaviour, CreatedItem, EditedItem } from './behaviour.ts';
import { assertVersionMatches } from './etag.ts';
import type { IdempotentReply } from './idempotency.ts';
import { itemNotFound } from './item-not-found.ts';
import {
  assertParentVisible,
  findItem,
  insertItem,
  lockItem,
  lockParent,
  parentId,
  reloadItem,
  removeItem,
  type StoredItem,
  updateItem,
} from './item-store.ts';
import type { Table } from './list/table.ts';
import type { RequestContext, ResourceServices } from './request-context.ts';

export { assertVersionMatches as checkMatch };

type Body = Record<string, unknown>;

/** Audit entry for a change, or an audited read, by the caller. */
export function changeOf(
  context: RequestContext,
  resource: AnyResource,
  action: string,
  change: { id?: string | undefined; before?: unknown; after?: unknown },
): AuditEntry {
  return {
    actor: actorOf(context.principal),
    from: context.from,
    action,
    outcome: 'done',
    resource: resource.name,
    resourceId: change.id || null,
    before: maskFields(resource, change.before),
    after: maskFields(resource, change.after),
  };
}
/** Validates an input against the resource's schema; an invalid field is named by its dotted path. */
export function readInput<S extends ResourceServices>(
  resource: AnyResource,
  body: unknown,
  context: Pick<RequestContext<S>, 't'>,
): Body {
  return parseInput(resource.input!, body, context) as Body;
}

/** Publishes a change of one item of this resource. */
export function announce<S extends ResourceServices>(
  context: RequestContext<S>,
  resource: AnyResource,
  id: string,
  op: Operation,
): void {
  const { changes, clock } = context.services;
  const parent = parentId(resource, context);
  changes.publish([
    {
      spaceId: context.spaceId,
      resource: resource.name,
      id,
      op,
      at: isoTime(clock.now()),
      ...(parent ? { scope: parent } : {}),
    },
  ]);
}

/** The item of the path; throws a 404 if it is not visible to the caller. */
export async function showItem<S extends ResourceServices>(
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
): Promise<StoredItem> {
  const { resource } = behaviour;
  const stored = behaviour.show
    ? await behaviour.show(context)
    : await findVisible(context.services.database, context, behaviour, table);
  if (!stored) throw itemNotFound(context, resource);
  return stored;
}

/** The item of the path, if it and its parents are visible to the caller. */
export async function findVisible<S extends ResourceServices>(
  db: Queryable,
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
): Promise<StoredItem | null> {
  const { resource } = behaviour;
  if (behaviour.parent) await assertParentVisible(db, context, resource, behaviour.parent);
  const id = context.params[resource.id] ?? '';
  return findItem(db, context, resource, table, id, (sql) => behaviour.rowFilter?.(context, sql));
}

/** Creates an item with its behavior's hooks and publishes the change. The reply is kept in its transaction. */
export async function createItem<S extends ResourceServices>(
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
  input: Body,
  reply?: IdempotentReply,
): Promise<Body> {
  const write = async (tx: Transaction) => {
    const created = await createInTransaction(tx, context, behaviour, table, input);
    await reply?.keep(tx, created.item);
    return created;
  };
  const { item } = await mapUniqueViolation(
    context,
    () => writeInTransaction(context, behaviour, write, ({ onCommitted }) => onCommitted()),
    behaviour.resource.unique[0],
  );
  return item;
}

/** Like createItem, in a transaction of the caller, who calls `onCommitted` after its commit. */
export async function createInTransaction<S extends ResourceServices>(
  tx: Transaction,
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
  input: Body,
): Promise<CreatedItem> {
  const { resource } = behaviour;
  const record = (id: string, after: Body) =>
    context.services.audit.write(tx, changeOf(context, resource, 'create', { id, after }));
  if (behaviour.create) {
    const created = await behaviour.create(tx, context, input);
    await record(String(created.item[resource.id] ?? ''), created.item);
    return created;
  }
  // Parents with a table of their own are not rows of `resource`, and lock themselves as for their deletion.
  if (behaviour.parent) {
    await behaviour.parent.lock?.(tx, context);
    await assertParentVisible(tx, context, resource, behaviour.parent);
  } else await lockParent(tx, context, resource);
  const body = (await behaviour.body?.(context, input, undefined)) ?? input;
  const id = await insertItem(tx, context, resource, body);
  await behaviour.afterWrite?.(tx, context, id, body, undefined);
  await record(id, body);
  const { item } = await reloadItem(tx, context, resource, table, id);
  return {
    item: present(behaviour, context, item),
    onCommitted: () => announce(context, resource, id, 'create'),
  };
}

/** Updates the item of the path with its behavior's hooks; `partial` keeps fields that are absent. */
export async function editItem<S extends ResourceServices>(
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
  given: unknown,
  partial: boolean,
  ifMatch: string | undefined,
): Promise<StoredItem> {
  const { resource } = behaviour;
  const { audit } = context.services;
  const record = (tx: Transaction, change: { id: string; before: Body | null; after: Body }) =>
    audit.write(tx, changeOf(context, resource, 'edit', change));
  const editRow = async (tx: Transaction): Promise<EditedItem> => {
    const id = context.params[resource.id] ?? '';
    const before = await lockVisible(tx, context, behaviour, table, id);
    if (!before) throw itemNotFound(context, resource);
    assertVersionMatches(ifMatch, before.version);
    const whole = partial && isObject(given) ? { ...before.body, ...given } : given;
    const input = readInput(resource, whole, context);
    const body = (await behaviour.body?.(context, input, before.body)) ?? input;
    await updateItem(tx, context, resource, id, body);
    await behaviour.afterWrite?.(tx, context, id, body, before.body);
    await record(tx, { id, before: before.body, after: body });
    return {
      before: before.body,
      after: await reloadItem(tx, context, resource, table, id),
      onCommitted: () => announce(context, resource, id, 'update'),
    };
  };
  const readOwnInput = async (db: Queryable): Promise<Body> => {
    if (!partial || !isObject(given)) return readInput(resource, given, context);
    const before = await findVisible(db, context, behaviour, table);
    if (!before) throw itemNotFound(context, resource);
    return readInput(resource, { ...toInput(resource, before.item), ...given }, context);
  };
  const editOwn = async (tx: Transaction): Promise<EditedItem> => {
    await behaviour.lock?.(tx, context);
    const edited = await behaviour.edit!(tx, context, await readOwnInput(tx), ifMatch);
    const { item } = edited.after;
    const id = context.params[resource.id] ?? String(item[resource.id] ?? '');
    await record(tx, { id, before: edited.before, after: item });
    return edited;
  };
  if (behaviour.beforeEdit)
    await behaviour.beforeEdit(context, await readOwnInput(context.services.database), ifMatch);
  const write = behaviour.edit ? editOwn : editRow;
  const { after } = await mapUniqueViolation(
    context,
    () => writeInTransaction(context, behaviour, write, ({ onCommitted }) => onCommitted()),
    resource.unique[0],
  );
  return after;
}

/** The fields of an item that its input schema accepts. */
function toInput(resource: Resource, item: Body): Body {
  return Object.fromEntries(Object.keys(inputFields(resource)).map((name) => [name, item[name]]));
}

/** Deletes the item of the path with its behavior's hooks. */
export async function deleteItem<S extends ResourceServices>(
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
  ifMatch: string | undefined,
): Promise<void> {
  const { resource } = behaviour;
  const id = context.params[resource.id] ?? '';
  const record = (tx: Transaction, before: Body | undefined) =>
    context.services.audit.write(tx, changeOf(context, resource, 'remove', { id, before }));
  const write = async (tx: Transaction) => {
    if (behaviour.remove) {
      await behaviour.lock?.(tx, context);
      // The write itself reports a missing item.
      const before = await findVisible(tx, context, behaviour, table).catch(nullIfNotFound);
      if (before) assertVersionMatches(ifMatch, before.version);
      const onCommitted = await behaviour.remove(tx, context);
      await record(tx, before?.item);
      return onCommitted;
    }
    const before = await lockVisible(tx, context, behaviour, table, id);
    if (!before) throw itemNotFound(context, resource);
    assertVersionMatches(ifMatch, before.version);
    const gone = await removeItem(tx, context, resource, id);
    await behaviour.afterRemove?.(tx, context, id, before.body);
    await record(tx, before.body);
    return () => {
      const { changes, clock } = context.services;
      const about = { spaceId: context.spaceId, op: 'delete' as const, at: isoTime(clock.now()) };
      const parent = parentId(resource, context);
      const scope = parent ? { scope: parent } : {};
      changes.publish(
        gone.map((one) => ({ ...about, resource: one.kind, id: one.id, ...(one.id === id ? scope : {}) })),
      );
    };
  };
  await writeInTransaction(context, behaviour, write, (onCommitted) => onCommitted());
}

/** Locks an item visible to the caller. */
async function lockVisible<S extends ResourceServices>(
  tx: Transaction,
  context: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  table: Table,
  id: string,
) {
  if ((behaviour.rowFilter || behaviour.parent) && !(await findVisible(tx, context, behaviour, table)))
    return null;
  return lockItem(tx, context, behaviour.resource, id);
}

/** Runs a write in one transaction and publishes its changes after the commit. */
async function writeInTransaction<S extends ResourceServices, T>(
  { services }: RequestContext<S>,
  behaviour: Behaviour<Resource, S>,
  write: (tx: Transaction) => Promise<T>,
  tell: (result: T) => void | Promise<void>,
): Promise<T> {
  const { serializedWithDecisions: kind } = behaviour;
  if (kind) return services.pipeline.withPipelineLock(kind, write, tell);
  const result = await services.database.transaction(write);
  await tell(result);
  return result;
}

/** Converts a unique violation to a 409 naming the field. */
export async function mapUniqueViolation<T>(
  context: Pick<RequestContext, 't'>,
  work: () => Promise<T>,
  field = 'displayName',
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error;
    throw takenValue(context, field, error);
  }
}

/** The 409 for a value of this field that another item has. */
export function takenValue(context: Pick<RequestContext, 't'>, field: string, cause?: unknown): Problem {
  return new Problem('conflict', {
    title: context.t('refusal.title.exists'),
    invalidParams: [{ name: field, reason: context.t('rule.keyExists') }],
    cause,
  });
}

/** The item as the caller sees it. */
export const present = <S extends ResourceServices>(
  behaviour: Behaviour<Resource, S>,
  context: RequestContext<S>,
  item: Body,
): Body => behaviour.present?.(context, item) ?? item;

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
