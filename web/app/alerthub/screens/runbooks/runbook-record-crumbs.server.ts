// Breadcrumbs of the pages of runbook records, whose paths are below their runbook.
import { runbook } from '@yagura/core/alerthub/runbook';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { ifPermitted } from '../../../resource/if-permitted.server.ts';
import { appSections } from '../../../shell/navigation/app-sections.ts';
import type { Crumb } from '../../../shell/navigation/crumb.ts';
import type { Api } from '../../../signin/api.server.ts';

/**
 * Returns app, runbooks, runbook, records and record. What cannot be read is named by its id, and the pages of a deleted
 * runbook are not linked.
 */
export async function runbookRecordCrumbs(
  api: Api,
  { runbookId, runbookRecordId }: { runbookId: string; runbookRecordId: string },
): Promise<Crumb[]> {
  const [ownRunbook, record] = await Promise.all([
    findReadable(api, runbook, () => api.client(runbook).find(runbookId)),
    findReadable(api, runbookRecord, () => api.client(runbookRecord).find(runbookRecordId)),
  ]);
  const runbookPath = `${runbook.screen}/${encodeURIComponent(runbookId)}`;
  const recordsPath = `${runbookPath}/runbook-records`;
  return [
    appSections.alerthub,
    { to: runbook.screen, noun: runbook.noun },
    ownRunbook === null
      ? { labelKey: 'ui.deleted' }
      : { to: runbookPath, text: ownRunbook?.displayName ?? runbookId },
    { ...(ownRunbook === null ? {} : { to: recordsPath }), noun: runbookRecord.noun },
    {
      to: `${recordsPath}/${encodeURIComponent(runbookRecordId)}`,
      ...(record ? { at: record.requestedAt } : { text: runbookRecordId }),
    },
  ];
}

/** Null if there is no such item, undefined if it cannot be read. */
async function findReadable<T>(
  api: Api,
  resource: AnyResource,
  load: () => Promise<T | null>,
): Promise<T | null | undefined> {
  return ifPermitted(api, resource, 'show', load, undefined).catch((): undefined => undefined);
}
