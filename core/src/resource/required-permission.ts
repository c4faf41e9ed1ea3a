// Which permission an operation on a resource requires.

/** Last part of the permission that a verb requires. */
const verbPermission = {
  list: 'list',
  show: 'get',
  create: 'create',
  edit: 'update',
  remove: 'delete',
} as const;

interface Resource {
  name: string;
  /** First two parts of the permissions. */
  permission: string;
  calls: Readonly<Record<string, { permission: string }>>;
}

/** The permission that a verb or a call requires, e.g. `alerthub:scopes:list`. */
export function permissionFor(resource: Resource, verb: string): string {
  const last =
    verb in verbPermission
      ? verbPermission[verb as keyof typeof verbPermission]
      : resource.calls[verb]?.permission;
  if (!last) throw new Error(`${resource.name} has no call ${verb}`);
  return `${resource.permission}:${last}`;
}
