// What can be done with an item, derived from the facts of its resource: verbs, calls, and what other resources do to it.

import type { Translate } from '@yagura/core/i18n/translator';
import type { PathParams } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import type { CallMeta, Fields, ResourceMeta } from '../../resource/meta/resource-meta.ts';
import { resources } from '../../resource/meta/resources.ts';

/** How much is asked before it is done: yes or no, or the name of the thing. */
export type Confirmation = 'ask' | 'name';

export interface ResourceAction {
  /** Word is `tui.act.<name>`. */
  name: string;
  /** Name of the resource whose verb or call it is. */
  resource: string;
  operation: 'create' | 'edit' | 'remove' | 'enable' | 'disable' | 'call' | 'scan';
  permission: string;
  confirmation: Confirmation;
  /** The facts of a body that a person has to write. */
  bodyFields: Fields | null;
  /** The field of the body that takes the item's id. */
  idField?: string;
  /** Goes for several items at once. */
  bulk: boolean;
}

/** Permissions of calls that change nothing, whatever their method. */
const readOnlyPermissions = new Set(['get', 'list', 'search']);

/** Everything that may be done with an item, whoever asks; what changes the most comes last. */
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

/** The action that makes a new item of a list. */
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

/** Calls on the item, of its own resource and of those without items of their own that go by its id. */
function callActionsOf(meta: ResourceMeta): ResourceAction[] {
  const found: ResourceAction[] = [];
  for (const other of resources) {
    for (const [name, call] of Object.entries(other.calls)) {
      if (call.method === 'GET' || readOnlyPermissions.has(call.permission)) continue;
      const binding = bindCallToItem(meta, other, call);
      if (!binding) continue;
      found.push({
        name,
        resource: other.name,
        operation: 'call',
        permission: `${other.permission}:${call.permission}`,
        confirmation: call.method === 'DELETE' || name.endsWith('-force') ? 'name' : 'ask',
        bodyFields: binding.idField || !hasRequiredFields(call.body) ? null : call.body,
        bulk: !hasRequiredFields(call.body) || binding.idField !== undefined,
        ...binding,
      });
    }
  }
  return found;
}

/** How a call gets to an item: by its path, or by a field of its body. */
function bindCallToItem(
  meta: ResourceMeta,
  other: ResourceMeta,
  call: CallMeta,
): { idField?: string } | undefined {
  if (call.on === 'item') {
    const companion = other.verbs.length === 0 && other.id === meta.id;
    return other === meta || companion ? {} : undefined;
  }
  const required = Object.entries(call.body ?? {}).filter(([, field]) => field.required);
  const [only] = required;
  if (required.length === 1 && only![1].kind === 'reference' && only![1].resource === meta.name)
    return { idField: only![0] };
  // A call on all that the item holds, such as the severities of a scope.
  const parameters = pathParameters(other.path);
  return other.parent === meta.name && parameters.at(-1) === meta.id && !hasRequiredFields(call.body)
    ? {}
    : undefined;
}

function hasRequiredFields(body: Fields | null): boolean {
  return Object.values(body ?? {}).some((field) => field.required);
}

/** Deleting it takes other things along. */
function hasChildResources(meta: ResourceMeta): boolean {
  return resources.some((other) => other.parent === meta.name);
}

/** The parameters of the paths below an item: those above it, and its own id. */
export function childPathParams(
  meta: ResourceMeta,
  pathParams: PathParams,
  id: string | undefined,
): PathParams {
  return id === undefined ? pathParams : { ...pathParams, [meta.id]: id };
}

/** What an action is called; a call without a word of its own goes by its name. */
export function actionLabel(t: Translate, name: string): string {
  const word = t(`tui.act.${name}`);
  return word === `tui.act.${name}` ? name.replaceAll('-', ' ') : word;
}
