// Results of call chains: masks phone numbers for callers who may not see them.
import { maskedPhone, phonePermission } from '@yagura/core/pigeon/masked-phone';
import { type CallRecord, result } from '@yagura/core/pigeon/result';
import { detailText } from '../../common/detail.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { findItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { rowTable, toSnakeCase } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import type { ScriptEvent } from '../call-report.ts';
import { callsOf } from '../chain-store.ts';

/** What is known from the AlertHub action that requested the chain, or from the runbook of the action. */
const originColumns = {
  actionRecordId: 'a.action_record_id',
  scopeId: 'coalesce(a.scope_id, r.source_scope_id)',
  eventId: 'coalesce(a.event_id, r.event_id)',
  messageId: 'a.message_id',
  runbookRecordId: 'a.runbook_record_id',
};
const originFields = Object.keys(originColumns) as (keyof typeof originColumns)[];

const table = rowTable(result, {
  from: `pigeon_chain c left join action_record a on a.action_record_id = c.action_record_id
    left join runbook_record r on r.runbook_record_id = a.runbook_record_id`,
  alias: 'c',
  without: ['calls', 'callflowName', 'guidanceName', ...originFields],
  select: originFields.map((name) => `${originColumns[name]} as ${toSnakeCase(name)}`).join(', '),
  columns: {
    ...Object.fromEntries(
      originFields.map((name) => [name, { sql: originColumns[name], type: 'uuid' as const }]),
    ),
    callflowName: { sql: "(c.callflow->>'displayName')", type: 'text' },
    guidanceName: { sql: "(c.guidance->>'displayName')", type: 'text' },
  },
  item: ({ callflow, guidance, ...row }) => ({
    ...Object.fromEntries(originFields.map((name) => [name, row[toSnakeCase(name)] ?? null])),
    callflowName: (callflow as { displayName: string }).displayName,
    guidanceName: (guidance as { displayName: string }).displayName,
  }),
});

/** The list of results under the name that older clients know it by. */
export const listCalls = (context: RequestContext) =>
  listItems(context, result, table, readListQuery(result, context.query, context.t));

export const resultBehaviour: Behaviour<typeof result> = {
  resource: result,
  table,
  async show(context) {
    const { database } = context.services;
    const { resultId = '' } = context.params;
    const stored = await findItem(database, context, result, table, resultId);
    if (!stored) return null;
    const calls = (await callsOf(database, resultId)).map((call) => ({
      ...call,
      script: (call.script as ScriptEvent[]).map((event) => ({
        ...event,
        detail: event.detail === null ? null : detailText(event.detail, context.t),
      })),
    }));
    return { item: { ...stored.item, calls }, version: stored.version };
  },
  present(context, item) {
    const calls = item.calls as CallRecord[] | undefined;
    if (!calls || context.may(phonePermission)) return item;
    return {
      ...item,
      calls: calls.map((call) => ({ ...call, phoneNumber: call.phoneNumber && maskedPhone })),
    };
  },
};
