// Starts and stops call chains, and masks phone numbers in results for callers who may not see them.

import type { FeatureGate } from '@yagura/core/access/features';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { Problem } from '@yagura/core/http/problem';
import { type ChainReply, chain, type InvokeParams } from '@yagura/core/pigeon/chain';
import { maskedPhone, phonePermission } from '@yagura/core/pigeon/masked-phone';
import { type CallRecord, result } from '@yagura/core/pigeon/result';
import { isUuid } from '../common/id.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import { findItem, listItems } from '../resource/item-store.ts';
import { readListQuery } from '../resource/list/list-query.ts';
import { rowTable } from '../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';
import type { ChainRunner } from './chain-runner.ts';
import { callsOf } from './chain-store.ts';
import { startChain } from './start-chain.ts';

export interface ChainServices extends ResourceServices {
  /** Runs call chains. */
  pigeon: ChainRunner;
  contract: FeatureGate;
}

const table = rowTable(result, {
  from: 'pigeon_chain c',
  alias: 'c',
  without: ['calls', 'callflowName', 'guidanceName'],
  columns: {
    callflowName: { sql: "(c.callflow->>'displayName')", type: 'text' },
    guidanceName: { sql: "(c.guidance->>'displayName')", type: 'text' },
  },
  item: ({ callflow, guidance }) => ({
    callflowName: (callflow as { displayName: string }).displayName,
    guidanceName: (guidance as { displayName: string }).displayName,
  }),
});

export const resultBehaviour: Behaviour<typeof result> = {
  resource: result,
  table,
  async show(context) {
    const { database } = context.services;
    const { resultId = '' } = context.params;
    const stored = await findItem(database, context, result, table, resultId);
    if (!stored) return null;
    const calls = await callsOf(database, resultId);
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

/** The list of results under the name that older clients know it by. */
export const listCalls = (context: RequestContext) =>
  listItems(context, result, table, readListQuery(result, context.query, context.t));

export const chainBehaviour: Behaviour<typeof chain, ChainServices> = {
  resource: chain,
  calls: {
    async invoke(context, body) {
      const { params } = body;
      checkDialling(context, params);
      const { database, nextId, pigeon } = context.services;
      const invoked = await startChain(
        { database, nextId, runner: pigeon },
        {
          spaceId: context.spaceId,
          params,
          source: 'api',
          mayTransfer: context.services.contract.allowsFeature('pigeon-transfer'),
        },
      );
      const reply: ChainReply =
        'resultId' in invoked
          ? { params, resultId: invoked.resultId, status: 'requested' }
          : {
              params,
              status: 'rejected',
              errorDescriptor: {
                title: context.t('pigeon.rejected.title'),
                detail: formatReason(invoked.rejected, context.t),
              },
            };
      return reply;
    },
    async abort(context, body) {
      const { resultId } = body;
      const aborted = isUuid(resultId)
        ? await context.services.pigeon.abort(context.spaceId, resultId)
        : null;
      if (aborted === null) throw new Problem('not-found', { detail: 'no call result has this id' });
      return { resultId, status: aborted ? 'requested' : 'rejected' };
    },
  },
};

/**
 * Callers who may only start chains can call registered contacts; other numbers require permission to create
 * contacts.
 */
function checkDialling(context: RequestContext, { callflow }: InvokeParams): void {
  if (callflow?.contacts.some((entry) => 'phones' in entry)) context.require('pigeon:contacts:create');
}
