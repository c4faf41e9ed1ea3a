// Permissions for the help and the manual. Commands of resources set their own; the others are listed here.

import type { Command } from 'commander';
import { commandPath } from '../command-path.ts';

/** A session is opened and joined; joining an open one needs the second alone. */
const sessionPermissions = ['greac:sessions:create', 'greac:sessions:join'];

/** Permissions by the path of the command that needs them; finding an item by its name may need another. */
export const writtenPermissions: Readonly<Record<string, readonly string[]>> = {
  alerts: ['alerthub:scopes:list', 'alerthub:events:list'],
  why: ['alerthub:messages:get'],
  call: ['pigeon:chain:invoke'],
  scan: ['work:tasks:create'],
  'alerthub messages raw': ['alerthub:messages:get'],
  'alerthub messages attachment': ['alerthub:messages:get'],
  'alerthub messages html': ['alerthub:messages:get'],
  'alerthub rules test': ['alerthub:rules:test'],
  'greac connect': sessionPermissions,
  'greac files list': sessionPermissions,
  'greac files get': sessionPermissions,
  'greac files put': sessionPermissions,
  'greac sessions log': ['greac:sessions:text-log'],
  'greac sessions grep': ['greac:sessions:list', 'greac:sessions:text-log'],
  'kroker credentials create': ['kroker:credentials:create'],
  'sonar search': ['sonar:managed-nodes:search'],
  'sonar diff': ['sonar:snapshots:list'],
  'pigeon call': ['pigeon:chain:invoke'],
  'pigeon preview': ['pigeon:chain:invoke'],
  'pigeon results abort': ['pigeon:chain:abort'],
  'pigeon guidances speech': ['pigeon:guidances:get'],
  'pigeon guidances recording': ['pigeon:guidances:get'],
  'pigeon guidances record': ['pigeon:guidances:update'],
  'pigeon mock-phone heard': ['pigeon:mock-phone:get'],
  'space audit-records export': ['space:audit-records:export'],
};

/** The permissions that a command requires; none if that depends on its arguments, or if it needs no permission. */
export function permissionsOf(command: Command): readonly string[] {
  const written = writtenPermissions[commandPath(command).slice(1).join(' ')];
  if (written) return written;
  const { permission } = command as { permission?: string };
  return permission === undefined || permission.startsWith('self:') ? [] : [permission];
}
