// Executed steps of a runbook record.
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { runbookRecordStep } from '@yagura/core/alerthub/runbook-record';
import { Problem } from '@yagura/core/http/problem';
import type { Behaviour } from '../../resource/behaviour.ts';
import { assertParentVisible, findItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import { actionRecordBehaviour } from '../actions/action-record-behaviour.ts';
import { runbookRecordBehaviour } from './runbook-record-behaviour.ts';

export const runbookRecordStepBehaviour: Behaviour<typeof runbookRecordStep> = {
  resource: runbookRecordStep,
  parent: runbookRecordBehaviour,
  table: rowTable(runbookRecordStep, {
    from: 'runbook_record_step s',
    alias: 's',
    parent: 'runbook_record_id',
    id: { sql: 's.step_id', type: 'text' },
  }),
  calls: {
    async 'action-record'(context) {
      const { database } = context.services;
      await assertParentVisible(database, context, runbookRecordStep, runbookRecordBehaviour);
      const step = await findItem(
        database,
        context,
        runbookRecordStep,
        runbookRecordStepBehaviour.table!,
        context.params.stepId ?? '',
      );
      const id = step?.item.actionRecordId;
      const found =
        typeof id === 'string' &&
        (await findItem(database, context, actionRecord, actionRecordBehaviour.table!, id));
      if (!found) throw new Problem('not-found', { detail: context.t('refusal.no-step-record') });
      return actionRecordBehaviour.present!(context, found.item);
    },
  },
};
