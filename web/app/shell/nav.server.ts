// Entries of the drawer: what there is, less what the person may not see.
import { can } from '@yagura/core/access/claims';
import { seesBulkTools, seesLogKeys } from '@yagura/core/access/menu';
import { resourceNamed } from '@yagura/core/all';
import type { Noun } from '@yagura/core/resource/define-resource';
import { type CurrentUser, resourcePermissions } from '../signin/grant.server.ts';
import type { NavIconName } from './nav-icon.tsx';

export interface NavEntry {
  to: string;
  icon: NavIconName;
  /** Name of a resource; its plural is shown unless there is only one. */
  noun?: Noun;
  /** There is only one of it. */
  one?: boolean;
  /** Key of the word of an entry that is no resource's list. */
  labelKey?: string;
  /** Where a new item is made, for whom may make one. */
  create?: string;
}

export interface NavGroup {
  /** Key of the group's word. */
  labelKey: string;
  entries: NavEntry[];
}

/** An entry that is not a resource's list; `sees` says who sees it, everybody when absent. */
interface Place {
  to: string;
  labelKey: string;
  icon: NavIconName;
  sees?: (user: CurrentUser) => boolean;
}

/** A resource that has a screen, or a place; in the order in which they stand. */
type Listed = [resource: string, icon: NavIconName] | Place;

interface Group {
  labelKey: string;
  /** Shown in developer mode only. */
  developer?: boolean;
  resources: Listed[];
}

/** Who may list one of these. */
function sees(...names: string[]): (user: CurrentUser) => boolean {
  return (user) => names.some((name) => resourcePermissions(user, resourceNamed(name)).list);
}

/** The one list of the drawer: a line here is an entry there. */
const groups: Group[] = [
  {
    labelKey: 'shell.alerthub',
    resources: [
      ['message', 'message'],
      ['scope', 'scope'],
      ['rule', 'rule'],
      ['action', 'action'],
      ['runbook', 'runbook'],
      ['receive-slot', 'slot'],
      {
        to: '/apps/alerthub/settings',
        labelKey: 'page.settings',
        icon: 'settings',
        sees: sees('notification-setting-email', 'email-action-sender-setting'),
      },
      {
        to: '/apps/alerthub/tools',
        labelKey: 'page.tools',
        icon: 'tool',
        sees: (user) => seesBulkTools(user.grant),
      },
    ],
  },
  {
    labelKey: 'shell.sonar',
    resources: [
      ['network', 'scope'],
      {
        to: '/apps/sonar/search/managed-nodes',
        labelKey: 'search.title',
        icon: 'search',
        sees: ({ grant }) => can(grant, 'sonar:managed-nodes:search'),
      },
    ],
  },
  {
    labelKey: 'shell.greac',
    resources: [
      ['destination', 'slot'],
      ['session', 'action'],
      {
        to: '/apps/greac/key-management',
        labelKey: 'greac.key-management',
        icon: 'token',
        sees: (user) => seesLogKeys(user.grant),
      },
    ],
  },
  {
    labelKey: 'shell.pigeon',
    resources: [
      ['contact', 'contact'],
      ['callflow', 'callflow'],
      ['guidance', 'guidance'],
      ['result', 'result'],
      ['pigeon-notification-setting', 'settings'],
      {
        to: '/apps/pigeon/tools/command-generator',
        labelKey: 'pigeon.command-generator',
        icon: 'tool',
        sees: ({ grant }) => can(grant, 'pigeon:chain:invoke'),
      },
    ],
  },
  {
    labelKey: 'shell.preference',
    resources: [
      ['space', 'space'],
      ['profile', 'profile'],
      ['ip-restriction', 'shield'],
      ['user', 'users'],
      ['user-group', 'users'],
      ['api-token', 'token'],
      ['invitation', 'message'],
      ['mail', 'message'],
      ['audit-record', 'rule'],
      ['ksocket-slot', 'slot'],
      {
        to: '/preference/tool/credential',
        labelKey: 'credential.title',
        icon: 'tool',
        sees: sees('ksocket-slot'),
      },
      ['kroker', 'slot'],
      ['kroker-notification', 'message'],
      {
        to: '/preference/cancel-space',
        labelKey: 'cancel.title',
        icon: 'space',
        sees: ({ grant }) => can(grant, 'space:cancellation:get'),
      },
    ],
  },
  {
    labelKey: 'shell.devtool',
    developer: true,
    resources: [
      ['task', 'task'],
      { to: '/apps/devtool/gallery', labelKey: 'shell.gallery', icon: 'gallery' },
    ],
  },
];

/** Groups of the drawer for that person; empty ones are left out. */
export function navFor(user: CurrentUser, developerMode = false): NavGroup[] {
  return groups
    .filter((group) => developerMode || !group.developer)
    .map(({ labelKey, resources }) => ({
      labelKey,
      entries: resources.flatMap((listed) => entryOf(listed, user)),
    }))
    .filter((group) => group.entries.length > 0);
}

function entryOf(listed: Listed, user: CurrentUser): NavEntry[] {
  if (!Array.isArray(listed)) {
    const { sees, ...entry } = listed;
    return !sees || sees(user) ? [entry] : [];
  }
  const [name, icon] = listed;
  const resource = resourceNamed(name);
  const permissions = resourcePermissions(user, resource);
  if (!permissions.list && !permissions.show) return [];
  const to = resource.screen!;
  const create = permissions.create ? { create: `${to}/new` } : {};
  return [{ to, icon, noun: resource.noun, one: resource.singleton, ...create }];
}
