// Serves any resource from its descriptor; its behavior overrides individual parts.
import { printExactJson } from '@yagura/core/http/exact-json';
import { nullIfNotFound } from '@yagura/core/http/null-if-not-found';
import { Problem } from '@yagura/core/http/problem';
import {
  type AnyResource,
  type Call,
  editMethods,
  inputFields,
  permissionFor,
  type Verb,
} from '@yagura/core/resource/define-resource';
import { shapeFields } from '@yagura/core/resource/field';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { actorOf } from '../audit/actor.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import { maskFields } from '../audit/mask.ts';
import { isoTime } from '../common/clock.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import type { Services } from '../hosting/services.ts';
import { type BodySchema, bodyRuleOf } from '../http/body/body-rule.ts';
import { createAdmission } from '../http/create-request-context.ts';
import { routePath } from '../http/route-path.ts';
import { type Behaviour, RawReply } from './behaviour.ts';
import type { Operation } from './change-bus.ts';
import { parseInput } from './check-input.ts';
import { assertVersionMatches, etagOf } from './etag.ts';
import { withIdempotencyKey } from './idempotency.ts';
import { itemNotFound } from './item-not-found.ts';
import {
  checkParent,
  findItem,
  findWrittenItem,
  insertItem,
  listItems,
  lockItem,
  removeItem,
  type StoredItem,
  updateItem,
} from './item-store.ts';
import { readListQuery } from './list/list-query.ts';
import { bodyTable, type Table } from './list/table.ts';
import type { RequestContext } from './request-context.ts';
import { isStorable } from './storable-text.ts';

export { assertVersionMatches as checkMatch };

type Body = Record<string, unknown>;

/** Registers all routes of the descriptor. */
export function serveResource(app: FastifyInstance, services: Services, behaviour: Behaviour): void {
  const { resource } = behaviour;
  const table = behaviour.table ?? bodyTable(resource);
  const collection = routePath(resource.path);
  const item = routePath(resource.itemPath);
  const has = (verb: Verb) => resource.verbs.includes(verb);
  const route = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    permission: string,
    handle: (context: RequestContext, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
    schema?: BodySchema,
  ) => {
    const { onRequest, admitted } = createAdmission(services, (context) => {
      context.require(permission);
      if (!Object.values(context.params).every((part) => isStorable(part ?? '')))
        throw new Problem('not-found');
    });
    app.route({
      method,
      url,
      config: { body: { ...bodyRuleOf(resource.name), exact: behaviour.exactFields, schema } },
      onRequest,
      handler: async (request, reply) => {
        if (behaviour.exactFields) reply.type('application/json; charset=utf-8').serializer(exactText);
        const context = await admitted(request);
        await behaviour.beforeCall?.(services);
        return handle(context, request, reply);
      },
    });
  };
  /** Schema for validating a full or partial write while its body is read. */
  const inputSchema = (isPartial: boolean): BodySchema | undefined =>
    resource.input && { schema: resource.input, key: { resource: resource.name }, isPartial };

  if (has('list')) {
    route('GET', collection, permissionFor(resource, 'list'), async (context) => {
      if (behaviour.list) return behaviour.list(context);
      await checkParent(services.database, context, resource, behaviour.parent);
      const page = await listItems(
        context,
        resource,
        table,
        readListQuery(resource, context.query, context.t),
        (sql) => behaviour.rowFilter?.(context, sql),
      );
      return { ...page, items: page.items.map((row) => present(behaviour, context, row)) };
    });
  }
  if (has('show')) {
    route('GET', item, permissionFor(resource, 'show'), async (context, _request, reply) => {
      const shown = await showItem(context, behaviour, table);
      if (!shown.json) return withEtag(reply, behaviour, context, shown);
      return reply
        .header('etag', etagOf(shown.version))
        .type('application/json; charset=utf-8')
        .send(shown.json);
    });
  }
  if (has('create')) {
    const create = async (context: RequestContext, request: FastifyRequest, reply: FastifyReply) => {
      const input = readInput(resource, request.body, context);
      const created = await withIdempotencyKey(context, request, () =>
        createItem(context, behaviour, table, input),
      );
      return reply.code(201).send(created);
    };
    route('POST', collection, permissionFor(resource, 'create'), create, inputSchema(false));
  }
  for (const method of has('edit') ? editMethods(resource) : []) {
    const edit = async (context: RequestContext, request: FastifyRequest, reply: FastifyReply) => {
      const ifMatch = request.headers['if-match'];
      if (behaviour.edit) {
        const given =
          method === 'PATCH' && isObject(request.body)
            ? { ...toInput(resource, (await showItem(context, behaviour, table)).item), ...request.body }
            : request.body;
        const input = readInput(resource, given, context);
        const before = await seenBefore(context, behaviour, table);
        const after = await behaviour.edit(context, input, ifMatch);
        const id = context.params[resource.id] ?? String(after.item[resource.id] ?? '');
        const change = changeOf(context, resource, 'edit', { id, before, after: after.item });
        await services.audit.record(change);
        return withEtag(reply, behaviour, context, after);
      }
      return withEtag(
        reply,
        behaviour,
        context,
        await editItem(context, behaviour, table, request.body, method === 'PATCH', ifMatch),
      );
    };
    route(method, item, permissionFor(resource, 'edit'), edit, inputSchema(method === 'PATCH'));
  }
  if (has('remove')) {
    route('DELETE', item, permissionFor(resource, 'remove'), async (context, request, reply) => {
      const ifMatch = request.headers['if-match'];
      if (behaviour.remove) {
        const before = await seenBefore(context, behaviour, table);
        await behaviour.remove(context, ifMatch);
        const id = context.params[resource.id];
        await services.audit.record(changeOf(context, resource, 'remove', { id, before }));
      } else await deleteItem(context, behaviour, table, ifMatch);
      return reply.type('text/plain; charset=utf-8').send('');
    });
  }
  for (const [name, call] of Object.entries(resource.calls)) {
    const run = behaviour.calls?.[name];
    if (!run) throw new Error(`${resource.name} has no handler for its call ${name}`);
    const url = (call.on === 'item' ? item : collection) + call.path;
    const answer = async (context: RequestContext, request: FastifyRequest, reply: FastifyReply) => {
      const body = call.body ? parseInput(call.body, request.body ?? {}, context) : undefined;
      const result = await run(context, call.query ? readQuery(call.query, context) : body);
      if (isAudited(call)) {
        const change = { id: context.params[resource.id], after: call.method === 'GET' ? undefined : body };
        await services.audit.record(changeOf(context, resource, name, change));
      }
      if (result instanceof RawReply) return reply.headers(result.headers).send(result.body);
      if (result === undefined) return reply.type('text/plain; charset=utf-8').send('');
      return result;
    };
    const schema = call.body && { schema: call.body, key: { resource: resource.name, call: name } };
    route(call.method, url, permissionFor(resource, name), answer, schema);
  }
}

