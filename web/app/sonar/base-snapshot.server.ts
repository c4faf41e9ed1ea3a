// Finds the snapshots that one can be compared with, and which of them is compared unless the user selects another one.
import type { ListQuery } from '@yagura/core/http/page';

export interface ComparableSnapshot {
  snapshotId: string;
  createdAt: string;
}

/** Snapshots to choose from, the last ones. */
const maxSnapshots = 200;

/**
 * `list` lists snapshots of the network, and `show` reads the one that is compared. `base` is the id of the one before it
 * that succeeded, however many came since; empty if there is none.
 */
export async function baseSnapshots(
  snapshotId: string,
  {
    list,
    show,
  }: {
    list(query: ListQuery): Promise<ComparableSnapshot[]>;
    show(): Promise<ComparableSnapshot>;
  },
): Promise<{ base: string; snapshots: ComparableSnapshot[] }> {
  const succeeded = (limit: number, filter = '') =>
    list({ filter: `status eq "succeeded"${filter}`, sort: '-createdAt', limit });
  const last = await succeeded(maxSnapshots);
  const index = last.findIndex((one) => one.snapshotId === snapshotId);
  const known = index === -1 ? undefined : last[index + 1];
  const isKnown = known || (index >= 0 && last.length < maxSnapshots);
  const [previous] = isKnown
    ? [known]
    : await succeeded(1, ` and createdAt lt ${JSON.stringify((await show()).createdAt)}`);
  const others = last.filter((one) => one.snapshotId !== snapshotId);
  const isListed = others.some((one) => one.snapshotId === previous?.snapshotId);
  return {
    base: previous?.snapshotId ?? '',
    snapshots: previous && !isListed ? [...others, previous] : others,
  };
}
