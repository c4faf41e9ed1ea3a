// Runs runbook records until they have to wait; all their effects are part of one batch.

import type { Reason } from '../../decision-log.ts';
import { boundedJson } from '../data/bounded-json.ts';
import { maxTextLength } from '../data/convert-values.ts';
import { FlowData, messageView, type ReceivedMessage } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import { FlowError, toFlowError } from '../errors/flow-error.ts';
import { type CompiledRunbookStep, getCompiledRunbook } from '../evaluation/compile-runbook.ts';
import { severityChangesOf } from '../evaluation/evaluate-rule.ts';
import { applySeverityChange } from './apply-severity-change.ts';
import {
  type Batch,
  type BatchInput,
  type BatchResult,
  beginBatchItem,
  type EventOrigin,
  isFull,
  type RunbookStart,
  startBatch,
  toBatchResult,
} from './batch.ts';
import { createFiring } from './run-trigger.ts';
import {
  failedStep,
  type RunbookProgress,
  type RunbookRun,
  stepResult,
  type TraceStep,
  timeoutOf,
  timeoutReason,
} from './runbook-run.ts';

/** Maximum number of executions of one record; a graph's own limits are usually lower. */
const maxSteps = 2000;
/** Maximum executions per batch; the next batch continues, so that one record does not delay the others. */
const maxStepsPerBatch = 200;
/** Number of executions after which a batch of messages begins no further record. */
const maxStepsBeforeDeferring = 5000;

/** Runs records in order, and only the first ones if all would exceed the weight limit. */
export function runRunbooks(
  input: BatchInput & { runs: readonly RunbookRun[] },
): BatchResult & { progress: RunbookProgress[] } {
  const batch = startBatch(input);
  const progress: RunbookProgress[] = [];
  for (const run of input.runs) {
    if (isFull(batch)) break;
    progress.push(runRecord(batch, run));
  }
  return { progress, ...toBatchResult(batch) };
}

/**
 * Begins records in order in the batch that requested them, until they have to wait. Records whose message is
 * not in `messages`, or that would make the batch too long, are left to a later batch.
 */
export function startRunbooks(
  batch: Batch,
  starts: readonly RunbookStart[],
  messages: readonly ReceivedMessage[],
): RunbookProgress[] {
  const known = new Map(messages.map((message) => [message.messageId, message]));
  const progress: RunbookProgress[] = [];
  let steps = 0;
  for (const { runbookRecordId, runbook, sourceMessageId, depth, context } of starts) {
    if (steps >= maxStepsBeforeDeferring || isFull(batch)) break;
    const message = sourceMessageId === null ? undefined : known.get(sourceMessageId);
    if (sourceMessageId !== null && !message) continue;
    const made = runRecord(batch, {
      runbookRecordId,
      runbookId: runbook.runbookId,
      displayName: runbook.displayName,
      requestedAt: batch.now,
      graph: runbook,
      depth,
      context,
      message,
      trace: [],
      currentStepId: runbook.startStepId,
      actionOutcome: undefined,
    });
    steps += made.steps.length;
    progress.push(made);
  }
  return progress;
}

/** An unexpected error fails one record, not the batch. */
function runRecord(batch: Batch, run: RunbookRun): RunbookProgress {
  beginBatchItem(batch);
  let runner: RunbookRunner | undefined;
  try {
    runner = new RunbookRunner(batch, run);
    return runner.advance();
  } catch (error) {
    return {
      runbookRecordId: run.runbookRecordId,
      status: 'failed',
      reason: toFlowError(error).reason,
      currentStepId: null,
      waitingForActionRecordId: null,
      dueAt: null,
      steps: runner?.newSteps ?? [],
    };
  }
}

class RunbookRunner {
  private readonly batch: Batch;
  private readonly run: RunbookRun;
  private readonly data: FlowData;
  private readonly steps: Record<string, unknown> = Object.create(null);
  private readonly visits = new Map<string, number>();
  readonly newSteps: TraceStep[] = [];
  private readonly origin: EventOrigin;
  private seq = 0;

  constructor(batch: Batch, run: RunbookRun) {
    this.batch = batch;
    this.run = run;
    const view = run.message && messageView(run.message);
    this.data = new FlowData({
      ...run.context,
      ...(view ? { message: view } : {}),
      runbook: { runbookId: run.runbookId, displayName: run.displayName },
      runbookRecord: { runbookRecordId: run.runbookRecordId, requestedAt: run.requestedAt },
      steps: this.steps,
    });
    this.origin = {
      source: 'runbook',
      rule: { ruleId: null, data: this.data },
      message: run.message && view ? { messageId: run.message.messageId, view } : undefined,
      depth: run.depth + 1,
    };
    for (const step of run.trace) this.recordVisit(step);
  }

