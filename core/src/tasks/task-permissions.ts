// Who may do what with tasks and their schedules (spec section 6). Two questions are asked: the role map must give
// the verb itself (`work:tasks:list`), and it must give it in the task's namespace (`sonar:tasks:list`). The first
// hides whole screens and commands; the second is a condition on every row. A namespace is the app whose module runs
// the task. Privileged people also see tasks of namespaces that no module knows.
import { can, type Permissions } from '../access/permissions.ts';

/** Namespaces whose modules run tasks. A module that runs tasks adds its app here, and its roles to the role map. */
export const taskNamespaces = ['sonar'] as const;

export type TaskResource = 'tasks' | 'task-schedules';

/** The permission on tasks or schedules of one namespace, e.g. `sonar:tasks:create`. */
export function namespacePermission(namespace: string, resource: TaskResource, verb: string): string {
  return `${namespace}:${resource}:${verb}`;
}

/** Namespaces whose tasks or schedules may be read; `everything` when the grant knows no bounds. */
export function readableNamespaces(
  permissions: Permissions,
  resource: TaskResource,
): 'everything' | string[] {
  if (permissions === 'everything') return 'everything';
  return taskNamespaces.filter((namespace) =>
    can(permissions, namespacePermission(namespace, resource, 'get')),
  );
}
