// Entries of the drawer: what there is, less what the person may not list.
import { resourceNamed } from '@yagura/core/all';
import type { Noun } from '@yagura/core/resource/define-resource';
import { mayOf, type Person } from '../signin/grant.server.ts';
import type { NavIconName } from './nav-icon.tsx';

export interface NavEntry {
  to: string;
  icon: NavIconName;
  noun: Noun;
  /** There is only one of it. */
  one: boolean;
}

export interface NavGroup {
  /** Key of the group's word. */
  word: string;
  entries: NavEntry[];
}

const groups: { word: string; resources: [name: string, icon: NavIconName][] }[] = [
  {
    word: 'shell.alerthub',
    resources: [
      ['message', 'message'],
      ['scope', 'scope'],
      ['rule', 'rule'],
      ['action', 'action'],
      ['receive-slot', 'slot'],
    ],
  },
  {
    word: 'shell.preference',
    resources: [
      ['space', 'space'],
      ['profile', 'profile'],
      ['api-token', 'token'],
    ],
  },
];

/** Groups of the drawer for that person; empty ones are left out. */
export function navFor(person: Person): NavGroup[] {
  return groups
    .map(({ word, resources }) => ({
      word,
      entries: resources
        .map(([name, icon]) => ({ resource: resourceNamed(name), icon }))
        .filter(({ resource }) => {
          const may = mayOf(person, resource);
          return may.list || may.show;
        })
        .map(({ resource, icon }) => ({
          to: resource.screen!,
          icon,
          noun: resource.noun,
          one: resource.singleton,
        })),
    }))
    .filter((group) => group.entries.length > 0);
}
