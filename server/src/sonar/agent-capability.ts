// Refuses what the connected agent of a slot cannot do.
import { Problem } from '@yagura/core/http/problem';
import type { AgentCapability } from '@yagura/core/ksocket/agent-protocol';
import type { Queryable } from '../db/database.ts';
import type { RequestContext, ResourceServices } from '../resource/request-context.ts';
import type { AgentConnections } from './scans.ts';

export interface KsocketOrders extends AgentConnections {
  /** Null if no agent is connected. */
  isCapable(db: Queryable, ksocketSlotId: string, capability: AgentCapability): Promise<boolean | null>;
}

/** Throws a conflict when no agent is connected to the slot, or when it cannot do this. */
export async function checkCapability(
  context: RequestContext<ResourceServices & { ksocket: KsocketOrders }>,
  ksocketSlotId: string,
  capability: AgentCapability,
): Promise<void> {
  const { database, ksocket } = context.services;
  const isCapable = await ksocket.isCapable(database, ksocketSlotId, capability);
  if (isCapable === null)
    throw new Problem('not-possible', { detail: context.t('sonar.scan.not-connected') });
  if (!isCapable) throw new Problem('not-possible', { detail: context.t('sonar.scan.agent-old') });
}
