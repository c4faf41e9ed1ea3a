// What can be done with an item, derived from the facts of its resource: verbs, calls, and what other resources do to it.

import type { PathParams } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import type { Translate } from '@yagura/core/words/translate';
import { catalogue } from '../resource/catalogue.ts';
import type { CallMeta, Fields, ResourceMeta } from '../resource/entry.ts';

/** How much is asked before it is done: yes or no, or the name of the thing. */
export type Danger = 'ask' | 'name';

export interface Action {
  /** Word is `tui.act.<name>`. */
  name: string;
  /** Name of the resource whose verb or call it is. */
  resource: string;
  way: 'create' | 'edit' | 'remove' | 'enable' | 'disable' | 'call' | 'scan';
  permission: string;
  danger: Danger;
  /** The facts of a body that a person has to write. */
  body: Fields | null;
  /** The field of the body that takes the item's id. */
  idField?: string;
  /** Goes for several items at once. */
  several: boolean;
}

/** Permissions of calls that change nothing, whatever their method. */
const reads = new Set(['get', 'list', 'search']);

/** Everything that may be done with an item, whoever asks; what changes the most comes last. */
export function actionsOf(meta: ResourceMeta): Action[] {
  const own = (name: string, permission: string, more: Partial<Action>): Action => ({
    name,
    resource: meta.name,
    way: 'call',
    permission: `${meta.permission}:${permission}`,
    danger: 'ask',
    body: null,
    several: true,
    ...more,
  });
  const found: Action[] = [];
  if (meta.verbs.includes('edit')) {
    found.push(own('edit', 'update', { way: 'edit', several: false, body: meta.input }));
    if (meta.input?.disabled?.kind === 'boolean') {
      found.push(own('enable', 'update', { way: 'enable' }), own('disable', 'update', { way: 'disable' }));
    }
  }
  if (meta.name === 'network') {
    found.push(own('scan', '', { way: 'scan', permission: 'sonar:tasks:create' }));
  }
  found.push(...callsOn(meta));
  if (meta.verbs.includes('remove')) {
    found.push(own('delete', 'delete', { way: 'remove', danger: holdsOthers(meta) ? 'name' : 'ask' }));
  }
  return found;
}

/** The action that makes a new item of a list. */
export function createAction(meta: ResourceMeta): Action | undefined {
  if (!meta.verbs.includes('create') || !meta.input) return undefined;
  return {
    name: 'create',
    resource: meta.name,
    way: 'create',
    permission: `${meta.permission}:create`,
    danger: 'ask',
    body: meta.input,
    several: false,
  };
}

/** Calls on the item, of its own resource and of those without items of their own that go by its id. */
function callsOn(meta: ResourceMeta): Action[] {
  const found: Action[] = [];
  for (const other of catalogue) {
    for (const [name, call] of Object.entries(other.calls)) {
      if (call.method === 'GET' || reads.has(call.permission)) continue;
      const reach = reachOf(meta, other, call);
      if (!reach) continue;
      found.push({
        name,
        resource: other.name,
        way: 'call',
        permission: `${other.permission}:${call.permission}`,
        danger: call.method === 'DELETE' || name.endsWith('-force') ? 'name' : 'ask',
        body: reach.idField || !needsText(call.body) ? null : call.body,
        several: !needsText(call.body) || reach.idField !== undefined,
        ...reach,
      });
    }
  }
  return found;
}

/** How a call gets to an item: by its path, or by a field of its body. */
function reachOf(meta: ResourceMeta, other: ResourceMeta, call: CallMeta): { idField?: string } | undefined {
  if (call.on === 'item') {
    const companion = other.verbs.length === 0 && other.id === meta.id;
    return other === meta || companion ? {} : undefined;
  }
  const wanted = Object.entries(call.body ?? {}).filter(([, facts]) => facts.required);
  const [only] = wanted;
  if (wanted.length === 1 && only![1].kind === 'reference' && only![1].resource === meta.name)
    return { idField: only![0] };
  // A call on all that the item holds, such as the severities of a scope.
  const parameters = pathParameters(other.path);
  return other.parent === meta.name && parameters.at(-1) === meta.id && !needsText(call.body)
    ? {}
    : undefined;
}

function needsText(body: Fields | null): boolean {
  return Object.values(body ?? {}).some((field) => field.required);
}

/** Deleting it takes other things along. */
function holdsOthers(meta: ResourceMeta): boolean {
  return catalogue.some((other) => other.parent === meta.name);
}

/** The parameters of the paths below an item: those above it, and its own id. */
export function placeBelow(meta: ResourceMeta, pathParams: PathParams, id: string | undefined): PathParams {
  return id === undefined ? pathParams : { ...pathParams, [meta.id]: id };
}

/** What an action is called; a call without a word of its own goes by its name. */
export function actWord(t: Translate, name: string): string {
  const word = t(`tui.act.${name}`);
  return word === `tui.act.${name}` ? name.replaceAll('-', ' ') : word;
}
