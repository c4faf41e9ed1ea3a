// What can be done with an item, derived from the facts of its resource: verbs, calls, and what other resources do to it.

import type { Place } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import type { Translate } from '@yagura/core/words/translate';
import { catalogue } from '../resource/catalogue.ts';
import type { CallEntry, Entry, Facts } from '../resource/entry.ts';

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
  body: Facts | null;
  /** The field of the body that takes the item's id. */
  idField?: string;
  /** Goes for several items at once. */
  several: boolean;
}

/** Permissions of calls that change nothing, whatever their method. */
const reads = new Set(['get', 'list', 'search']);

/** Everything that may be done with an item, whoever asks; what changes the most comes last. */
export function actionsOf(entry: Entry): Action[] {
  const own = (name: string, permission: string, more: Partial<Action>): Action => ({
    name,
    resource: entry.name,
    way: 'call',
    permission: `${entry.permission}:${permission}`,
    danger: 'ask',
    body: null,
    several: true,
    ...more,
  });
  const found: Action[] = [];
  if (entry.verbs.includes('edit')) {
    found.push(own('edit', 'update', { way: 'edit', several: false, body: entry.input }));
    if (entry.input?.disabled?.kind === 'boolean') {
      found.push(own('enable', 'update', { way: 'enable' }), own('disable', 'update', { way: 'disable' }));
    }
  }
  if (entry.name === 'network') {
    found.push(own('scan', '', { way: 'scan', permission: 'sonar:tasks:create' }));
  }
  found.push(...callsOn(entry));
  if (entry.verbs.includes('remove')) {
    found.push(own('delete', 'delete', { way: 'remove', danger: holdsOthers(entry) ? 'name' : 'ask' }));
  }
  return found;
}

/** The action that makes a new item of a list. */
export function createAction(entry: Entry): Action | undefined {
  if (!entry.verbs.includes('create') || !entry.input) return undefined;
  return {
    name: 'create',
    resource: entry.name,
    way: 'create',
    permission: `${entry.permission}:create`,
    danger: 'ask',
    body: entry.input,
    several: false,
  };
}

/** Calls on the item, of its own resource and of those without items of their own that go by its id. */
function callsOn(entry: Entry): Action[] {
  const found: Action[] = [];
  for (const other of catalogue) {
    for (const [name, call] of Object.entries(other.calls)) {
      if (call.method === 'GET' || reads.has(call.permission)) continue;
      const reach = reachOf(entry, other, call);
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
function reachOf(entry: Entry, other: Entry, call: CallEntry): { idField?: string } | undefined {
  if (call.on === 'item') {
    const companion = other.verbs.length === 0 && other.id === entry.id;
    return other === entry || companion ? {} : undefined;
  }
  const wanted = Object.entries(call.body ?? {}).filter(([, facts]) => facts.required);
  const [only] = wanted;
  if (wanted.length === 1 && only![1].kind === 'reference' && only![1].resource === entry.name)
    return { idField: only![0] };
  // A call on all that the item holds, such as the severities of a scope.
  const parameters = pathParameters(other.path);
  return other.parent === entry.name && parameters.at(-1) === entry.id && !needsText(call.body)
    ? {}
    : undefined;
}

function needsText(body: Facts | null): boolean {
  return Object.values(body ?? {}).some((facts) => facts.required);
}

/** Deleting it takes other things along. */
function holdsOthers(entry: Entry): boolean {
  return catalogue.some((other) => other.parent === entry.name);
}

/** The parameters of the paths below an item: those above it, and its own id. */
export function placeBelow(entry: Entry, place: Place, id: string | undefined): Place {
  return id === undefined ? place : { ...place, [entry.id]: id };
}

/** What an action is called; a call without a word of its own goes by its name. */
export function actWord(t: Translate, name: string): string {
  const word = t(`tui.act.${name}`);
  return word === `tui.act.${name}` ? name.replaceAll('-', ' ') : word;
}
