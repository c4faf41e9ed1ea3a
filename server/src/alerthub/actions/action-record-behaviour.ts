// Action records: decrypts their requests, and hides credentials in them.
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { maskRequest } from '../../audit/mask-request.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { openRequest } from '../../resource/sealing/sealed-fields.ts';
import { canSeeRequests } from './action-behaviour.ts';
import { resendActionRecord } from './test-delivery.ts';

export const actionRecordBehaviour: Behaviour<typeof actionRecord> = {
  resource: actionRecord,
  table: rowTable(actionRecord, { from: 'action_record a', alias: 'a' }),
  present(context, item) {
    const request = openRequest(context.services.sealing, context.spaceId, item.request);
    return { ...item, request: canSeeRequests(context) ? request : maskRequest(request) };
  },
  calls: { resend: resendActionRecord },
};
