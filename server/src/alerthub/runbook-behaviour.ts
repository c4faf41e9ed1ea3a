// Runbooks and the lookups they are written with.

import { branchConditions } from '@yagura/core/alerthub/decide/branch-conditions';
import type { DecideMessage } from '@yagura/core/alerthub/decide/data';
import { operators } from '@yagura/core/alerthub/decide/operators/catalogue';
import { runRunbooks } from '@yagura/core/alerthub/decide/run-runbooks';
import { scopesOfRunbook } from '@yagura/core/alerthub/decide/runbook';
import {
  exactSteps,
  runbook,
  runbookBranchCondition,
  runbookGraph,
  runbookOperator,
} from '@yagura/core/alerthub/runbook';
import { checkRunbook } from '@yagura/core/alerthub/runbook-check';
import { triggerOperator } from '@yagura/core/alerthub/trigger';
import { Problem } from '@yagura/core/http/problem';
import { exactFields } from '@yagura/core/resource/position';
import { isoTime } from '../clock.ts';
import type { Behaviour } from '../resource/behaviour.ts';
import type { RequestContext } from '../resource/context.ts';
import { noItem } from '../resource/no-item.ts';
import { findItem } from '../resource/store.ts';
import { bodyTable } from '../resource/table.ts';
import { wholeList } from '../resource/whole-list.ts';
import { refuseBroken } from './check-flow.ts';
import { type MessageRow, messageColumns, messageOf } from './message-row.ts';
import { loadHistory, severitiesOf } from './past.ts';

const table = bodyTable(runbook);

export const runbookBehaviour: Behaviour = {
  resource: runbook,
  exactFields,
  body(context, input) {
    refuseBroken(context, checkRunbook(runbookGraph.parse(input)));
    return input;
  },
  present: (_context, item) => ({ ...item, steps: exactSteps(item.steps as unknown[]) }),
  calls: { rehearse },
};

interface Rehearsal {
  messageId?: string;
  message?: { content: Record<string, unknown>; metadata: Record<string, unknown> };
  eventId?: string;
  outputs: Record<string, unknown>;
}

/** Runs the stored graph on a batch that is thrown away. */
async function rehearse(context: RequestContext, body: unknown): Promise<unknown> {
  const { database, pipeline, clock, nextId } = context.services;
  const { messageId, message: given, eventId, outputs } = body as Rehearsal;
  const runbookId = context.params.runbookId ?? '';
  const found = await findItem(database, context, runbook, table, runbookId);
  if (!found) throw noItem(context, runbook);
  const graph = runbookGraph.parse(found.item);
  const now = isoTime(clock.now());
  const event = eventId === undefined ? undefined : await eventOf(context, eventId);
  const message =
    (await messageFor(context, messageId ?? event?.messageId ?? undefined)) ??
    (given && {
      messageId: nextId(),
      receivedAt: now,
      receiveSlotId: nextId(),
      receiveSlotKind: 'webhook',
      ...given,
    });
  const config = await pipeline.config.of(database, context.spaceId);
  const scopes = scopesOfRunbook(graph, config);
  const result = runRunbooks({
    config,
    state: await severitiesOf(database, scopes),
    history: await loadHistory(database, config, scopes, now),
    now,
    nextId,
    runs: [
      {
        runbookRecordId: nextId(),
        runbookId,
        displayName: String(found.item.displayName),
        requestedAt: now,
        graph,
        depth: 0,
        context: { space: config.space, ...(event ? { event } : {}) },
        message,
        trace: [],
        at: graph.startStepId,
        answer: undefined,
        rehearsal: { outputs },
      },
    ],
  });
  const { status, reason, steps } = result.progress[0]!;
  return {
    status,
    reason: reason && { ...reason, text: context.t(reason.word, reason.params) },
    steps,
    events: result.events.map(({ triggers, ...raised }) => ({
      ...raised,
      triggers: triggers.map(({ triggerId, displayName, outcome }) => ({ triggerId, displayName, outcome })),
    })),
    /** What triggers of the events would have sent. */
    held: result.firings.map(({ actionId, kind, request, triggerId }) => ({
      actionId,
      kind,
      request,
      triggerId,
    })),
  };
}

async function messageFor(
  context: RequestContext,
  id: string | undefined,
): Promise<DecideMessage | undefined> {
  if (id === undefined) return undefined;
  const { rows } = await context.services.database.query<MessageRow>(
    `select ${messageColumns} from message m where m.space_id = $1 and m.message_id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw refused(context, 'messageId');
  return messageOf(rows[0]);
}

async function eventOf(
  context: RequestContext,
  id: string,
): Promise<Record<string, unknown> & { messageId?: string }> {
  const { rows } = await context.services.database.query<Record<string, unknown>>(
    `select event_id as "eventId", scope_id as "scopeId", severity_name as "severityName", delta,
       previous_severity as "previousSeverity", severity, status, source, rule_id as "ruleId", message_id as "messageId",
       created_at as "createdAt"
     from event where space_id = $1 and event_id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw refused(context, 'eventId');
  return rows[0];
}

function refused(context: RequestContext, name: string): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason: context.t('rule.reference') }] });
}

const catalogue = operators.map(({ operatorId, displayName, kind, params }) => ({
  operatorId,
  displayName,
  kind,
  params,
}));

export const runbookOperatorBehaviour: Behaviour = {
  resource: runbookOperator,
  list: async (context) => wholeList(runbookOperator, catalogue, context),
};

export const triggerOperatorBehaviour: Behaviour = {
  resource: triggerOperator,
  list: async (context) => wholeList(triggerOperator, catalogue, context),
};

export const runbookBranchConditionBehaviour: Behaviour = {
  resource: runbookBranchCondition,
  list: async (context) =>
    wholeList(
      runbookBranchCondition,
      branchConditions.map(({ operatorId, displayName, params }) => ({
        conditionId: operatorId,
        displayName,
        params,
      })),
      context,
    ),
};
