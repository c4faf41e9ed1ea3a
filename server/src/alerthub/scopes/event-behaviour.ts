// Events: raised by messages, or by a call.

import { event } from '@yagura/core/alerthub/event';
import { Problem } from '@yagura/core/http/problem';
import { storedKey } from '@yagura/core/i18n/message-key';
import type { Behaviour } from '../../resource/behaviour.ts';
import { assertParentVisible } from '../../resource/item-store.ts';
import { eventTable } from '../messages/event-table.ts';
import { callerCause } from './caller-cause.ts';
import type { ScopeServices } from './scope-services.ts';

export const eventBehaviour: Behaviour<typeof event, ScopeServices> = {
  resource: event,
  table: eventTable,
  serializedWithDecisions: 'state',
  async create(tx, context, input) {
    const scopeId = (await assertParentVisible(tx, context, event))!;
    const { pipeline } = context.services;
    const { result, onCommitted } = await pipeline.applyChangesInTransaction(tx, context.spaceId, [
      {
        scopeId,
        severityName: input.severityName,
        change: { delta: input.delta },
        source: 'api',
        cause: callerCause(context.principal),
      },
    ]);
    const made = result.events[0];
    if (!made) {
      const reason = result.notes[0] as { word: string; params?: Record<string, unknown> } | undefined;
      throw new Problem('conflict', {
        detail: reason ? context.t(storedKey(reason.word), reason.params) : undefined,
      });
    }
    const { triggers: _triggers, statusBefore: _before, cause: _cause, ...item } = made;
    return { item: { ...item, acknowledgements: [] }, onCommitted };
  },
};
