// Asks the agent of a network what a scan with the current settings would do.
import { Problem } from '@yagura/core/http/problem';
import type { AgentMessage, ScanOrderSettings } from '@yagura/core/ksocket/agent-protocol';
import { network } from '@yagura/core/sonar/network';
import { isUuid } from '../common/id.ts';
import { itemNotFound } from '../resource/item-not-found.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';
import { checkCapability, type KsocketOrders } from './agent-capability.ts';
import { findScanPlan, ScanRefused } from './check-scan-request.ts';

export interface EstimateServices extends ResourceServices {
  ksocket: KsocketOrders;
  agentRequests: {
    /** Undefined when the agent is silent. */
    estimate(
      at: { spaceId: string; ksocketSlotId: string },
      settings: ScanOrderSettings,
    ): Promise<Extract<AgentMessage, { type: 'estimated' | 'unanswered' }> | undefined>;
  };
}

/** Throws a conflict that says why there is no estimate. */
export async function estimateScan(context: RequestContext<EstimateServices>) {
  const { database, agentRequests } = context.services;
  const { spaceId, params } = context;
  const networkId = params.networkId ?? '';
  if (!isUuid(networkId)) throw itemNotFound(context, network);
  const { ksocketSlotId, scope } = await findScanPlan(database, spaceId, networkId, { lock: false }).catch(
    (error) => {
      if (!(error instanceof ScanRefused)) throw error;
      if (error.word === 'sonar.scan.no-network') throw itemNotFound(context, network);
      throw new Problem('not-possible', { detail: context.t(error.word, error.params) });
    },
  );
  await checkCapability(context, ksocketSlotId, 'estimate');
  const answer = await agentRequests.estimate({ spaceId, ksocketSlotId }, scope);
  if (!answer) throw new Problem('not-possible', { detail: context.t('sonar.scan.agent-silent') });
  if (answer.type === 'unanswered')
    throw new Problem('not-possible', { detail: context.t('sonar.scan.no-estimate', { code: answer.code }) });
  const { addresses, packets, seconds, excluded, limits } = answer;
  return { addresses, packets, seconds, excluded, limits };
}
