// Permissions for the help and the manual. Commands of resources set their own; the others are listed here.

import { permissionFor } from '@yagura/core/resource/required-permission';
import type { Command } from 'commander';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { commandPath } from '../command-path.ts';

/** Operations by the path of the command that always performs them; finding an item by its name is not among them. */
export const operationsOfCommands: Readonly<Record<string, readonly `${string}.${string}`[]>> = {
  alerts: ['scope.list', 'event.list'],
  why: ['message.why'],
  call: ['chain.invoke'],
  scan: ['task.create'],
  'alerthub messages raw': ['message.raw'],
  'alerthub messages attachment': ['message.attachment'],
  'alerthub messages html': ['message.show'],
  'alerthub rules test': ['rule.test'],
  'greac sessions log': ['session-log.text-log'],
  'greac sessions grep': ['session.list', 'session-log.text-log'],
  'kroker credentials create': ['credential.create'],
  'sonar search': ['managed-node-search.search'],
  'sonar diff': ['snapshot-difference.list'],
  'pigeon call': ['chain.invoke'],
  'pigeon preview': ['chain.preview'],
  'pigeon results abort': ['chain.abort'],
  'pigeon guidances speech': ['guidance.speech'],
  'pigeon guidances recording': ['guidance.recording'],
  'pigeon mock-phone heard': ['mock-phone.heard'],
  'space audit-records export': ['audit-record.export'],
};

/** The permissions that a command requires; none if that depends on its arguments, or if it needs no permission. */
export function permissionsOf(command: Command): readonly string[] {
  const operations = operationsOfCommands[commandPath(command).slice(1).join(' ')];
  const { permission } = command as { permission?: string };
  if (!operations) return permission === undefined || permission.startsWith('self:') ? [] : [permission];
  return operations.map((operation) => {
    const [resource, name] = operation.split('.') as [string, string];
    return permissionFor(resourceNamed(resource), name);
  });
}
