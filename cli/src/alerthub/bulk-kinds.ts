// Names of the kinds of import and export files on the command line.
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { UsageError } from '../command-line/usage-error.ts';

/** Throws a usage error listing the known kinds when the kind is unknown. */
export function checkKind(kind: string): void {
  if (!(bulkKindNames as readonly string[]).includes(kind)) {
    throw new UsageError('cli.usage.choice', { flag: 'KIND', values: bulkKindNames.join(', ') });
  }
}
