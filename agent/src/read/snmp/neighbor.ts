import type { ScannedHostInput } from '@yagura/core/ksocket/agent-protocol';
import type { Port } from './interfaces.ts';

export type Neighbor = NonNullable<ScannedHostInput['neighbors']>[number];

/** The interface that has one of these texts as its name, description or alias, the first text first. */
export function portByName(
  ports: ReadonlyMap<number, Port>,
  ...texts: readonly (string | undefined)[]
): Port | undefined {
  for (const text of texts) {
    if (text === undefined) continue;
    const all = [...ports.values()];
    const found =
      all.find(({ ifname }) => ifname === text) ?? all.find(({ aliases }) => aliases.includes(text));
    if (found) return found;
  }
  return undefined;
}
