// Derives the actions of an item from resource metadata: verbs, calls, and calls of other resources on it.

import { dataKey } from '@yagura/core/i18n/message-key';
import type { Translate } from '@yagura/core/i18n/translator';
import { isFinalStatus, type ResultStatus } from '@yagura/core/pigeon/call-constants';
import type { PathParams } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import type { CallMeta, Fields, ResourceMeta } from '@yagura/core/resource/resource-meta';
import { isFinalSnapshotStatus } from '@yagura/core/sonar/snapshot';
import { namespacePermission } from '@yagura/core/tasks/task-permissions';
import { resources } from '../../resource/meta/resources.ts';
import type { Row } from '../../resource/meta/row.ts';

/** Confirmation required: yes or no, typing the item's name, or entering a note, which may be empty. */
export type Confirmation = 'ask' | 'name' | 'note';

export interface ResourceAction {
  /** The label's message key is `tui.act.<name>`. */
  name: string;
  /** Name of the resource that defines the verb or call. */
  resource: string;
  operation:
    | 'create'
    | 'edit'
    | 'remove'
    | 'enable'
    | 'disable'
    | 'call'
    | 'scan'
    | 'abort-scan'
    | 'start-call'
    /** Runs `greac connect`. */
    | 'connect';
  permission: string;
  confirmation: Confirmation;
  /** Metadata of a body that the user has to fill in. */
  bodyFields: Fields | null;
  /** The body field that receives the item's id. */
  idField?: string;
  /** Can be applied to several items at once. */
  bulk: boolean;
}

/** Permissions of read-only calls, whatever their method. */
const readOnlyPermissions = new Set(['get', 'list', 'search']);

/** Calls of programs, whose replies are of no use to a person. */
const programCalls = new Set(['session.attach']);

/** Returns all actions on an item regardless of permissions, the most destructive last. */
export function actionsOf(meta: ResourceMeta): ResourceAction[] {
  const own = (name: string, permission: string, more: Partial<ResourceAction>): ResourceAction => ({
    name,
    resource: meta.name,
    operation: 'call',
    permission: `${meta.permission}:${permission}`,
    confirmation: 'ask',
    bodyFields: null,
    bulk: true,
    ...more,
  });
  const found: ResourceAction[] = [];
  if (meta.verbs.includes('edit')) {
    found.push(own('edit', 'update', { operation: 'edit', bulk: false, bodyFields: meta.input }));
    if (meta.input?.disabled?.kind === 'boolean') {
      found.push(
        own('enable', 'update', { operation: 'enable' }),
        own('disable', 'update', { operation: 'disable' }),
      );
    }
  }
  if (meta.name === 'network') {
    found.push(own('scan', '', { operation: 'scan', permission: 'sonar:tasks:create' }));
  }
  if (meta.name === 'destination') found.push(own('connect', '', connectTo('greac:sessions:create')));
  if (meta.name === 'session') found.push(own('connect', '', connectTo('greac:sessions:join')));
  if (meta.name === 'snapshot') {
    const permission = namespacePermission('sonar', 'tasks', 'abort');
    found.push(own('abort', '', { operation: 'abort-scan', permission }));
  }
  if (meta.name === 'callflow') found.push(startCallAction());
  found.push(...callActionsOf(meta));
  if (meta.verbs.includes('remove')) {
    found.push(
      own('delete', 'delete', {
        operation: 'remove',
        confirmation: hasChildResources(meta) ? 'name' : 'ask',
      }),
    );
  }
  return found;
}

/** States of an item in which actions have no effect. */
const statesWithoutEffect: Readonly<
  Record<string, readonly { actions: readonly string[]; in(row: Row): boolean }[]>
> = {
  session: [
    {
      actions: ['connect', 'join', 'leave', 'close', 'close-force'],
      in: ({ status }) => status === 'closed',
    },
  ],
  snapshot: [
    { actions: ['abort', 'pause', 'resume'], in: ({ status }) => isFinalSnapshotStatus(String(status)) },
  ],
  result: [{ actions: ['abort'], in: ({ status }) => isFinalStatus(status as ResultStatus) }],
  scope: [
    { actions: ['acknowledge'], in: ({ status, acknowledgedAt }) => status === 'normal' || !!acknowledgedAt },
    { actions: ['unacknowledge'], in: ({ acknowledgedAt }) => !acknowledgedAt },
  ],
};

