// Breadcrumbs of the pages of runbook records, whose paths are below their runbook.
import { runbook } from '@yagura/core/alerthub/runbook';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import { appSections } from '../../../shell/navigation/app-sections.ts';
import type { Crumb } from '../../../shell/navigation/crumb.ts';
import type { Api } from '../../../signin/api.server.ts';

/**
 * Returns app, runbooks, runbook, records and record. A runbook or record that cannot be read is named by its
 * id.
 */
export async function runbookRecordCrumbs(
  api: Api,
  { runbookId, runbookRecordId }: { runbookId: string; runbookRecordId: string },
): Promise<Crumb[]> {
  const [ownRunbook, record] = await Promise.all([
    api
      .client(runbook)
      .find(runbookId)
      .catch((): null => null),
    api
      .client(runbookRecord)
      .find(runbookRecordId)
      .catch((): null => null),
  ]);
  const runbookPath = `${runbook.screen}/${encodeURIComponent(runbookId)}`;
  const recordsPath = `${runbookPath}/runbook-records`;
  return [
    appSections.alerthub,
    { to: runbook.screen, noun: runbook.noun },
    { to: runbookPath, text: ownRunbook?.displayName ?? runbookId },
    { to: recordsPath, noun: runbookRecord.noun },
    {
      to: `${recordsPath}/${encodeURIComponent(runbookRecordId)}`,
      ...(record ? { at: record.requestedAt } : { text: runbookRecordId }),
    },
  ];
}
