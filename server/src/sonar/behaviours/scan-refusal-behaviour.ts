// Hosts and services that answered a scan but gave no data, and why.
import { refusalReasons, scanRefusal } from '@yagura/core/sonar/snapshot';
import type { Behaviour } from '../../resource/behaviour.ts';
import { rowTable } from '../../resource/list/table.ts';
import { addressColumn } from '../address-order.ts';
import { snapshotBehaviour } from './snapshot-behaviour.ts';

const knownReasons = refusalReasons.map((code) => `'${code}'`).join(', ');
const refusalReason = `(case when f.code in (${knownReasons}) then f.code else 'OTHER' end)`;

export const scanRefusalBehaviour: Behaviour<typeof scanRefusal> = {
  resource: scanRefusal,
  parent: snapshotBehaviour as Behaviour,
  table: rowTable(scanRefusal, {
    from: 'snapshot_refusal f',
    alias: 'f',
    parent: 'snapshot_id',
    without: ['reason', 'errorCode'],
    columns: {
      addr: addressColumn('f'),
      reason: { sql: refusalReason, type: 'text' },
      errorCode: { sql: 'f.code', type: 'text' },
    },
    select: `f.code, ${refusalReason} as reason`,
    item: (row) => ({ reason: row.reason, errorCode: row.code }),
  }),
};
