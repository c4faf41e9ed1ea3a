// Deliveries requested by a user: sending an action as a drill, and resending a failed delivery.
import { action } from '@yagura/core/alerthub/action';
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { messageView } from '@yagura/core/alerthub/engine/data/flow-data';
import { FlowError } from '@yagura/core/alerthub/engine/errors/flow-error';
import { type ActionSource, renderAction } from '@yagura/core/alerthub/engine/template/render-action';
import { markTestDelivery, testDeliveryContext } from '@yagura/core/alerthub/engine/template/test-delivery';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import { toStoreJson } from '../../db/store-json.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { openBody, sealRequest } from '../../resource/sealing/sealed-fields.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';
import { rejectFlowErrors } from '../rules/reject-flow-errors.ts';

export async function sendTestDelivery(
  context: RequestContext,
  body: unknown,
): Promise<{ actionRecordId: string }> {
  const { database, clock, nextId } = context.services;
  const { actionId } = context.params;
  const { messageId } = body as { messageId: string | null };
  const source = isUuid(actionId) ? await loadAction(context, actionId) : undefined;
  if (!source) throw itemNotFound(context, action);
  const message = messageId === null ? undefined : await loadMessageData(context, messageId);
  const now = isoTime(clock.now());
  const { request, missing } = renderOrReject(
    context,
    source,
    testDeliveryContext({ now, space: await loadSpaceData(context), message }),
  );
  const actionRecordId = nextId();
  await database.query(
    `with made as (
       insert into action_record (action_record_id, space_id, action_id, kind, status, drill, delivery_id, next_attempt_at,
         request, missing, created_at, updated_at)
       values ($1, $2, $3, $4, 'waiting', true, $5, $6, $7, $8, $6, $6)
     )
     insert into job (queue, run_at, space_id, payload)
     values ('delivery', $6, $2, jsonb_build_object('actionRecordId', $1::uuid))`,
    [
      actionRecordId,
      context.spaceId,
      actionId,
      source.kind,
      nextId(),
      now,
      toStoreJson(
        sealRequest(context.services.sealing, context.spaceId, markTestDelivery(source.kind, request)),
      ),
      toStoreJson(missing),
    ],
  );
  announce(context, actionRecord, actionRecordId, 'create');
  return { actionRecordId };
}

/** Reports a template that can't be rendered in the same way as a save does. */
function renderOrReject(context: RequestContext, source: ActionSource, data: Record<string, unknown>) {
  try {
    return renderAction(source, data);
  } catch (error) {
    if (error instanceof FlowError) rejectFlowErrors(context, [error]);
    throw error;
  }
}

async function loadAction(context: RequestContext, actionId: string): Promise<ActionSource | undefined> {
  const { rows } = await context.services.database.query<{ body: ActionSource }>(
    'select body from resource where space_id = $1 and kind = $2 and id = $3',
    [context.spaceId, action.name, actionId],
  );
  return rows[0] && openBody(context.services.sealing, context.spaceId, action, rows[0].body);
}

async function loadMessageData(context: RequestContext, messageId: string): Promise<Record<string, unknown>> {
  const { rows } = await context.services.database.query<MessageRow & { message_id: string }>(
    `select ${messageColumns} from message m where m.space_id = $1 and m.message_id = $2`,
    [context.spaceId, messageId],
  );
  const row = rows[0];
  if (!row) {
    const reason = context.t('rule.reference');
    throw new Problem('invalid', { invalidParams: [{ name: 'messageId', reason }] });
  }
  return messageView(toMessage(row));
}

async function loadSpaceData(context: RequestContext): Promise<Record<string, unknown>> {
  const { rows } = await context.services.database.query<{ display_name: string }>(
    'select display_name from space where space_id = $1',
    [context.spaceId],
  );
  return { spaceId: context.spaceId, displayName: rows[0]?.display_name ?? '' };
}

export async function resendActionRecord(context: CallContext): Promise<undefined> {
  const { clock } = context.services;
  const { actionRecordId } = context.params;
  if (!isUuid(actionRecordId)) throw itemNotFound(context, actionRecord);
  await context.transaction(async (tx) => {
    const { rows } = await tx.query<{ status: string | null; nothing: boolean; again: number }>(
      `with found as (
         select action_record_id, status, request = 'null'::jsonb as nothing from action_record
         where space_id = $1 and action_record_id = $2 for update
       ), mine as (
         update action_record r set status = 'waiting', next_attempt_at = $3, updated_at = $3, noticed_at = null
         from found f where r.action_record_id = f.action_record_id and f.status = 'failed' and not f.nothing
         returning r.action_record_id, jsonb_array_length(r.attempts) as made
       ), queued as (
         insert into job (queue, run_at, attempts, space_id, payload)
         select 'delivery', $3, made, $1::uuid,
           jsonb_build_object('actionRecordId', action_record_id, 'since', $3::timestamptz, 'before', made) from mine
         returning 1
       )
       select f.status, f.nothing, (select count(*)::int from queued) as again from found f`,
      [context.spaceId, actionRecordId, isoTime(clock.now())],
    );
    const row = rows[0];
    if (!row) throw itemNotFound(context, actionRecord);
    if (row.again === 0) {
      const word = row.status === 'failed' ? 'record.nothing' : 'record.not-failed';
      throw new Problem('conflict', { detail: context.t(word) });
    }
  });
  announce(context, actionRecord, actionRecordId, 'update');
  return undefined;
}
