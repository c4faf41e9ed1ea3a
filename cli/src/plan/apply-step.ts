// Executes one plan step as API calls; each step is atomic.
import { createHash } from 'node:crypto';
import { send } from '@yagura/core/http/transport';
import { matchesKnown } from '@yagura/core/plan/field-changes';
import type { PlanStep } from '@yagura/core/plan/make-plan';
import {
  type Fields,
  isSecretSource,
  mapSecrets,
  planItemKey,
  portableFields,
  toInput,
  withoutSecrets,
} from '@yagura/core/plan/plan-item';
import { isParentPart, parentsOf, planKindNamed } from '@yagura/core/plan/plan-kinds';
import { userGroupMember } from '@yagura/core/plan/user-group-member';
import { type Client, createClient, type PathParams } from '@yagura/core/resource/client';
import { type AnyResource, fillPath, inputFields } from '@yagura/core/resource/define-resource';
import { userGroup } from '@yagura/core/space/user-group';
import { CommandError } from '../command-line/report-error.ts';
import { UsageError } from '../command-line/usage-error.ts';
import type { Session } from '../signin/session.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { stepLabel } from './format-plan.ts';
import type { ExistingItem, NameIndex } from './space-state.ts';

/** Replies are repeated for a day; a plan is hardly reverted this often. */
const maxCreateAttempts = 100;

/** What all steps of a run belong to. */
export interface StepRun {
  planId: string;
  /** The plan comes from a file, so an earlier run may have executed and reverted its steps. */
  isSaved: boolean;
}

export async function applyStep(
  terminal: Terminal,
  session: Session,
  run: StepRun,
  step: PlanStep,
  existing: Map<string, ExistingItem>,
  names: NameIndex,
): Promise<void> {
  const resource = planKindNamed(step.kind);
  // Deleted together with its parent.
  if (step.operation === 'delete' && isParentPart(resource)) return;
  const client = createClient<Fields, Fields>(resource, session.transport);
  const { signal } = terminal;
  const pathParams = parentParams(resource, step, names);
  if (resource === userGroupMember) return changeGroupMembership(session, step, pathParams, names, signal);
  if (step.operation === 'create') {
    const body = toRequestBody(terminal, resource, step.after!, names);
    const made = resource.verbs.includes('create')
      ? await createOnce(terminal, client, resource, { run, step, body, pathParams })
      : await client.edit(isParentPart(resource) ? undefined : step.name, body, pathParams, { signal });
    if (!isParentPart(resource)) names.add(step.kind, String(made[resource.id]), step.name);
    return;
  }
  const item = existing.get(planItemKey(step))!;
  const { now, etag } = await fetchCurrent(terminal, session, resource, item);
  if (!matchesKnown(portableFields(resource, now, names.nameOf), step.before!))
    throw new CommandError('apply.moved-one', { name: stepLabel(terminal, step) });
  if (step.operation === 'delete') {
    await client.remove(item.id, pathParams, { ifMatch: etag, signal });
    names.remove(step.kind, item.id);
    return;
  }
  const desired = toRequestBody(terminal, resource, step.after!, names);
  const changedFields = new Set(step.changes.map(({ path }) => path.split('.')[0]!));
  const body =
    resource.update === 'put'
      ? { ...currentInput(resource, now), ...desired }
      : Object.fromEntries(Object.entries(desired).filter(([name]) => changedFields.has(name)));
  await client.edit(item.id, body, pathParams, { ifMatch: etag, signal });
}

async function changeGroupMembership(
  { transport }: Session,
  { operation, name }: PlanStep,
  pathParams: PathParams,
  names: NameIndex,
  signal: AbortSignal,
): Promise<void> {
  const userId = names.idOf('user', name);
  if (userId === undefined) throw new CommandError('apply.no-parent', { name });
  const id = pathParams[userGroup.id] as string;
  const call = operation === 'create' ? 'add-users' : 'delete-users';
  await createClient(userGroup, transport).call(call, { id, body: { userIds: [userId] }, signal });
}

function parentParams(resource: AnyResource, step: PlanStep, names: NameIndex): PathParams {
  const pathParams: PathParams = {};
  parentsOf(resource).forEach((parent, index) => {
    const name = step.parents[index] ?? '';
    const id = names.idOf(parent.name, name);
    if (id === undefined) throw new CommandError('apply.no-parent', { name });
    pathParams[parent.id] = id;
  });
  return pathParams;
}

/** Resolves references to ids and secrets from the environment. */
function toRequestBody(terminal: Terminal, resource: AnyResource, fields: Fields, names: NameIndex): Fields {
  const filled = mapSecrets(inputFields(resource), fields, (value) => {
    if (!isSecretSource(value)) return value;
    const found = terminal.env[value.$env];
    if (!found) throw new UsageError('plan.no-variable', { variable: value.$env });
    return found;
  });
  return toInput(resource, filled, names.idOf);
}

async function fetchCurrent(
  terminal: Terminal,
  { transport }: Session,
  resource: AnyResource,
  item: ExistingItem,
) {
  const path = fillPath(resource.itemPath, { ...item.params, [resource.id]: item.id });
  const reply = await send<Fields>(transport, { method: 'GET', path, signal: terminal.signal });
  return { now: reply.data, etag: reply.headers.get('etag') ?? undefined };
}

function currentInput(resource: AnyResource, item: Fields): Fields {
  const names = Object.keys(inputFields(resource));
  return Object.fromEntries(
    names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  );
}

/**
 * Creates the item of a step, with the same key in each run of the plan, so that a create whose response was lost is not
 * repeated. When an earlier run created the item and it was deleted since, the server repeats that run's reply: then
 * the item is created with another key.
 */
async function createOnce(
  terminal: Terminal,
  client: Client<Fields, Fields>,
  resource: AnyResource,
  { run, step, body, pathParams }: { run: StepRun; step: PlanStep; body: Fields; pathParams: PathParams },
): Promise<Fields> {
  const { signal } = terminal;
  // References may have other ids than in an earlier run. Without secrets, since keys are stored.
  const content = JSON.stringify([pathParams, withoutSecrets(inputFields(resource), body)]);
  let key = hash(`${run.planId}\n${planItemKey(step)}\n${content}`);
  for (let attempt = 0; attempt < maxCreateAttempts; attempt += 1) {
    const made = await client.create(body, pathParams, { idempotencyKey: key, signal });
    const id = String(made[resource.id]);
    if (!run.isSaved || (await client.find(id, pathParams, signal))) return made;
    key = hash(`${key}\n${id}`);
  }
  throw new CommandError('apply.moved-one', { name: stepLabel(terminal, step) });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
