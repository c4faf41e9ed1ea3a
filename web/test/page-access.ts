// Expected visibility of every page by role, maintained by hand; a privileged user sees everything.
import type { RoleName } from '@yagura/core/access/role-map';

export type PageAccess = 'page' | 'forbidden' | 'missing';

type AllowedRoles = readonly RoleName[] | 'everybody';

const alerthub = ['alerthub:administrator'] as const;
const alerthubReaders = ['alerthub:viewer', ...alerthub] as const;
const sonar = ['sonar:administrator'] as const;
const sonarReaders = ['sonar:viewer', ...sonar] as const;
const pigeon = ['pigeon:administrator'] as const;
const pigeonReaders = ['pigeon:operator', ...pigeon] as const;
const greac = ['greac:administrator'] as const;
const greacAuditors = ['greac:auditor', ...greac] as const;
const greacUsers = ['greac:user', ...greac] as const;
const space = ['space:administrator'] as const;
const none = [] as const;

/** The first matching line wins. */
const accessRules: [pattern: RegExp, who: AllowedRoles][] = [
  [/^\/(403|404|error|\*)?$/, 'everybody'],
  [/^\/preference\/profile/, 'everybody'],
  [/^\/preference\/(ip-restriction|api-token|audit-records|mail-log|cancel-space)/, none],
  [/^\/preference\/users\/new/, none],
  [/^\/preference\/(space|users|user-groups|invitations)/, space],
  [/^\/preference\/(ksocket|tool\/credential)/, sonar],
  [/^\/preference\/kroker\/list(\/:krokerId)?$/, greacUsers],
  [/^\/setup-kroker\/complete$/, 'everybody'],
  [/^\/setup-kroker$/, greacUsers],
  [/^\/preference\/kroker/, greac],
  [/^\/apps\/devtool\/tasks\/new/, sonar],
  [/^\/apps\/devtool\/tasks/, sonarReaders],
  [/^\/apps\/devtool\/phone/, pigeon],
  // The server of these tests is in developer mode.
  [/^\/apps\/devtool\/gallery$/, 'everybody'],
  [/^\/apps\/sonar\/.*(\/new|\/edit|\/scan|\/scan\/.*)$/, sonar],
  [/^\/apps\/sonar\/snapshot-retention/, sonar],
  [/^\/apps\/sonar\//, sonarReaders],
  [/^\/apps\/greac\/(session-logs|sessions\/:sessionId\/logs)$/, greacAuditors],
  [/^\/apps\/greac\/sessions/, greacUsers],
  [/^\/apps\/greac\/destinations\/(new|.*\/edit)$/, greac],
  [/^\/apps\/greac\/destinations/, greacUsers],
  [/^\/apps\/greac\/connect/, greacUsers],
  [/^\/apps\/greac\/(key-management|log-retention)/, greac],
  [/^\/apps\/pigeon\/.*(\/new|\/edit)$/, pigeon],
  [/^\/apps\/pigeon\/settings/, pigeon],
  [/^\/apps\/pigeon\//, pigeonReaders],
  [/^\/apps\/alerthub\/.*(\/new|\/edit)$/, alerthub],
  [/^\/apps\/alerthub\/receive-slots\/recipes/, alerthub],
  [/^\/apps\/alerthub\/runbooks\/:runbookId\/test-run/, alerthub],
  [/^\/apps\/alerthub\/tools/, alerthub],
  [/^\/apps\/alerthub\//, alerthubReaders],
];

/** For a greac:user, items without membership do not exist. */
const membersOnly = /^\/apps\/greac\/((destinations|sessions)\/:\w+(\/edit)?|connect\/:\w+)$/;

export function expectedAccess(pattern: string, role: RoleName): PageAccess {
  if (role === 'greac:user' && membersOnly.test(pattern)) return 'missing';
  const found = accessRules.find(([line]) => line.test(pattern));
  if (!found) throw new Error(`nobody has said who sees ${pattern}`);
  const [, who] = found;
  return who === 'everybody' || who.includes(role) ? 'page' : 'forbidden';
}
