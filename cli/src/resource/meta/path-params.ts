// Reads the path parameters of a resource from flags.

import type { Transport } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { pathParameters } from '@yagura/core/resource/path';
import type { ResourceMeta } from '@yagura/core/resource/resource-meta';
import { UsageError } from '../../command-line/usage-error.ts';
import { resolveId } from './resolve-id.ts';
import { resources } from './resources.ts';

/** The resources whose ids the collection path contains. */
export function parentsOf(meta: ResourceMeta): ResourceMeta[] {
  return pathParameters(meta.path).map((parameter) => {
    const parent = resources.find((one) => one.id === parameter);
    if (!parent) throw new Error(`${meta.name} lies in an unknown ${parameter}`);
    return parent;
  });
}

/** Reads `--scope NAME` and similar flags. Throws a usage error naming the flag when one is missing. */
export async function readPathParams(
  meta: ResourceMeta,
  options: Record<string, unknown>,
  transport: Transport,
  signal?: AbortSignal,
): Promise<PathParams> {
  const pathParams: PathParams = {};
  for (const parent of parentsOf(meta)) {
    const name = options[toCamelCase(parent.name)];
    if (typeof name !== 'string')
      throw new UsageError('cli.usage.missing-flag', { flag: `--${parent.name}` });
    pathParams[parent.id] = await resolveId(parent, name, transport, pathParams, signal);
  }
  return pathParams;
}

/** The property name that commander uses for an option. */
export function toCamelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
