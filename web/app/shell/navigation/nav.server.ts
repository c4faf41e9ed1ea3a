// Builds the drawer from all entries that the user may see.

import { canManageLogKeys, canUseBulkTools } from '@yagura/core/access/menu-permissions';
import { can } from '@yagura/core/access/permissions';
import { resourceNamed, resources } from '@yagura/core/all';
import type { MessageKey } from '@yagura/core/i18n/message-key';
import type { AnyResource, Noun } from '@yagura/core/resource/define-resource';
import { type CurrentUser, resourcePermissions } from '../../signin/current-user.server.ts';
import type { DeveloperMode } from '../preferences/developer-mode.server.ts';
import { appSections } from './app-sections.ts';
import type { NavIconName } from './nav-icon.tsx';

export interface NavEntry {
  to: string;
  icon: NavIconName;
  /** Name of a resource; shown in the plural unless there is only one. */
  noun?: Noun;
  /** The resource is a singleton. */
  one?: boolean;
  /** Message key of an entry without a noun. */
  labelKey?: MessageKey;
  /** URL of the create form, if the user may create items. */
  createPath?: string;
}

export interface NavGroup {
  /** Message key of the group. */
  labelKey: MessageKey;
  entries: NavEntry[];
}

/** An entry that is not a resource's list; visible to everybody without a visibility check. */
interface NavLink extends Omit<NavEntry, 'createPath'> {
  isVisible?: (user: CurrentUser) => boolean;
  /** Shown only if the server is in developer mode, not just the browser. */
  ofServer?: boolean;
}

/** A resource with a page, or a custom entry; in display order. */
type NavSource = [resource: string, icon: NavIconName] | NavLink;

interface NavGroupSource {
  labelKey: MessageKey;
  /** Shown in developer mode only. */
  developerOnly?: boolean;
  resources: NavSource[];
}

/** Visible to users who may list one of these resources. */
function canSeeAny(...names: string[]): (user: CurrentUser) => boolean {
  return (user) => names.some((name) => resourcePermissions(user, resourceNamed(name)).list);
}

/**
 * The drawer in display order. A resource with a page of its own that is not named here follows the other
 * resources of its app with a neutral icon; a line here gives it another icon or position.
 */
const groups: NavGroupSource[] = [
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
        isVisible: canSeeAny('notification-setting-email', 'email-action-sender-setting'),
      },
      {
        to: '/apps/alerthub/tools',
        labelKey: 'page.tools',
        icon: 'tool',
        isVisible: (user) => canUseBulkTools(user.permissions),
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
        isVisible: ({ permissions }) => can(permissions, 'sonar:managed-nodes:search'),
      },
      ['snapshot-retention', 'settings'],
    ],
  },
  {
    labelKey: 'shell.greac',
    resources: [
      ['destination', 'slot'],
      ['session', 'action'],
      {
        to: '/apps/greac/session-logs',
        noun: resourceNamed('session-log').noun,
        icon: 'result',
        isVisible: ({ permissions }) => can(permissions, 'greac:sessions:text-log'),
      },
      {
        to: '/apps/greac/key-management',
        labelKey: 'greac.key-management',
        icon: 'token',
        isVisible: (user) => canManageLogKeys(user.permissions),
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
      ['line', 'callflow'],
      ['result-retention', 'settings'],
      {
        to: '/apps/pigeon/tools/command-generator',
        labelKey: 'pigeon.command-generator',
        icon: 'tool',
        isVisible: ({ permissions }) => can(permissions, 'pigeon:chain:invoke'),
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
        isVisible: canSeeAny('ksocket-slot'),
      },
      ['kroker', 'slot'],
      ['kroker-notification', 'message'],
      {
        to: '/preference/cancel-space',
        labelKey: 'cancel.title',
        icon: 'space',
        isVisible: ({ permissions }) => can(permissions, 'space:cancellation:get'),
      },
    ],
  },
  {
    labelKey: 'shell.devtool',
    developerOnly: true,
    resources: [
      ['task', 'task'],
      { to: '/apps/devtool/gallery', labelKey: 'shell.gallery', icon: 'gallery' },
      {
        to: '/apps/devtool/phone',
        labelKey: 'pigeon.phone',
        icon: 'callflow',
        ofServer: true,
        isVisible: ({ permissions }) => can(permissions, 'pigeon:mock-phone:get'),
      },
    ],
  },
];

const isResource = (source: NavSource): source is [string, NavIconName] => Array.isArray(source);

/** Resources of the group that it does not name, after the last resource that it does. */
function withUnnamedResources(group: NavGroupSource, all: readonly AnyResource[]): NavSource[] {
  const named = new Set(groups.flatMap((one) => one.resources.filter(isResource).map(([name]) => name)));
  const unnamed = all
    .filter(
      ({ app, screen, listPage }) =>
        screen && listPage === 'menu' && appSections[app].labelKey === group.labelKey,
    )
    .filter(({ name }) => !named.has(name));
  const end = group.resources.findLastIndex(isResource) + 1;
  return [
    ...group.resources.slice(0, end),
    ...unnamed.map(({ name }): NavSource => [name, 'result']),
    ...group.resources.slice(end),
  ];
}

/** Returns the user's drawer groups; empty ones are left out. */
export function buildNav(
  user: CurrentUser,
  developerMode: DeveloperMode = 'off',
  all: readonly AnyResource[] = resources,
): NavGroup[] {
  return groups
    .filter((group) => developerMode !== 'off' || !group.developerOnly)
    .map((group) => ({
      labelKey: group.labelKey,
      entries: withUnnamedResources(group, all)
        .filter((source) => isResource(source) || !source.ofServer || developerMode === 'server')
        .flatMap((source) => toNavEntries(source, user, all)),
    }))
    .filter((group) => group.entries.length > 0);
}

function toNavEntries(source: NavSource, user: CurrentUser, all: readonly AnyResource[]): NavEntry[] {
  if (!isResource(source)) {
    const { isVisible, ofServer: _ofServer, ...entry } = source;
    return !isVisible || isVisible(user) ? [entry] : [];
  }
  const [name, icon] = source;
  const resource = all.find((one) => one.name === name)!;
  const permissions = resourcePermissions(user, resource);
  if (!permissions.list && !permissions.show) return [];
  const to = resource.screen!;
  const createEntry = permissions.create ? { createPath: `${to}/new` } : {};
  return [{ to, icon, noun: resource.noun, one: resource.singleton, ...createEntry }];
}
