// Permission checks for tasks and their schedules. Both the verb itself (`work:tasks:list`) and the verb in
// the task's namespace (`sonar:tasks:list`) must be granted. The first controls whole screens and commands,
// the second each row. A namespace is the app whose module runs the task. Only privileged users create and see
// tasks in namespaces that no module uses.
import { can, type Permissions } from '../access/permissions.ts';

/** Namespaces whose modules run tasks. A new module adds its app here and its roles to the role map. */
export const taskNamespaces = ['sonar'] as const;

export type TaskResource = 'tasks' | 'task-schedules';

/**
 * The permission for tasks or schedules of one namespace, e.g. `sonar:tasks:create`. Any text may be given as a namespace; one
 * that no module uses needs the permission in every app (`*:tasks:create`), which no role grants.
 */
export function namespacePermission(namespace: string, resource: TaskResource, verb: string): string {
  const app = taskNamespaces.some((known) => known === namespace) ? namespace : '*';
  return `${app}:${resource}:${verb}`;
}

/** Namespaces whose tasks or schedules the caller may read; `everything` if unrestricted. */
export function readableNamespaces(
  permissions: Permissions,
  resource: TaskResource,
): 'everything' | string[] {
  if (permissions === 'everything') return 'everything';
  return taskNamespaces.filter((namespace) =>
    can(permissions, namespacePermission(namespace, resource, 'get')),
  );
}
