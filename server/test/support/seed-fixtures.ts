// A valid input for every writable resource, and a space with at least one item of each.
import type { RoleName } from '@yagura/core/access/role-map';
import { resources } from '@yagura/core/all';
import { send, type Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import { alerthub } from './fixtures/alerthub.ts';
import type { AppFixtures, Body, RolePermissions } from './fixtures/app-fixtures.ts';
import { greac } from './fixtures/greac.ts';
import { identity } from './fixtures/identity.ts';
import { pigeon } from './fixtures/pigeon.ts';
import { sonar } from './fixtures/sonar.ts';
import { space } from './fixtures/space.ts';
import { work } from './fixtures/work.ts';
import type { TestServer } from './test-server.ts';

/** In seeding order: an app may reference items of earlier ones. */
export const appFixtures: readonly AppFixtures[] = [space, identity, work, alerthub, greac, sonar, pigeon];

/** The ids of one connected set of items. */
export interface Fixtures {
  params: Record<string, string>;
  /** URL that accepts messages of the slot. */
  primary: string;
  secondary: string;
}

/** Returns a new input; `label` makes unique names distinct. Resources without writes are omitted. */
export const inputs: Record<string, (label: string, pathParams: PathParams) => Body> = Object.assign(
  {},
  ...appFixtures.map((example) => example.inputs),
);

/** A new input from the example of the resource. */
export function exampleInput(resource: AnyResource, label: string, pathParams: PathParams): Body {
  const example = inputs[resource.name];
  if (example) return example(label, pathParams);
  throw new Error(
    `${resource.app}/${resource.name} has no example. Add '${resource.name}' to the inputs of its app in server/test/support/fixtures.`,
  );
}

/** Lists that are identical for everyone and returned as a single page. */
export const catalogues = appFixtures.flatMap((example) => example.catalogues ?? []);

/** Whether the contract test leaves this call to a separate test. */
export function hasOwnTest(resource: AnyResource, verb: string): boolean {
  return appFixtures.some((example) => example.ownTest?.[`${resource.name}.${verb}`]);
}

/**
 * Whether the expected permission table allows a role to make this call; `null` for calls that every role may
 * make.
 */
export function roleMay(
  role: RoleName | null,
  kind: keyof RolePermissions,
  resource: AnyResource,
  call?: string,
): boolean {
  return appFixtures.some(({ permissions, everybody }) => {
    const names = (role ? permissions[role] : everybody)?.[kind] ?? [];
    return (
      names.includes(resource.name) || (call !== undefined && names.includes(`${resource.name}.${call}`))
    );
  });
}

/** Creates an item; attributes are created with PUT by name. */
export async function createItem(
  transport: Transport,
  resource: AnyResource,
  label: string,
  pathParams: PathParams,
): Promise<Body> {
  const body = exampleInput(resource, label, pathParams);
  const byName = resource.name === 'attribute';
  const path = byName
    ? fillPath(resource.itemPath, { ...pathParams, name: label })
    : fillPath(resource.path, pathParams);
  return (await send<Body>(transport, { method: byName ? 'PUT' : 'POST', path, body })).data;
}

/** Seeds the data of every app through the API only. */
export async function seedFixtures(server: TestServer, label = 'ground'): Promise<Fixtures> {
  const collectedIds: Record<string, string> = {};
  for (const example of appFixtures)
    Object.assign(collectedIds, await example.seed(server, label, collectedIds));
  await seedFromExamples(server, label, collectedIds);
  const { primary = '', secondary = '', ...ids } = collectedIds;
  return { params: ids, primary, secondary };
}

/** Creates an item of each resource that no app has seeded, if it lies below nothing and has an example. */
async function seedFromExamples(
  server: TestServer,
  label: string,
  ids: Record<string, string>,
): Promise<void> {
  const transport = server.transportAs('privileged');
  for (const resource of resources) {
    const isMissing = ids[resource.id] === undefined && resource.verbs.includes('create');
    if (!isMissing || resource.path.includes('{') || !inputs[resource.name]) continue;
    const item = await createItem(transport, resource, label, ids);
    ids[resource.id] = String(item[resource.id]);
  }
}
