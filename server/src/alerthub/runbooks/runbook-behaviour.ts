// Runbooks: rejects graphs that could not run, and rehearses them.

import { action } from '@yagura/core/alerthub/action';
import type { ReceivedMessage } from '@yagura/core/alerthub/engine/data/flow-data';
import { checkContent } from '@yagura/core/alerthub/engine/evaluation/check-content';
import { checkRunbook } from '@yagura/core/alerthub/engine/evaluation/check-runbook';
import { scopesOfRunbook } from '@yagura/core/alerthub/engine/evaluation/compile-runbook';
import { runRunbooks } from '@yagura/core/alerthub/engine/execution/run-runbooks';
import type { ActionSource } from '@yagura/core/alerthub/engine/template/render-action';
import { exactSteps, type RunbookGraph, runbook, runbookGraph } from '@yagura/core/alerthub/runbook';
import { Problem } from '@yagura/core/http/problem';
import { storedKey } from '@yagura/core/i18n/message-key';
import { exactFields } from '@yagura/core/resource/exact-position';
import { isoTime } from '../../common/clock.ts';
import type { Queryable } from '../../db/database.ts';
import type { Behaviour } from '../../resource/behaviour.ts';
import { itemNotFound } from '../../resource/item-not-found.ts';
import { findItem } from '../../resource/item-store.ts';
import { bodyTable } from '../../resource/list/table.ts';
import type { RequestContext, ResourceServices } from '../../resource/request-context.ts';
import { openBody } from '../../resource/sealing/sealed-fields.ts';
import { type MessageRow, messageColumns, toMessage } from '../messages/message-row.ts';
import { loadHistory, loadSeverities } from '../pipeline/load-history.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { rejectFlowErrors } from '../rules/reject-flow-errors.ts';

export interface RunbookServices extends ResourceServices {
  pipeline: Pipeline;
}

const table = bodyTable(runbook);

export const runbookBehaviour: Behaviour<typeof runbook, RunbookServices> = {
  resource: runbook,
  exactFields,
  body(context, input) {
    rejectFlowErrors(context, checkContent(runbook.name, input));
    return input;
  },
  async afterWrite(tx, context, _id, body) {
    const graph = runbookGraph.parse(body);
    rejectFlowErrors(context, checkRunbook(graph, await loadActions(tx, context, graph)));
  },
  present: (_context, item) => ({ ...item, steps: exactSteps(item.steps as unknown[]) }),
  calls: { rehearse: dryRunRunbook },
};

/** The actions of a graph, whose templates may refer to its steps. */
async function loadActions(
  tx: Queryable,
  { services, spaceId }: RequestContext,
  { steps }: RunbookGraph,
): Promise<Map<string, ActionSource>> {
  const ids = steps.flatMap(({ params }) => params.actionId ?? []);
  const { rows } = await tx.query<{ id: string; body: Record<string, unknown> }>(
    "select id, body from resource where space_id = $1 and kind = 'action' and id = any($2::uuid[])",
    [spaceId, ids],
  );
  return new Map(
    rows.map(({ id, body }) => {
      const { kind, parameters } = openBody(services.sealing, spaceId, action, body);
      return [id, { kind: String(kind), parameters }];
    }),
  );
}

interface DryRunRequest {
  messageId?: string;
  message?: { content: Record<string, unknown>; metadata: Record<string, unknown> };
  eventId?: string;
  outputs: Record<string, unknown>;
  failures: Record<string, 'failed' | 'timedOut'>;
}

/** Runs the stored graph as a dry run; the result is discarded. */
async function dryRunRunbook(context: RequestContext<RunbookServices>, body: unknown): Promise<unknown> {
  const { database, pipeline, clock, nextId } = context.services;
  const { messageId, message: given, eventId, outputs, failures } = body as DryRunRequest;
  const runbookId = context.params.runbookId ?? '';
  const found = await findItem(database, context, runbook, table, runbookId);
  if (!found) throw itemNotFound(context, runbook);
  const graph = runbookGraph.parse(found.item);
  const now = isoTime(clock.now());
  const event = eventId === undefined ? undefined : await loadEvent(context, eventId);
  const message =
    (await loadMessage(context, messageId ?? event?.messageId ?? undefined)) ??
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
    state: await loadSeverities(database, scopes),
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
        currentStepId: graph.startStepId,
        actionOutcome: undefined,
        dryRun: { outputs, failures },
      },
    ],
  });
  const { status, reason, steps } = result.progress[0]!;
  return {
    status,
    reason: reason && { ...reason, text: context.t(storedKey(reason.word), reason.params) },
    steps,
    events: result.events.map(({ triggers, ...raised }) => ({
      ...raised,
      triggers: triggers.map(({ triggerId, displayName, outcome }) => ({ triggerId, displayName, outcome })),
    })),
    /** Actions that triggers of the events would have sent. */
    held: result.firings.map(({ actionId, kind, request, triggerId }) => ({
      actionId,
      kind,
      request,
      triggerId,
    })),
  };
}

async function loadMessage(
  context: RequestContext,
  id: string | undefined,
): Promise<ReceivedMessage | undefined> {
  if (id === undefined) return undefined;
  const { rows } = await context.services.database.query<MessageRow>(
    `select ${messageColumns} from message m where m.space_id = $1 and m.message_id = $2`,
    [context.spaceId, id],
  );
  if (!rows[0]) throw invalidField(context, 'messageId');
  return toMessage(rows[0]);
}

async function loadEvent(
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
  if (!rows[0]) throw invalidField(context, 'eventId');
  return rows[0];
}

function invalidField(context: RequestContext, name: string): Problem {
  return new Problem('invalid', { invalidParams: [{ name, reason: context.t('rule.reference') }] });
}
