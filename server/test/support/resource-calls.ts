// Enumerates every call of every resource for a given set of path parameters.
import { resources } from '@yagura/core/all';
import { type AnyResource, editMethods, fillPath } from '@yagura/core/resource/define-resource';
import type { RolePermissions } from './fixtures/app-fixtures.ts';
import { type Fixtures, inputs } from './seed-fixtures.ts';

export interface ResourceCall {
  resource: AnyResource;
  kind: keyof RolePermissions;
  /** Name of the call when the kind is `calls`. */
  name?: string;
  method: string;
  path: string;
  body?: unknown;
}

const methods = { list: 'GET', show: 'GET', create: 'POST', remove: 'DELETE' } as const;
/** An id that does not exist. */
export const unknownId = '0190a0a0-0000-7000-8000-000000000000';

/**
 * Every call of every resource with these path parameters; in harmless mode, writes address an item that does
 * not exist.
 */
export function listResourceCalls(
  pathParams: Fixtures['params'],
  { inside = false, label = 'matrix', harmless = false } = {},
): ResourceCall[] {
  return resources
    .filter((one) => one.path.startsWith('/api/internal/') === inside)
    .flatMap((resource) => {
      const itemOf = (id: string | undefined) =>
        fillPath(resource.itemPath, {
          [resource.id]: unknownId,
          ...pathParams,
          ...(id ? { [resource.id]: id } : {}),
        });
      const written = itemOf(harmless ? unknownId : undefined);
      const collection = fillPath(resource.path, pathParams);
      const input = () => inputs[resource.name]?.(label, pathParams);
      const verbs = resource.verbs.flatMap((kind): ResourceCall[] => {
        const path =
          kind === 'list' || kind === 'create' ? collection : kind === 'show' ? itemOf(undefined) : written;
        const body = kind === 'create' || kind === 'edit' ? input() : undefined;
        const ways = kind === 'edit' ? editMethods(resource) : [methods[kind]];
        return ways.map((method) => ({ resource, kind, method, path, body }));
      });
      const calls = Object.entries(resource.calls).map(
        ([name, call]): ResourceCall => ({
          resource,
          kind: 'calls',
          name,
          method: call.method,
          path: (call.on === 'item' ? written : collection) + call.path,
          ...(call.body ? { body: {} } : {}),
        }),
      );
      return [...verbs, ...calls];
    });
}
