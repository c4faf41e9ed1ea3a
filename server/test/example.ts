// One good input of every resource that can be written, and a space with something of everything in it.
import type { RoleName } from '@yagura/core/access/role-map';
import { send, type Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import { alerthub } from './examples/alerthub.ts';
import type { Body, Example, RolePermissions } from './examples/example.ts';
import { greac } from './examples/greac.ts';
import { identity } from './examples/identity.ts';
import { pigeon } from './examples/pigeon.ts';
import { sonar } from './examples/sonar.ts';
import { space } from './examples/space.ts';
import { work } from './examples/work.ts';
import type { TestServer } from './world.ts';

/** In the order in which they are laid: an app may name what stands before it. */
export const examples: readonly Example[] = [space, identity, work, alerthub, greac, sonar, pigeon];

/** The ids of one connected set of things. */
export interface Fixtures {
  params: Record<string, string>;
  /** Address that takes messages of the slot. */
  primary: string;
  secondary: string;
}

/** A fresh input; `label` keeps unique names apart. Resources that nobody writes are not here. */
export const inputs: Record<string, (label: string, pathParams: PathParams) => Body> = Object.assign(
  {},
  ...examples.map((example) => example.inputs),
);

/** Lists that are the same for everybody and whole at once. */
export const catalogues = examples.flatMap((example) => example.catalogues ?? []);

/** Whether the contract test leaves this call to a test of its own. */
export function hasOwnTest(resource: AnyResource, verb: string): boolean {
  return examples.some((example) => example.ownTest?.[`${resource.name}.${verb}`]);
}

/** Whether the specification's table lets a role make this call; `null` for what everybody may. */
export function roleMay(
  role: RoleName | null,
  kind: keyof RolePermissions,
  resource: AnyResource,
  call?: string,
): boolean {
  return examples.some(({ permissions, everybody }) => {
    const names = (role ? permissions[role] : everybody)?.[kind] ?? [];
    return (
      names.includes(resource.name) || (call !== undefined && names.includes(`${resource.name}.${call}`))
    );
  });
}

/** Creates an item as its own caller would: attributes come by PUT of their name. */
export async function createItem(
  transport: Transport,
  resource: AnyResource,
  label: string,
  pathParams: PathParams,
): Promise<Body> {
  const body = inputs[resource.name]!(label, pathParams);
  const byName = resource.name === 'attribute';
  const path = byName
    ? fillPath(resource.itemPath, { ...pathParams, name: label })
    : fillPath(resource.path, pathParams);
  return (await send<Body>(transport, { method: byName ? 'PUT' : 'POST', path, body })).data;
}

/** Lays the ground of every app through the API alone. */
export async function seedFixtures(server: TestServer, label = 'ground'): Promise<Fixtures> {
  const place: Record<string, string> = {};
  for (const example of examples) Object.assign(place, await example.seed(server, label, place));
  const { primary = '', secondary = '', ...ids } = place;
  return { params: ids, primary, secondary };
}
