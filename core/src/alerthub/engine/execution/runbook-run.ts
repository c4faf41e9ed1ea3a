// State of a runbook record, and what its steps leave for later ones.
import type { Reason } from '../../decision-log.ts';
import type { RunbookGraph, RunbookStep } from '../../runbook.ts';
import type { ReceivedMessage } from '../data/flow-data.ts';
import { reason } from '../errors/decision-reason.ts';
import type { StepOutcome } from '../operators/branch-conditions.ts';

/** One execution of a step. */
export interface TraceStep {
  /** Counts from 1 in order of execution. */
  seq: number;
  /** The step's id; a repeated execution has `~` and its number appended. */
  stepId: string;
  flowStepId: string;
  kind: string;
  displayName: string;
  status: 'processing' | 'succeeded' | 'failed';
  input: unknown;
  output: unknown;
  reason: Reason | null;
  actionRecordId: string | null;
  startedAt: string;
  endedAt: string | null;
}

/** Result of the action that a record waited for; undefined while it is still running. */
export interface ActionOutcome {
  succeeded: boolean;
  output: unknown;
  reason: Reason | null;
}

/** A stored record that is due. */
export interface RunbookRun {
  runbookRecordId: string;
  runbookId: string;
  displayName: string;
  requestedAt: string;
  graph: RunbookGraph;
  /** Number of runbooks in the chain that led to this one. */
  depth: number;
  /** Data roots at the time the record was requested. */
  context: Record<string, unknown>;
  message: ReceivedMessage | undefined;
  trace: readonly TraceStep[];
  /** The step to run next, or the one that waits; null if none. */
  currentStepId: string | null;
  actionOutcome: ActionOutcome | undefined;
  /** Response to the latest attempt of the action that the record waits for, while it is still running. */
  latestResponse?: unknown;
  /** Set for a rehearsal, which sends nothing: assumed results of held actions, by step. */
  dryRun?: {
    outputs: Record<string, unknown>;
    /** Held actions that are assumed to fail, by step. */
    failures: Record<string, 'failed' | 'timedOut'>;
  };
}

/** Progress of a record; `steps` are new, or the waiting step with its outcome. */
export interface RunbookProgress {
  runbookRecordId: string;
  status: 'processing' | 'succeeded' | 'failed';
  reason: Reason | null;
  currentStepId: string | null;
  steps: TraceStep[];
  waitingForActionRecordId: string | null;
  /** Next time to resume it, ISO 8601; null if it has ended. */
  dueAt: string | null;
}

/** Timeout of an action in seconds, if its step does not set one. */
const defaultTimeoutSeconds = 300;
const timeoutWord = 'why.runbook.timeout';

export function timeoutOf(step: RunbookStep | undefined): number {
  return step?.params.timeoutSeconds ?? defaultTimeoutSeconds;
}

export function timeoutReason(step: RunbookStep | undefined): Reason {
  return reason(timeoutWord, { seconds: timeoutOf(step) });
}

/**
 * What later steps read as `steps.<id>`. An action that was answered with an error succeeded as a step, so that a
 * branch can test the response; its `outcome` is `failed`.
 */
export function stepResult({ kind, status, output, reason }: TraceStep): {
  status: TraceStep['status'];
  outcome: StepOutcome;
  output: unknown;
} {
  const statusCode = (output as { statusCode?: unknown } | null)?.statusCode;
  const isRefused =
    kind === 'action' && typeof statusCode === 'number' && (statusCode < 200 || statusCode > 299);
  const outcome = reason?.word === timeoutWord ? 'timedOut' : 'failed';
  return { status, outcome: status === 'failed' || isRefused ? outcome : 'succeeded', output };
}

export function failedStep(step: TraceStep, because: Reason | null): TraceStep {
  return { ...step, status: 'failed', reason: because };
}
