// Names of the kinds of import and export files on the command line.
import { bulkKindNames } from '@yagura/core/alerthub/bulk/bulk-kind-names';
import { parseChoice } from '../command-line/parse-choice.ts';

/** Throws a usage error listing the known kinds when the kind is unknown. */
export function checkKind(kind: string): void {
  parseChoice('KIND', kind, bulkKindNames);
}
