// Builds the CLI command that compares two snapshots.
import { quoteShellWords } from '@yagura/core/resource/command-line';

/** `base` is the earlier snapshot; if it is empty, the command compares with the one before. */
export function differenceCommand(
  networkId: string,
  snapshotId: string,
  base: string,
  filter: string | undefined,
): string {
  return quoteShellWords([
    'yagura',
    'sonar',
    'diff',
    networkId,
    snapshotId,
    ...(base ? [base] : []),
    ...(filter ? ['--filter', filter] : []),
  ]);
}
