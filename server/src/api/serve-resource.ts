// Serves any resource from its descriptor; its behavior overrides individual parts.

import { printExactJson } from '@yagura/core/http/exact-json';
import { pageCountPreference } from '@yagura/core/http/page';
import { Problem } from '@yagura/core/http/problem';
import type { Resource } from '@yagura/core/resource/define-resource';
import {
  acceptsIdempotencyKey,
  editMethods,
  isAudited,
  permissionFor,
  type Verb,
} from '@yagura/core/resource/define-resource';
import { shapeFields } from '@yagura/core/resource/field';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type BodySchema, bodyRuleOf } from '../http/body/body-rule.ts';
import { parseInput } from '../http/input/check-input.ts';
import { isStorable } from '../http/input/storable-text.ts';
import { routePath } from '../http/route-path.ts';
import { type Behaviour, RawReply } from '../resource/behaviour.ts';
import { createCallContext } from '../resource/call-context.ts';
import { etagOf } from '../resource/etag.ts';
import { type BehaviourOf, expandItems, readExpand } from '../resource/expand.ts';
import { type IdempotentReply, withIdempotencyKey, withoutKey } from '../resource/idempotency.ts';
import {
  changeOf,
  createItem,
  deleteItem,
  editItem,
  present,
  readInput,
  showItem,
} from '../resource/item-operations.ts';
import { assertParentVisible, type StoredItem } from '../resource/item-store.ts';
import { readListQuery } from '../resource/list/list-query.ts';
import { bodyTable } from '../resource/list/table.ts';
import { listItems } from '../resource/list-items.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';
import { type ApiServices, createAdmission } from './create-request-context.ts';

type Body = Record<string, unknown>;

/** Registers all routes of the descriptor. */
export function serveResource<Services extends ApiServices>(
  app: FastifyInstance,
  services: Services,
  behaviour: Behaviour<Resource, Services>,
  behaviourOf: BehaviourOf<Services>,
): void {
  type Context = RequestContext<Services>;
  const { resource } = behaviour;
  const table = behaviour.table ?? bodyTable(resource);
  const collection = routePath(resource.path);
  const item = routePath(resource.itemPath);
  const has = (verb: Verb) => resource.verbs.includes(verb);
  const route = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    permission: string,
    handle: (context: Context, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
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
        await resolvePath(behaviour, context);
        return handle(context, request, reply);
      },
    });
  };
  /** Schema for validating a full or partial write while its body is read. */
  const inputSchema = (isPartial: boolean): BodySchema | undefined =>
    resource.input && { schema: resource.input, key: { resource: resource.name }, isPartial };

  if (has('list')) {
    route('GET', collection, permissionFor(resource, 'list'), async (context, request) => {
      const relations = readExpand(resource, context);
      if (behaviour.list) return behaviour.list(context);
      await assertParentVisible(services.database, context, resource, behaviour.parent);
      const page = await listItems(
        context,
        resource,
        table,
        readListQuery(resource, context.query, context.t),
        (sql) => behaviour.rowFilter?.(context, sql),
        { isConstantTable: true, countsAll: !prefersPageCount(request) },
      );
      const items = page.items.map((row) => present(behaviour, context, row));
      return { ...page, items: await expandItems(context, items, relations, behaviourOf) };
    });
  }
  if (has('show')) {
    route('GET', item, permissionFor(resource, 'show'), async (context, _request, reply) => {
      const relations = readExpand(resource, context);
      const shown = await showItem(context, behaviour, table);
      if (!shown.json) {
        const item = withEtag(reply, behaviour, context, shown);
        return (await expandItems(context, [item], relations, behaviourOf))[0];
      }
      return reply
        .header('etag', etagOf(shown.version))
        .type('application/json; charset=utf-8')
        .send(shown.json);
    });
  }
  if (has('create')) {
    const create = async (context: Context, request: FastifyRequest, reply: FastifyReply) => {
      const input = readInput(resource, request.body, context);
      const created = await withIdempotencyKey(context, request, (kept) =>
        createItem(context, behaviour, table, input, kept),
      );
      return reply.code(201).send(created);
    };
    route('POST', collection, permissionFor(resource, 'create'), create, inputSchema(false));
  }
  for (const method of has('edit') ? editMethods(resource) : []) {
    const edit = async (context: Context, request: FastifyRequest, reply: FastifyReply) => {
      const ifMatch = request.headers['if-match'];
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
      await deleteItem(context, behaviour, table, ifMatch);
      return reply.type('text/plain; charset=utf-8').send('');
    });
  }
  for (const [name, call] of Object.entries(resource.calls)) {
    const run = behaviour.calls?.[name];
    if (!run) throw new Error(`${resource.name} has no handler for its call ${name}`);
    const url = (call.on === 'item' ? item : collection) + call.path;
    const answer = async (context: Context, request: FastifyRequest, reply: FastifyReply) => {
      readExpand(undefined, context);
      const body = call.body ? parseInput(call.body, request.body ?? {}, context) : undefined;
      const change = { id: context.params[resource.id], after: call.method === 'GET' ? undefined : body };
      const entry = isAudited(call) ? changeOf(context, resource, name, change) : undefined;
      const work = async (kept: IdempotentReply) => {
        const { callContext, isRecorded } = createCallContext(context, entry, kept);
        const result = await run(callContext, call.query ? readQuery(call.query, context) : body);
        if (entry && !isRecorded()) await services.audit.record(entry);
        await kept.keep(services.database, result ?? null);
        return result;
      };
      const result = acceptsIdempotencyKey(call)
        ? ((await withIdempotencyKey(context, request, work)) ?? undefined)
        : await work(withoutKey);
      if (result instanceof RawReply) return reply.headers(result.headers).send(result.body);
      if (result === undefined) return reply.type('text/plain; charset=utf-8').send('');
      return result;
    };
    const schema = call.body && { schema: call.body, key: { resource: resource.name, call: name } };
    route(call.method, url, permissionFor(resource, name), answer, schema);
  }
}

/** Resolves the parents' ids before the item's own. */
async function resolvePath<Services extends ResourceServices>(
  behaviour: Behaviour<Resource, Services>,
  context: RequestContext<Services>,
): Promise<void> {
  if (behaviour.parent) await resolvePath(behaviour.parent, context);
  await behaviour.resolvePath?.(context);
}

/** Strings are sent unchanged. */
function exactText(payload: unknown): string {
  return typeof payload === 'string' ? payload : printExactJson(payload);
}

function withEtag<S extends ResourceServices>(
  reply: FastifyReply,
  behaviour: Behaviour<Resource, S>,
  context: RequestContext<S>,
  stored: StoredItem,
): Body {
  reply.header('etag', etagOf(stored.version));
  return present(behaviour, context, stored.item);
}

/** Validates the query of a call; an empty value counts as absent, and integers are parsed from text. */
function readQuery(schema: z.ZodObject, context: RequestContext): unknown {
  const fields = Object.entries(shapeFields(schema)).filter(([name]) => (context.query[name] ?? '') !== '');
  const given = fields.map(([name, { kind }]) => {
    const value = context.query[name];
    const isNumber = kind === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value);
    return [name, isNumber ? Number(value) : value];
  });
  return parseInput(schema, Object.fromEntries(given), context);
}

/** The header may hold several preferences (RFC 7240 section 2). */
function prefersPageCount({ headers }: FastifyRequest): boolean {
  const preferences = [headers.prefer ?? []].flat().join().split(',');
  return preferences.some((preference) => preference.trim() === pageCountPreference);
}
