// Roles of the specification (section 6) and the permissions each stands for.

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

/** True when a role of the product has this name. */
export function isRole(name: string): name is RoleName {
  return (roleNames as readonly string[]).includes(name);
}

/** Role name to permission strings `<app>:<resource>:<verb>`; `*` stands for any one segment. */
export type RoleMap = Record<string, readonly string[]>;

const read = (app: string, ...resources: string[]) =>
  resources.flatMap((resource) => [`${app}:${resource}:list`, `${app}:${resource}:get`]);

/**
 * The map of the product. Row-level conditions (members only, masked phone numbers) are the server's. Where the table of the
 * specification says less than a call needs, docs/security.md says what was decided.
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
    // A snapshot is told with the task that fills it.
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
    // To read what a replay has found is to read data; to start one is not.
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