/** Strings are sent unchanged. */
function exactText(payload: unknown): string {
  return typeof payload === 'string' ? payload : printExactJson(payload);
}

/** Plain reads are not audited; reads of keys, recordings and the audit log itself are. */
function isAudited({ method, permission }: Call): boolean {
  if (method !== 'GET') return !/^(list|get|search|test|check|count|prepare)$/.test(permission);
  return /private-key|-log$|file|export|secret/.test(permission);
}

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
/** The item before a write by a custom handler; null when unavailable. */
async function seenBefore(context: RequestContext, behaviour: Behaviour, table: Table): Promise<Body | null> {
  const find = async () =>
    behaviour.show
      ? behaviour.show(context)
      : findVisible(context.services.database, context, behaviour, table);
  // The write itself reports a missing item, or creates it.
  const before = await find().catch(nullIfNotFound);
  return before?.item ?? null;
}

/** Validates an input against the resource's schema; an invalid field is named by its dotted path. */
export function readInput(resource: AnyResource, body: unknown, context: Pick<RequestContext, 't'>): Body {
  return parseInput(resource.input!, body, context) as Body;
}

/** Publishes a change of one item of this resource. */
export function announce(context: RequestContext, resource: AnyResource, id: string, op: Operation): void {
  const { changes, clock } = context.services;
  const parent = resource.parent ? context.params[`${resource.parent}Id`] : undefined;
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

async function showItem(context: RequestContext, behaviour: Behaviour, table: Table): Promise<StoredItem> {
  const { resource } = behaviour;
  const stored = behaviour.show
    ? await behaviour.show(context)
    : await findVisible(context.services.database, context, behaviour, table);
  if (!stored) throw itemNotFound(context, resource);
  return stored;
}

/** The item of the path, if it and its parents are visible to the caller. */
async function findVisible(
  db: Queryable,
  context: RequestContext,
  behaviour: Behaviour,
  table: Table,
): Promise<StoredItem | null> {
  const { resource } = behaviour;
  if (behaviour.parent) await checkParent(db, context, resource, behaviour.parent);
  const id = context.params[resource.id] ?? '';
  return findItem(db, context, resource, table, id, (sql) => behaviour.rowFilter?.(context, sql));
}

/** Creates an item with its behavior's hooks and publishes the change. */
export async function createItem(
  context: RequestContext,
  behaviour: Behaviour,
  table: Table,
  input: Body,
): Promise<Body> {
  const { resource } = behaviour;
  const { services } = context;
  if (behaviour.create) {
    const made = await behaviour.create(context, input);
    const id = String(made[resource.id] ?? '');
    await services.audit.record(changeOf(context, resource, 'create', { id, after: made }));
    return made;
  }
  const write = async (tx: Transaction) => {
    await checkParent(tx, context, resource, behaviour.parent);
    const body = (await behaviour.body?.(context, input, undefined)) ?? input;
    const id = await insertItem(tx, context, resource, body);
    await behaviour.afterWrite?.(tx, context, id, body, undefined);
    await services.audit.write(tx, changeOf(context, resource, 'create', { id, after: body }));
    return findWrittenItem(tx, context, resource, table, id);
  };
  const tell = ({ item }: StoredItem) => announce(context, resource, String(item[resource.id]), 'create');
  const stored = await mapUniqueViolation(
    context,
    () => writeInTransaction(context, behaviour, write, tell),
    resource.unique[0],
  );
  return present(behaviour, context, stored.item);
}

/** Updates the item of the path with its behavior's hooks; `partial` keeps fields that are absent. */
export async function editItem(
  context: RequestContext,
  behaviour: Behaviour,
  table: Table,
  given: unknown,
  partial: boolean,
  ifMatch: string | undefined,
): Promise<StoredItem> {
  const { resource } = behaviour;
  const id = context.params[resource.id] ?? '';
  const write = async (tx: Transaction) => {
    const before = await lockVisible(tx, context, behaviour, table, id);
    if (!before) throw itemNotFound(context, resource);
    assertVersionMatches(ifMatch, before.version);
    const whole = partial && isObject(given) ? { ...before.body, ...given } : given;
    const input = readInput(resource, whole, context);
    const body = (await behaviour.body?.(context, input, before.body)) ?? input;
    await updateItem(tx, context, resource, id, body);
    await behaviour.afterWrite?.(tx, context, id, body, before.body);
    const change = { id, before: before.body, after: body };
    await context.services.audit.write(tx, changeOf(context, resource, 'edit', change));
    return findWrittenItem(tx, context, resource, table, id);
  };
  const tell = () => announce(context, resource, id, 'update');
  return mapUniqueViolation(
    context,
    () => writeInTransaction(context, behaviour, write, tell),
    resource.unique[0],
  );
}

async function deleteItem(
  context: RequestContext,
  behaviour: Behaviour,
  table: Table,
  ifMatch: string | undefined,
): Promise<void> {
  const { resource } = behaviour;
  const id = context.params[resource.id] ?? '';
  const write = async (tx: Transaction) => {
    const before = await lockVisible(tx, context, behaviour, table, id);
    if (!before) throw itemNotFound(context, resource);
    assertVersionMatches(ifMatch, before.version);
    const gone = await removeItem(tx, context, resource, id);
    await behaviour.afterRemove?.(tx, context, id, before.body);
    const change = { id, before: before.body };
    await context.services.audit.write(tx, changeOf(context, resource, 'remove', change));
    return gone;
  };
  await writeInTransaction(context, behaviour, write, (removed) => {
    const { changes, clock } = context.services;
    const about = { spaceId: context.spaceId, op: 'delete' as const, at: isoTime(clock.now()) };
    changes.publish(removed.map((gone) => ({ ...about, resource: gone.kind, id: gone.id })));
  });
}

/** Locks an item visible to the caller. */
async function lockVisible(
  tx: Transaction,
  context: RequestContext,
  behaviour: Behaviour,
  table: Table,
  id: string,
) {
  if ((behaviour.rowFilter || behaviour.parent) && !(await findVisible(tx, context, behaviour, table)))
    return null;
  return lockItem(tx, context, behaviour.resource, id);
}

/** Runs a write in one transaction and publishes its changes after the commit. */
async function writeInTransaction<T>(
  { services }: RequestContext,
  behaviour: Behaviour,
  write: (tx: Transaction) => Promise<T>,
  tell: (result: T) => void,
): Promise<T> {
  if (behaviour.serializedWithDecisions) return services.pipeline.withPipelineLock(write, tell);
  const result = await services.database.transaction(write);
  tell(result);
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
    throw new Problem('conflict', {
      title: 'Already exists',
      invalidParams: [{ name: field, reason: context.t('rule.keyExists') }],
      cause: error,
    });
  }
}

/** The fields of an item that its input schema accepts. */
function toInput(resource: AnyResource, item: Body): Body {
  return Object.fromEntries(Object.keys(inputFields(resource)).map((name) => [name, item[name]]));
}

const present = (behaviour: Behaviour, context: RequestContext, item: Body): Body =>
  behaviour.present?.(context, item) ?? item;

function withEtag(
  reply: FastifyReply,
  behaviour: Behaviour,
  context: RequestContext,
  stored: StoredItem,
): Body {
  reply.header('etag', etagOf(stored.version));
  return present(behaviour, context, stored.item);
}

/** Validates the query of a call; an empty value counts as absent, and integers are parsed from text. */
function readQuery(schema: z.ZodObject, context: RequestContext): unknown {
  const facts = Object.entries(shapeFields(schema)).filter(([name]) => (context.query[name] ?? '') !== '');
  const given = facts.map(([name, { kind }]) => {
    const value = context.query[name];
    const isNumber = kind === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    return [name, isNumber ? Number(value) : value];
  });
  return parseInput(schema, Object.fromEntries(given), context);
}

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
