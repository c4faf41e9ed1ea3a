// Runbook records: their progress step by step, and rerunning from a failed step.
import { exactSteps } from '@yagura/core/alerthub/runbook';
import { runbookRecord } from '@yagura/core/alerthub/runbook-record';
import { printExactJson } from '@yagura/core/http/exact-json';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import { type Behaviour, RawReply } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { findItem } from '../../resource/item-store.ts';
import { rowTable } from '../../resource/list/table.ts';
import type { RequestContext } from '../../resource/request-context.ts';

export const runbookRecordBehaviour: Behaviour<typeof runbookRecord> = {
  resource: runbookRecord,
  table: rowTable(runbookRecord, { from: 'runbook_record r', alias: 'r' }),
  calls: {
    async flow(context) {
      const { flow } = await loadRecord(context);
      const body = printExactJson({ ...flow, steps: exactSteps(flow.steps) });
      return new RawReply(body, { 'content-type': 'application/json; charset=utf-8' });
    },
    async rerun(context, body) {
      const { stepId } = body;
      const { database, nextId, clock, changes } = context.services;
      const record = await loadRecord(context);
      const { rows } = await database.query<{ seq: number; flow_step_id: string; status: string }>(
        'select seq, flow_step_id, status from runbook_record_step where runbook_record_id = $1 and step_id = $2',
        [record.runbook_record_id, stepId],
      );
      const step = rows[0];
      if (!step) {
        const reason = context.t('rule.reference');
        throw new Problem('invalid', { invalidParams: [{ name: 'stepId', reason }] });
      }
      if (record.status !== 'failed' || step.status !== 'failed')
        throw new Problem('conflict', { detail: context.t('runbook.notFailed') });
      const runbookRecordId = nextId();
      const now = isoTime(clock.now());
      await context.transaction((tx) =>
        tx.query(
          `with fresh as (
           insert into runbook_record (runbook_record_id, space_id, runbook_id, status, origin, source_message_id, source_scope_id,
             trigger_id, event_id, rerun_of, depth, display_name, flow, context, at_step, due_at, requested_at, updated_at)
           select $2, space_id, runbook_id, 'requested', origin, source_message_id, source_scope_id, trigger_id, event_id,
             runbook_record_id, depth, display_name, flow, context, $3, $4, $4, $4
           from runbook_record where runbook_record_id = $1
         )
         insert into runbook_record_step (runbook_record_id, space_id, seq, step_id, flow_step_id, kind, display_name, status, input,
           output, reason, action_record_id, started_at, ended_at)
         select $2, space_id, seq, step_id, flow_step_id, kind, display_name, status, input, output, reason, action_record_id,
           started_at, ended_at
         from runbook_record_step where runbook_record_id = $1 and seq < $5`,
          [record.runbook_record_id, runbookRecordId, step.flow_step_id, now, step.seq],
        ),
      );
      changes.publish([
        { spaceId: context.spaceId, resource: 'runbook-record', id: runbookRecordId, op: 'create', at: now },
      ]);
      return (await findItem(
        database,
        context,
        runbookRecord,
        runbookRecordBehaviour.table!,
        runbookRecordId,
      ))!.item;
    },
  },
};

interface RecordRow {
  runbook_record_id: string;
  status: string;
  flow: { startStepId: string | null; steps: unknown[] };
}

async function loadRecord(context: RequestContext): Promise<RecordRow> {
  const id = context.params.runbookRecordId;
  const { rows } = isUuid(id)
    ? await context.services.database.query<RecordRow>(
        'select runbook_record_id, status, flow from runbook_record where space_id = $1 and runbook_record_id = $2',
        [context.spaceId, id],
      )
    : { rows: [] };
  if (!rows[0]) throw itemNotFound(context, runbookRecord);
  return rows[0];
}