/** Whether the action has no effect on an item, as far as is known of it. */
export function hasNoEffect(meta: ResourceMeta, { name }: ResourceAction, row: Row | undefined): boolean {
  const found = statesWithoutEffect[meta.name]?.find(({ actions }) => actions.includes(name));
  return row !== undefined && found?.in(row) === true;
}

/** Returns the action that creates an item in a list. */
export function newItemAction(meta: ResourceMeta): ResourceAction | undefined {
  if (!meta.verbs.includes('create') || !meta.input) return undefined;
  return {
    name: 'create',
    resource: meta.name,
    operation: 'create',
    permission: `${meta.permission}:create`,
    confirmation: 'ask',
    bodyFields: meta.input,
    bulk: false,
  };
}

const connectTo = (permission: string): Partial<ResourceAction> => ({
  operation: 'connect',
  permission,
  bulk: false,
});

/** Starts a call chain with the callflow; the form asks for the guidance and its parameters. */
function startCallAction(): ResourceAction {
  const chain = resources.find(({ name }) => name === 'chain')!;
  const { guidanceId, parameters } = chain.calls.invoke!.body!.params!.fields!;
  return {
    name: 'invoke',
    resource: chain.name,
    operation: 'start-call',
    permission: `${chain.permission}:${chain.calls.invoke!.permission}`,
    confirmation: 'ask',
    // A guidance without an id can only be written as JSON, which the form does not offer.
    bodyFields: { guidanceId: { ...guidanceId!, required: true }, parameters: parameters! },
    bulk: false,
  };
}

/** Calls on the item, of its own resource and of resources that are addressed by its id. */
function callActionsOf(meta: ResourceMeta): ResourceAction[] {
  const found: ResourceAction[] = [];
  for (const other of resources) {
    for (const [name, call] of Object.entries(other.calls)) {
      if (call.method === 'GET' || readOnlyPermissions.has(call.permission)) continue;
      if (programCalls.has(`${other.name}.${name}`)) continue;
      const binding = bindCallToItem(meta, other, call);
      if (!binding) continue;
      found.push({
        name,
        resource: other.name,
        operation: 'call',
        permission: `${other.permission}:${call.permission}`,
        confirmation: callConfirmation(name, call),
        bodyFields: binding.idField || !hasRequiredFields(call.body) ? null : call.body,
        bulk: !hasRequiredFields(call.body) || binding.idField !== undefined,
        ...binding,
      });
    }
  }
  return found;
}

function callConfirmation(name: string, { method, body }: CallMeta): Confirmation {
  if (method === 'DELETE' || name.endsWith('-force')) return 'name';
  return body?.note && !body.note.required ? 'note' : 'ask';
}

/** Determines how a call addresses an item: by its path, or by a body field. */
function bindCallToItem(
  meta: ResourceMeta,
  other: ResourceMeta,
  call: CallMeta,
): { idField?: string } | undefined {
  if (call.on === 'item') {
    // An item of which there is one has no id to put into the path.
    const companion = other.verbs.length === 0 && other.id === meta.id && !meta.singleton;
    return other === meta || companion ? {} : undefined;
  }
  const required = Object.entries(call.body ?? {}).filter(([, field]) => field.required);
  const [only] = required;
  if (required.length === 1 && only![1].kind === 'reference' && only![1].resource === meta.name)
    return { idField: only![0] };
  // A call on all children of the item, such as the severities of a scope.
  const parameters = pathParameters(other.path);
  return other.parent === meta.name && parameters.at(-1) === meta.id && !hasRequiredFields(call.body)
    ? {}
    : undefined;
}

function hasRequiredFields(body: Fields | null): boolean {
  return Object.values(body ?? {}).some((field) => field.required);
}

/** Whether deleting the item also deletes other items. */
function hasChildResources(meta: ResourceMeta): boolean {
  return resources.some((other) => other.parent === meta.name);
}

/** The path parameters below an item: its own and its id. */
export function childPathParams(
  meta: ResourceMeta,
  pathParams: PathParams,
  id: string | undefined,
): PathParams {
  return id === undefined ? pathParams : { ...pathParams, [meta.id]: id };
}

export function actionLabel(t: Translate, name: string): string {
  return t(dataKey(`tui.act.${name}`));
}