  advance(): RunbookProgress {
    let currentStepId = this.run.currentStepId;
    const waiting = this.run.trace.at(-1);
    if (waiting?.status === 'processing') {
      const ended = this.completeWaitingStep(waiting);
      this.newSteps.push(ended);
      if (ended.status === 'failed' && !this.continuesAfter(ended)) return this.end('failed', ended.reason);
      this.steps[ended.flowStepId] = stepResult(ended);
      currentStepId = this.nextStepAfter(ended.flowStepId);
    }
    const max = this.run.dryRun ? maxSteps + 1 : maxStepsPerBatch;
    for (let count = 0; count < max; count += 1) {
      if (currentStepId === null) return this.end('succeeded', null);
      if (this.seq >= maxSteps)
        return this.end('failed', reason('why.runbook.tooManySteps', { most: maxSteps }));
      const step = getCompiledRunbook(this.run.graph).get(currentStepId);
      if (!step) return this.end('failed', reason('why.runbook.dangling', { stepId: currentStepId }));
      const bound = step instanceof FlowError ? null : step.source.maxVisits;
      if (bound !== null && (this.visits.get(currentStepId) ?? 0) >= bound)
        return this.end('failed', reason('why.runbook.bound', { stepId: currentStepId, most: bound }));
      const { trace, next } = this.execute(currentStepId, step);
      this.newSteps.push(trace);
      this.recordVisit(trace);
      if (trace.status === 'failed' && !this.continuesAfter(trace)) return this.end('failed', trace.reason);
      if (trace.status === 'processing')
        return this.waitForAction(currentStepId, trace, step as CompiledRunbookStep);
      currentStepId = next;
    }
    return this.progress({ status: 'processing', currentStepId, dueAt: this.batch.now });
  }

  private execute(
    stepId: string,
    step: CompiledRunbookStep | FlowError,
  ): { trace: TraceStep; next: string | null } {
    const visit = (this.visits.get(stepId) ?? 0) + 1;
    const trace: TraceStep = {
      seq: this.seq + 1,
      stepId: visit === 1 ? stepId : `${stepId}~${visit}`,
      flowStepId: stepId,
      kind: this.run.graph.steps.find((one) => one.stepId === stepId)!.kind,
      displayName: this.run.graph.steps.find((one) => one.stepId === stepId)!.displayName,
      status: 'succeeded',
      input: null,
      output: null,
      reason: null,
      actionRecordId: null,
      startedAt: this.batch.now,
      endedAt: this.batch.now,
    };
    if (step instanceof FlowError) {
      const { path, reason: because } = step;
      return { trace: failedStep(trace, reason('why.runbook.broken', { path, because })), next: null };
    }
    try {
      if (step.source.kind === 'action')
        return { trace: this.executeAction(step, trace), next: step.source.next };
      if (step.source.kind === 'event')
        return { trace: this.executeEvent(step, trace), next: step.source.next };
      return this.executeTest(step, trace);
    } catch (error) {
      return { trace: failedStep(trace, toFlowError(error).reason), next: null };
    }
  }

  /**
   * Runs an operator or a branch. If the test of an operator step does not hold, the runbook ends
   * successfully.
   */
  private executeTest(
    step: CompiledRunbookStep,
    trace: TraceStep,
  ): { trace: TraceStep; next: string | null } {
    const { source } = step;
    const result = step.run!(this.data);
    const tested = { seen: result.seen, because: result.reason };
    trace.input = { ...(source.params.params as object), seen: result.seen };
    if (result.outcome === 'failed') return { trace: failedStep(trace, result.reason), next: null };
    const passed = result.outcome === 'passed';
    if (source.kind === 'branch') {
      trace.output = { holds: passed, ...tested };
      return { trace, next: passed ? source.nextTrue : source.nextFalse };
    }
    if (!passed && step.kind === 'transform') return { trace: failedStep(trace, result.reason), next: null };
    const { write } = result;
    if (write && !boundedJson(write.value, maxTextLength).isComplete)
      return { trace: failedStep(trace, reason('why.runbook.tooLarge', { name: write.name })), next: null };
    trace.output = { holds: passed, ...tested, ...(write ? { written: write } : {}) };
    return { trace, next: passed ? source.next : null };
  }

