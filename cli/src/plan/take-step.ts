// One step of a plan as calls of the API. Each is whole in itself: it happens or it does not.
import { createHash } from 'node:crypto';
import { send } from '@yagura/core/http/transport';
import { isAsKnown } from '@yagura/core/plan/field-changes';
import type { PlanStep } from '@yagura/core/plan/make-plan';
import {
  type Fields,
  inputOf,
  isSecretSource,
  keyOf,
  mapSecrets,
  portableFields,
} from '@yagura/core/plan/plan-item';
import { isPart, parentsOf, planKindNamed } from '@yagura/core/plan/plan-kinds';
import { userGroupMember } from '@yagura/core/plan/user-group-member';
import { clientFor, type PathParams } from '@yagura/core/resource/client';
import { type AnyResource, fillPath, inputFields } from '@yagura/core/resource/define-resource';
import { userGroup } from '@yagura/core/space/user-group';
import type { Session } from '../signin/session.ts';
import { Failed } from '../term/failure.ts';
import type { Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { stepName } from './plan-text.ts';
import type { Directory, PresentItem } from './space-state.ts';

export async function takeStep(
  terminal: Terminal,
  session: Session,
  planId: string,
  step: PlanStep,
  present: Map<string, PresentItem>,
  names: Directory,
): Promise<void> {
  const resource = planKindNamed(step.kind);
  // It goes with what holds it.
  if (step.operation === 'delete' && isPart(resource)) return;
  const client = clientFor<Fields, Fields>(resource, session.transport);
  const { signal } = terminal;
  const pathParams = placeOf(resource, step, names);
  if (resource === userGroupMember) return joinOrLeave(session, step, pathParams, names, signal);
  if (step.operation === 'create') {
    const body = bodyOf(terminal, resource, step.after!, names);
    const idempotencyKey = keyFor(planId, step);
    const made = resource.verbs.includes('create')
      ? await client.create(body, pathParams, { idempotencyKey, signal })
      : await client.edit(isPart(resource) ? undefined : step.name, body, pathParams, { signal });
    if (!isPart(resource)) names.add(step.kind, String(made[resource.id]), step.name);
    return;
  }
  const item = present.get(keyOf(step))!;
  const { now, etag } = await current(terminal, session, resource, item);
  if (!isAsKnown(portableFields(resource, now, names.nameOf), step.before!))
    throw new Failed('apply.moved-one', { name: stepName(terminal, step) });
  if (step.operation === 'delete') {
    await client.remove(item.id, pathParams, { ifMatch: etag, signal });
    names.drop(step.kind, item.id);
    return;
  }
  const wanted = bodyOf(terminal, resource, step.after!, names);
  const touched = new Set(step.changes.map(({ path }) => path.split('.')[0]!));
  const body =
    resource.update === 'put'
      ? { ...ownFields(resource, now), ...wanted }
      : Object.fromEntries(Object.entries(wanted).filter(([name]) => touched.has(name)));
  await client.edit(item.id, body, pathParams, { ifMatch: etag, signal });
}

async function joinOrLeave(
  { transport }: Session,
  { operation, name }: PlanStep,
  pathParams: PathParams,
  names: Directory,
  signal: AbortSignal,
): Promise<void> {
  const userId = names.idOf('user', name);
  if (userId === undefined) throw new Failed('apply.no-parent', { name });
  const id = pathParams[userGroup.id] as string;
  const call = operation === 'create' ? 'add-users' : 'delete-users';
  await clientFor(userGroup, transport).call(call, { id, body: { userIds: [userId] }, signal });
}

function placeOf(resource: AnyResource, step: PlanStep, names: Directory): PathParams {
  const pathParams: PathParams = {};
  parentsOf(resource).forEach((parent, index) => {
    const name = step.parents[index] ?? '';
    const id = names.idOf(parent.name, name);
    if (id === undefined) throw new Failed('apply.no-parent', { name });
    pathParams[parent.id] = id;
  });
  return pathParams;
}

/** References by id, secrets from the environment. */
function bodyOf(terminal: Terminal, resource: AnyResource, fields: Fields, names: Directory): Fields {
  const filled = mapSecrets(inputFields(resource), fields, (value) => {
    if (!isSecretSource(value)) return value;
    const found = terminal.env[value.$env];
    if (!found) throw new Usage('plan.no-variable', { variable: value.$env });
    return found;
  });
  return inputOf(resource, filled, names.idOf);
}

async function current(terminal: Terminal, { transport }: Session, resource: AnyResource, item: PresentItem) {
  const path = fillPath(resource.itemPath, { ...item.params, [resource.id]: item.id });
  const reply = await send<Fields>(transport, { method: 'GET', path, signal: terminal.signal });
  return { now: reply.data, etag: reply.headers.get('etag') ?? undefined };
}

function ownFields(resource: AnyResource, item: Fields): Fields {
  const names = Object.keys(inputFields(resource));
  return Object.fromEntries(
    names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  );
}

/** The same for the same step of the same plan, so that a create whose reply was lost is not made twice. */
function keyFor(planId: string, step: PlanStep): string {
  return createHash('sha256')
    .update(`${planId}\n${keyOf(step)}`)
    .digest('hex');
}
