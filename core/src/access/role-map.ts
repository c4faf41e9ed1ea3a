// Built-in roles and their permissions.

export const roleNames = [
  'space:administrator',
  'greac:user',
  'greac:auditor',
  'greac:administrator',
  'sonar:viewer',
  'sonar:administrator',
  'pigeon:operator',
  'pigeon:administrator',
  'alerthub:viewer',
  'alerthub:administrator',
] as const;
export type RoleName = (typeof roleNames)[number];

/** True for the name of a built-in role. */
export function isRole(name: string): name is RoleName {
  return (roleNames as readonly string[]).includes(name);
}

/** Role name to permission strings `<app>:<resource>:<verb>`; `*` matches any one segment. */
export type RoleMap = Record<string, readonly string[]>;

const read = (app: string, ...resources: string[]) =>
  resources.flatMap((resource) => [`${app}:${resource}:list`, `${app}:${resource}:get`]);

/**
 * Built-in role map. Row-level conditions (members only, masked phone numbers) are enforced by the server;
 * docs/security.md explains the individual grants.
 */
export const roleMap: Record<RoleName, readonly string[]> = {
  'space:administrator': [
    'space:space:get',
    'space:space:update',
    ...read('space', 'users', 'invitations'),
    'space:users:update',
    'space:users:delete',
    'space:invitations:create',
    'space:invitations:resend',
    'space:invitations:delete',
    'space:user-groups:*',
  ],
  'greac:user': [
    ...read('greac', 'destinations', 'sessions'),
    'greac:sessions:create',
    'greac:sessions:join',
    'greac:sessions:update',
    'greac:sessions:close',
    ...read('kroker', 'krokers'),
  ],
  'greac:auditor': ['greac:sessions:text-log', 'greac:sessions:video-log', 'greac:log-keys:private-key'],
  'greac:administrator': ['greac:*:*', 'kroker:*:*'],
  'sonar:viewer': [
    // A snapshot's reply includes the task that fills it.
    ...read('sonar', 'networks', 'managed-nodes', 'snapshots', 'diagrams', 'tasks'),
    ...read('work', 'tasks'),
    'sonar:managed-nodes:search',
  ],
  'sonar:administrator': ['sonar:*:*', 'ksocket:*:*', 'work:tasks:*', 'work:task-schedules:*'],
  'pigeon:operator': [
    ...read('pigeon', 'contacts', 'callflows', 'guidances', 'results'),
    'pigeon:chain:invoke',
    'pigeon:chain:abort',
  ],
  'pigeon:administrator': ['pigeon:*:*'],
  'alerthub:viewer': [
    // Reading the result of a replay is a read permission; starting one is not.
    'alerthub:replays:get',
    ...read(
      'alerthub',
      'actions',
      'action-records',
      'events',
      'messages',
      'receive-slots',
      'rules',
      'runbooks',
      'runbook-records',
      'scopes',
      'triggers',
      'mute-schedules',
      'notification-settings',
      'email-action-senders',
      'retention-settings',
    ),
  ],
  'alerthub:administrator': ['alerthub:*:*'],
};
