// Extracts the ids referenced by an item from its schema's reference fields, and maintains the reference
// table.
import { resourceNamed, resources } from '@yagura/core/all';
import { Problem } from '@yagura/core/http/problem';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { inputFields, permissionFor } from '@yagura/core/resource/define-resource';
import type { FieldMeta } from '@yagura/core/resource/field';
import { resourceNoun } from '@yagura/core/resource/resource-noun';
import { user } from '@yagura/core/space/user';
import type { Queryable } from '../db/database.ts';
import type { RequestContext } from './request-context.ts';

export interface FoundReference {
  /** Dotted path in the body. */
  path: string;
  resource: string;
  id: string;
}

/** All references in an input, with their paths. */
export function referencesIn(resource: AnyResource, input: Record<string, unknown>): FoundReference[] {
  const found: FoundReference[] = [];
  collectFields('', inputFields(resource), input, found);
  return found;
}

/** Throws when referenced items do not exist, naming each field. */
export async function checkReferences(
  tx: Queryable,
  context: Pick<RequestContext, 'spaceId' | 't'>,
  found: readonly FoundReference[],
): Promise<void> {
  if (found.length === 0) return;
  const { rows } = await tx.query<{ kind: string; id: string }>(
    `select r.kind, r.id from resource r
     join unnest($2::text[], $3::uuid[]) as w(kind, id) on r.kind = w.kind and r.id = w.id
     where r.space_id = $1 for key share of r`,
    [context.spaceId, found.map((reference) => reference.resource), found.map((reference) => reference.id)],
  );
  const there = new Set([...rows, ...(await findMissingUsers(tx, context, found))].map(keyOf));
  const missing = found.filter((reference) => !there.has(keyOf({ ...reference, kind: reference.resource })));
  if (missing.length === 0) return;
  throw new Problem('invalid', {
    invalidParams: missing.map(({ path }) => ({
      name: path,
      reason: context.t('rule.reference'),
    })),
  });
}

const keyOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id.toLowerCase()}`;

/** Users are stored in their own table. */
async function findMissingUsers(
  tx: Queryable,
  context: Pick<RequestContext, 'spaceId'>,
  found: readonly FoundReference[],
): Promise<{ kind: string; id: string }[]> {
  const ids = found.filter(({ resource }) => resource === user.name).map(({ id }) => id);
  if (ids.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(
    'select user_id as id from person where space_id = $1 and user_id = any($2::uuid[]) for key share',
    [context.spaceId, ids],
  );
  return rows.map(({ id }) => ({ kind: user.name, id }));
}

/** Replaces the references of one item. */
export async function writeReferences(
  tx: Queryable,
  spaceId: string,
  from: { kind: string; id: string },
  found: readonly FoundReference[],
): Promise<void> {
  await tx.query(
    {
      name: 'reference_delete',
      text: 'delete from reference where space_id = $1 and from_kind = $2 and from_id = $3',
    },
    [spaceId, from.kind, from.id],
  );
  if (found.length === 0) return;
  await tx.query(
    {
      name: 'reference_insert',
      text: `insert into reference (space_id, from_kind, from_id, to_kind, to_id)
       select distinct $1::uuid, $2, $3::uuid, w.kind, w.id from unnest($4::text[], $5::uuid[]) as w(kind, id)`,
    },
    [
      spaceId,
      from.kind,
      from.id,
      found.map((reference) => reference.resource),
      found.map((reference) => reference.id),
    ],
  );
}

/** The kind of the parents of each kind, as JSON: rows of the resource table are found by space, kind and id. */
export const parentKinds = JSON.stringify(
  Object.fromEntries(resources.flatMap(({ name, parent }) => (parent ? [[name, parent]] : []))),
);

/** Joins the item `r` that has the reference `f`, and the name of its parent as `p`; $4 is `parentKinds`. */
export const referrerJoins = `
  left join resource r on r.space_id = f.space_id and r.kind = f.from_kind and r.id = f.from_id
  left join lateral (
    select max(o.body->>'displayName') as name from resource o
    where o.space_id = r.space_id and o.kind = $4::jsonb->>r.kind and o.id = r.parent_id
  ) p on true`;

/** How that item is named: settings of an item have no name of their own and are named by it. */
export const referrerNames = `
  coalesce(r.body->>'displayName', p.name, f.from_id::text) as name,
  case when r.body->>'displayName' is not null then p.name end as parent`;

/**
 * Refuses to delete items referenced from outside the deleted set (409 with the names of those that the caller
 * sees).
 */
export async function assertNotReferenced(
  tx: Queryable,
  context: RequestContext,
  removed: readonly { kind: string; id: string }[],
): Promise<void> {
  const { spaceId, language, t } = context;
  const { rows } = await tx.query<{
    from_kind: string;
    from_id: string;
    name: string;
    parent: string | null;
  }>(
    `select distinct f.from_kind, f.from_id, ${referrerNames}
     from reference f
     join unnest($2::text[], $3::uuid[]) as gone(kind, id) on f.to_kind = gone.kind and f.to_id = gone.id
     ${referrerJoins}
     where f.space_id = $1 and not (f.from_id = any($3::uuid[]))
     order by from_kind, name, parent limit 6`,
    [spaceId, removed.map((thing) => thing.kind), removed.map((thing) => thing.id), parentKinds],
  );
  if (rows.length === 0) return;
  const listed = rows.slice(0, 5);
  const seen = await findVisibleReferrers(tx, context, listed);
  const users = listed.map(({ from_kind: kind, from_id: id, name, parent }) => {
    const noun = resourceNoun(resourceNamed(kind).noun, language);
    if (!seen.has(`${kind} ${id}`)) return t('problem.user-unseen', { noun });
    return parent === null ? t('problem.user', { noun, name }) : t('problem.user-of', { noun, name, parent });
  });
  throw new Problem('conflict', {
    title: t('refusal.title.in-use'),
    detail: t(rows.length > 5 ? 'problem.in-use-more' : 'problem.in-use', {
      users: users.join(t('problem.comma')),
    }),
  });
}

/** Those whose names may be revealed: the caller may list the resource, and sees this item of it. */
async function findVisibleReferrers(
  tx: Queryable,
  context: RequestContext,
  found: readonly { from_kind: string; from_id: string }[],
): Promise<Set<string>> {
  const seen = new Set<string>();
  for (const kind of new Set(found.map(({ from_kind }) => from_kind))) {
    if (!context.may(permissionFor(resourceNamed(kind), 'list'))) continue;
    const ids = found.filter(({ from_kind }) => from_kind === kind).map(({ from_id }) => from_id);
    for (const id of await context.services.visibility.visibleIds(tx, context, kind, ids))
      seen.add(`${kind} ${id}`);
  }
  return seen;
}

function collectFields(
  path: string,
  shape: Record<string, FieldMeta>,
  around: Record<string, unknown>,
  found: FoundReference[],
): void {
  for (const [name, field] of Object.entries(shape)) {
    collect(path ? `${path}.${name}` : name, field, around[name], around, found);
  }
}

function collect(
  path: string,
  field: FieldMeta,
  value: unknown,
  around: Record<string, unknown>,
  found: FoundReference[],
): void {
  if (value === null || value === undefined) return;
  if (field.kind === 'reference' && field.resource && typeof value === 'string') {
    const named = field.resourceBy === undefined ? undefined : around[field.resourceBy];
    found.push({ path, resource: typeof named === 'string' ? named : field.resource, id: value });
  }
  if (field.item && Array.isArray(value)) {
    for (const [index, entry] of value.entries())
      collect(`${path}.${index}`, field.item, entry, around, found);
  }
  const shape = field.fields ?? (field.by ? field.variants?.[String(around[field.by])] : undefined);
  if (shape && typeof value === 'object') {
    collectFields(path, shape, value as Record<string, unknown>, found);
  }
}
