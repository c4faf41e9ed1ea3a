// Each role of an app either reads a resource of the app, or is said here not to. A new resource fails until
// somebody decides.
import { expect, test } from 'vitest';
import { resources } from '../all.ts';
import type { AnyResource } from '../resource/define-resource.ts';
import { can } from './permissions.ts';
import { type RoleName, roleMap, roleNames } from './role-map.ts';

/** First two parts of the permissions whose items a role of the same app may not read. */
const notRead: Partial<Record<RoleName, readonly string[]>> = {
  'space:administrator': [
    'space:cancellation',
    'space:ip-restriction',
    'space:api-tokens',
    'space:mail-log',
    'space:audit-records',
  ],
  'greac:user': ['greac:log-keys', 'greac:log-retention'],
  'greac:auditor': ['greac:destinations', 'greac:sessions', 'greac:log-keys', 'greac:log-retention'],
  'sonar:viewer': ['sonar:scan-settings', 'sonar:notification-settings', 'sonar:snapshot-retention'],
  'pigeon:operator': [
    'pigeon:notification-settings',
    'pigeon:line',
    'pigeon:mock-phone',
    'pigeon:result-retention',
  ],
};

/** A sentence for each resource that a role neither reads nor is kept from. */
function undecided(role: RoleName, all: readonly AnyResource[]): string[] {
  const [app] = role.split(':');
  const isRead = (permission: string) => can(roleMap[role], `${permission}:list`, `${permission}:get`);
  return all
    .filter(
      ({ permission, verbs }) =>
        permission.startsWith(`${app}:`) && (verbs.includes('list') || verbs.includes('show')),
    )
    .filter(({ permission }) => !isRead(permission) && !notRead[role]?.includes(permission))
    .map(
      ({ name, permission }) =>
        `${role} cannot read ${name}. Add '${permission.split(':')[1]}' to the role in core/src/access/role-map.ts, or '${permission}' to notRead in core/src/access/role-reads.test.ts.`,
    );
}

test.each(roleNames)('%s reads the resources of its app, or is kept from them', (role) => {
  expect(undecided(role, resources).join('\n')).toBe('');
  for (const permission of notRead[role] ?? []) expect(can(roleMap[role], `${permission}:get`)).toBe(false);
});

test('says where to add a new resource', () => {
  const contact = resources.find(({ name }) => name === 'contact')!;
  const example = { ...contact, name: 'example', permission: 'pigeon:examples' };
  expect(undecided('pigeon:operator', [contact, example])).toEqual([
    "pigeon:operator cannot read example. Add 'examples' to the role in core/src/access/role-map.ts, or 'pigeon:examples' to notRead in core/src/access/role-reads.test.ts.",
  ]);
  expect(undecided('pigeon:administrator', [contact, example])).toEqual([]);
});
