// Messages with their content, their events and why they were decided as they were.
import type { RuleDecision } from '@yagura/core/alerthub/decision-log';
import { event } from '@yagura/core/alerthub/event';
import { message } from '@yagura/core/alerthub/message';
import { isUuid } from '../../common/id.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { findItem } from '../../resource/item-store.ts';
import { readListQuery } from '../../resource/list/list-query.ts';
import { rowTable, type Table } from '../../resource/list/table.ts';
import { listItems } from '../../resource/list-items.ts';
import type { RequestContext } from '../../resource/request-context.ts';
import { loadDecisionLog } from './decision-log.ts';
import { messageEvents } from './event-table.ts';
import { findMessages, unindexedSince } from './find-messages.ts';
import { presentMessage } from './message-detail.ts';
import { messageFiles } from './message-files.ts';
import type { MessageContentServices } from './message-services.ts';

export interface MessageServices extends MessageContentServices {
  /** `whenStored` resolves once all acknowledged messages are in the database, or too many wait for it. */
  intake: { whenStored(): Promise<void> };
}

const messageRows = rowTable(message, {
  from: 'message m left join decision d using (message_id)',
  alias: 'm',
  without: ['evaluatedAt', 'ruleResult', 'content', 'metadata'],
  columns: { evaluatedAt: { sql: 'd.evaluated_at', type: 'time' } },
  select: 'd.evaluated_at, d.matched, d.total',
  item: (row) => ({
    evaluatedAt: row.evaluated_at ?? null,
    ruleResult: row.evaluated_at ? { matched: row.matched, total: row.total } : null,
  }),
});

const messageTable: Table = { ...messageRows, search: findMessages, unindexedSince };

export const messageBehaviour: Behaviour<typeof message, MessageServices> = {
  resource: message,
  beforeCall: ({ intake }) => intake.whenStored(),
  table: messageTable,
  async show(context) {
    const stored = await findItem(
      context.services.database,
      context,
      message,
      messageTable,
      context.params.messageId ?? '',
    );
    if (!stored) return null;
    return presentMessage(context, stored);
  },
  calls: {
    ...messageFiles,
    async events(context) {
      await requireMessage(context);
      return listItems(
        context,
        event,
        messageEvents(context.params.messageId!),
        readListQuery(event, context.query, context.t),
      );
    },
    async 'rule-records'(context) {
      await requireMessage(context);
      const { rows } = await context.services.database.query<{
        evaluated_at: string;
        rules: RuleDecision[];
      }>('select evaluated_at, rules from decision where message_id = $1', [context.params.messageId]);
      const items = (rows[0]?.rules ?? []).map(({ ruleId, displayName, outcome, elements }) => ({
        ruleId,
        displayName,
        outcome,
        evaluatedAt: rows[0]!.evaluated_at,
        ...(elements ? { elements } : {}),
      }));
      // Without a limit, all of them: a message has at most as many as there are rules.
      const { limit, offset } = context.query;
      const page = readListQuery(event, { limit, offset }, context.t);
      const size = limit ? page.limit : items.length;
      return {
        items: items.slice(page.offset, page.offset + size),
        total: items.length,
        limit: size,
        offset: page.offset,
      };
    },
    async why(context) {
      await requireMessage(context);
      return loadDecisionLog(context.services.database, context.spaceId, context.params.messageId!);
    },
  },
};

async function requireMessage(context: RequestContext): Promise<void> {
  const { messageId } = context.params;
  const found =
    isUuid(messageId) &&
    (await findItem(context.services.database, context, message, messageTable, messageId));
  if (!found) throw itemNotFound(context, message);
}
