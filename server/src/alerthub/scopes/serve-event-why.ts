// The call that explains an event found by its id alone, without its scope.
import { actionRecord } from '@yagura/core/alerthub/action-record';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import { permissionFor } from '@yagura/core/resource/define-resource';
import type { FastifyInstance } from 'fastify';
import type { ApiServices } from '../../api/create-request-context.ts';
import { serveFixed } from '../../api/serve-fixed.ts';
import { isUuid } from '../../common/id.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { loadEventExplanation } from '../messages/decision-log.ts';

export function serveEventWhy(app: FastifyInstance, services: ApiServices): void {
  serveFixed(app, services, 'event-why', async (context) => {
    const { eventId } = context.params;
    const found =
      isUuid(eventId) &&
      (await loadEventExplanation(services.database, context.spaceId, eventId, {
        messages: context.may(permissionFor(message, 'show')),
        actionRecords: context.may(permissionFor(actionRecord, 'show')),
      }));
    if (!found) throw itemNotFound(context, event);
    return found;
  });
}
