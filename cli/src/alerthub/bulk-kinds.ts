// The kinds that files can be of, as the command line names them.
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { UsageError } from '../command-line/usage-error.ts';

/** Throws, naming the known ones, when there is no such kind. */
export function checkKind(kind: string): void {
  if (!(bulkKindNames as readonly string[]).includes(kind)) {
    throw new UsageError('cli.usage.choice', { flag: 'KIND', values: bulkKindNames.join(', ') });
  }
}
