// Acknowledges the status of a scope, or withdraws the acknowledgement.
import type { EventAcknowledgement } from '@yagura/core/alerthub/event';
import { event } from '@yagura/core/alerthub/event';
import { scope } from '@yagura/core/alerthub/scope';
import { Problem } from '@yagura/core/http/problem';
import { isoTime } from '../../common/clock.ts';
import type { Transaction } from '../../db/database.ts';
import type { CallContext } from '../../resource/call-context.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { announce } from '../../resource/item-operations.ts';
import { keepItem } from '../../resource/item-store.ts';
import {
  acknowledgeLatestEvent,
  acknowledgeScopeState,
  clearAcknowledgement,
} from '../scope-state/acknowledgement.ts';
import type { ScopeServices } from './scope-services.ts';

type Context = CallContext<ScopeServices>;

/** `raisedAt` is that of the status which the caller saw. */
export async function acknowledgeScope(
  context: Context,
  { note, raisedAt }: { note: string; raisedAt?: string | undefined },
): Promise<void> {
  const { principal, spaceId, services } = context;
  const acknowledgement: EventAcknowledgement = {
    name: principal.displayName,
    userId: principal.userId,
    note,
    contactId: null,
    resultId: null,
    keyInput: null,
    acknowledgedAt: isoTime(services.clock.now()),
  };
  await changeState(context, async (tx, scopeId) => {
    if (!(await acknowledgeScopeState(tx, { spaceId, scopeId }, acknowledgement, raisedAt ?? null)))
      throw await refusal(tx, context, scopeId);
    const eventId = await acknowledgeLatestEvent(tx, { spaceId, scopeId }, acknowledgement);
    return () => {
      announce(context, scope, scopeId, 'update');
      if (eventId) announce(context, event, eventId, 'update');
    };
  });
}

/** Does nothing if the scope is not acknowledged. */
export function unacknowledgeScope(context: Context): Promise<void> {
  const { spaceId } = context;
  return changeState(context, async (tx, scopeId) => {
    const isChanged = await clearAcknowledgement(tx, { spaceId, scopeId });
    return () => {
      if (isChanged) announce(context, scope, scopeId, 'update');
    };
  });
}

/** `change` returns what is called after the commit. */
async function changeState(
  context: Context,
  change: (tx: Transaction, scopeId: string) => Promise<() => void>,
): Promise<void> {
  const { scopeId = '' } = context.params;
  await context.services.pipeline.withPipelineLock(
    'state',
    async (tx) => {
      if (!(await keepItem(tx, context.spaceId, scope, scopeId))) throw itemNotFound(context, scope);
      const onCommitted = await change(tx, scopeId);
      await context.record(tx);
      return onCommitted;
    },
    (onCommitted) => onCommitted(),
  );
}

/** Why the status cannot be acknowledged. */
async function refusal(tx: Transaction, { spaceId, t }: Context, scopeId: string): Promise<Problem> {
  const { rows } = await tx.query<{ status: string }>(
    'select status from scope_state where space_id = $1 and scope_id = $2',
    [spaceId, scopeId],
  );
  const isRaised = rows[0] !== undefined && rows[0].status !== 'normal';
  return new Problem('conflict', {
    title: t('refusal.title.acknowledge'),
    detail: t(isRaised ? 'refusal.acknowledge.raised' : 'refusal.acknowledge.normal'),
  });
}