  private executeEvent(step: CompiledRunbookStep, trace: TraceStep): TraceStep {
    const notes: Reason[] = [];
    const before = this.batch.events.length;
    const changes = step.events.flatMap((event) =>
      severityChangesOf(event, this.data, this.batch.config.scopeIndex, notes),
    );
    trace.input = { changes };
    const origin: EventOrigin = {
      ...this.origin,
      cause: {
        kind: 'runbook',
        runbookRecordId: this.run.runbookRecordId,
        runbookName: this.run.displayName,
        stepName: trace.displayName || trace.flowStepId,
      },
    };
    const own: string[] = [];
    for (const change of changes) {
      // Only rules create scopes.
      if (change.newScope) continue;
      const { event, note } = applySeverityChange(this.batch, change, origin);
      if (note) notes.push(note);
      if (event) own.push(event.eventId);
    }
    const raised = this.batch.events.slice(before).filter((event) => own.includes(event.eventId));
    trace.output = {
      events: raised.map(({ eventId, scopeId, severityName, previousSeverity, severity, status }) => ({
        eventId,
        scopeId,
        severityName,
        previousSeverity,
        severity,
        status,
      })),
      notes,
    };
    return trace;
  }

  private executeAction({ source }: CompiledRunbookStep, trace: TraceStep): TraceStep {
    const actionId = source.params.actionId ?? '';
    const action = this.batch.config.actions.get(actionId);
    trace.input = { actionId, action: action?.displayName ?? null, wait: source.params.wait ?? false };
    if (!action) return failedStep(trace, reason('why.action.gone', { actionId }));
    const made = createFiring(this.batch, action, this.data.root, {
      scopeId: null,
      triggerId: null,
      eventId: null,
      messageId: this.run.message?.messageId ?? null,
      runbookRecordId: this.run.runbookRecordId,
    });
    if ('word' in made) return failedStep(trace, made);
    const { dryRun } = this.run;
    if (dryRun) {
      const failure = dryRun.failures[source.stepId];
      trace.input = {
        ...(trace.input as object),
        held: true,
        kind: action.kind,
        request: made.request,
        missing: made.missing,
      };
      if (made.problem) return failedStep(trace, made.problem);
      if (failure === 'timedOut' && source.params.wait) return failedStep(trace, timeoutReason(source));
      if (failure) return failedStep(trace, reason('why.test.failure'));
      if (source.params.wait) trace.output = dryRun.outputs[source.stepId] ?? defaultDryRunResponse;
      return trace;
    }
    const { maxAttempts } = source.params;
    this.batch.firings.push(maxAttempts === undefined ? made : { ...made, maxAttempts });
    trace.actionRecordId = made.actionRecordId;
    if (made.problem) return failedStep(trace, made.problem);
    return source.params.wait ? { ...trace, status: 'processing', endedAt: null } : trace;
  }

  private completeWaitingStep(step: TraceStep): TraceStep {
    const { actionOutcome, graph } = this.run;
    const ended = { ...step, endedAt: this.batch.now };
    if (actionOutcome?.succeeded) return { ...ended, status: 'succeeded', output: actionOutcome.output };
    if (actionOutcome) return { ...failedStep(ended, actionOutcome.reason), output: actionOutcome.output };
    const source = graph.steps.find((one) => one.stepId === step.flowStepId);
    return { ...failedStep(ended, timeoutReason(source)), output: this.run.latestResponse ?? null };
  }

  private continuesAfter({ flowStepId }: TraceStep): boolean {
    const source = this.run.graph.steps.find((one) => one.stepId === flowStepId);
    return source?.kind === 'action' && source.params.continueOnFailure === true;
  }

  private waitForAction(currentStepId: string, trace: TraceStep, step: CompiledRunbookStep): RunbookProgress {
    const seconds = timeoutOf(step.source);
    const dueAt = new Date(this.batch.nowMs + seconds * 1000).toISOString();
    return this.progress({
      status: 'processing',
      currentStepId,
      waitingForActionRecordId: trace.actionRecordId,
      dueAt,
    });
  }

  private nextStepAfter(flowStepId: string): string | null {
    return this.run.graph.steps.find((one) => one.stepId === flowStepId)?.next ?? null;
  }

  private recordVisit(step: TraceStep): void {
    this.seq = Math.max(this.seq, step.seq);
    this.visits.set(step.flowStepId, (this.visits.get(step.flowStepId) ?? 0) + 1);
    this.steps[step.flowStepId] = stepResult(step);
    const { written } = (step.output ?? {}) as { written?: { name: string; value: unknown } };
    if (step.kind === 'operator' && written) this.data.write(written.name, written.value);
  }

  private end(status: 'succeeded' | 'failed', because: Reason | null): RunbookProgress {
    return this.progress({ status, reason: because, currentStepId: null });
  }

  private progress(overrides: Partial<RunbookProgress> & Pick<RunbookProgress, 'status'>): RunbookProgress {
    const { runbookRecordId } = this.run;
    return {
      runbookRecordId,
      reason: null,
      currentStepId: null,
      waitingForActionRecordId: null,
      dueAt: null,
      steps: this.newSteps,
      ...overrides,
    };
  }
}

/** Assumed response of a held webhook unless the rehearsal provides one. */
const defaultDryRunResponse = { statusCode: 200, headers: {}, isBodyEncoded: false, body: '' };
