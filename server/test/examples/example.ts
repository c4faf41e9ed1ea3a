// What the tests of every resource need to know of one app: good inputs, a laid ground, and the powers of its roles.
import type { RoleName } from '@yagura/core/access/role-map';
import type { PathParams } from '@yagura/core/resource/client';
import type { Verb } from '@yagura/core/resource/define-resource';
import type { Queryable } from '../../src/db/database.ts';
import type { TestServer } from '../world.ts';

export type Body = Record<string, unknown>;

/** Names of resources by verb; `calls` takes a resource's name for all of its calls, or `resource.call` for one. */
export type RolePermissions = Partial<Record<Verb | 'calls', readonly string[]>>;

/** The rows of another space, planted past the API: ids by field name and a text that must never be seen here. */
export interface Foreign {
  spaceId: string;
  ids: Record<string, string>;
  secret: string;
  /** ISO 8601 time. */
  now: string;
}

export interface Example {
  /** A fresh input; `label` keeps unique names apart. Resources that nobody writes are not here. */
  inputs: Record<string, (label: string, pathParams: PathParams) => Body>;
  /** Makes, through the API alone, at least one of each resource; gives the ids by field name. Earlier apps' ids are in `place`. */
  seed(server: TestServer, label: string, pathParams: PathParams): Promise<PathParams>;
  /** The specification's table of roles (its section 6), written by hand. */
  permissions: Partial<Record<RoleName, RolePermissions>>;
  /** What everybody may do, whatever their roles. */
  everybody?: RolePermissions;
  /** Lists that are the same for everybody and whole at once. */
  catalogues?: readonly string[];
  /** Calls that the contract test leaves to a test of their own, as `resource.verb`, each with its reason. */
  ownTest?: Record<string, string>;
  /** Tables of this app beside `resource`, for the check that another space stays as it was. */
  tables?: readonly string[];
  /** Fills those tables for the other space; rows of `resource` are planted from `inputs`. */
  plant?(database: Queryable, foreign: Foreign): Promise<void>;
}
