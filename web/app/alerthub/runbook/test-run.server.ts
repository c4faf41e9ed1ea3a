// Server side of a runbook's test run: what the form offers, and the run itself.
import { action as actionResource } from '@yagura/core/alerthub/action';
import type { Reason } from '@yagura/core/alerthub/decision-log';
import { formatReason } from '@yagura/core/alerthub/engine/errors/decision-reason';
import { runbook } from '@yagura/core/alerthub/runbook';
import { scope } from '@yagura/core/alerthub/scope';
import type { Translate } from '@yagura/core/i18n/translator';
import { fetchNames } from '../../resource/references.server.ts';
import type { Api } from '../../signin/api.server.ts';
import {
  noMessage,
  pastedMessage,
  type TestActionStep,
  type TestOutcome,
  type TestRun,
  type TestRunStep,
  testRunFields,
} from './test-run-form.ts';

interface FlowStep {
  stepId: string;
  kind: string;
  displayName: string;
  params: { actionId?: string; wait?: boolean };
}

interface TraceStep {
  flowStepId: string;
  kind: string;
  displayName: string;
  status: TestRunStep['status'];
  input: { action?: string | null; held?: boolean; request?: unknown; missing?: string[]; seen?: unknown };
  output: { because?: Reason; notes?: Reason[] } | null;
  reason: Reason | null;
}

interface Reply {
  status: 'succeeded' | 'failed';
  reason: { text: string } | null;
  steps: TraceStep[];
  events: {
    scopeId: string;
    severityName: string;
    previousSeverity: number;
    severity: number;
    status: string;
  }[];
  held: { actionId: string; request: unknown }[];
}

/** The action steps of a graph; the result of each can be chosen. */
export function listActionSteps(steps: readonly FlowStep[]): TestActionStep[] {
  return steps
    .filter(({ kind }) => kind === 'action')
    .map(({ stepId, displayName, params }) => ({
      stepId,
      name: displayName || stepId,
      waits: params.wait ?? false,
    }));
}

/** Runs the stored graph of a runbook with the message and the results that the form names. */
export async function runTest(api: Api, runbookId: string, form: FormData, t: Translate): Promise<TestRun> {
  const { steps: flow } = (await api.client(runbook).show(runbookId)) as unknown as { steps: FlowStep[] };
  const body = { ...messageOf(form), ...resultsOf(form, listActionSteps(flow)) };
  const reply = await api.client(runbook).call<Reply>('rehearse', { id: runbookId, body });
  const names = await fetchNames(
    api,
    new Map([
      [scope.name, new Set(reply.events.map(({ scopeId }) => scopeId))],
      [actionResource.name, new Set(reply.held.map(({ actionId }) => actionId))],
    ]),
  );
  return {
    status: reply.status,
    reason: reply.reason?.text ?? null,
    steps: reply.steps.map((step, index) => toStep(step, reply.steps[index + 1], t)),
    events: reply.events.map(({ scopeId, ...event }) => ({
      ...event,
      scope: names[scope.name]?.[scopeId]?.name ?? scopeId,
    })),
    held: reply.held.map(({ actionId, request }) => ({
      action: names[actionResource.name]?.[actionId]?.name ?? actionId,
      request,
    })),
  };
}

function messageOf(form: FormData) {
  const chosen = String(form.get(testRunFields.message) ?? noMessage);
  if (chosen === noMessage) return {};
  if (chosen !== pastedMessage) return { messageId: chosen };
  return { message: { content: { body: String(form.get(testRunFields.text) ?? '') } } };
}

/** The chosen results by step: responses of actions that succeed, and failures. */
function resultsOf(form: FormData, steps: readonly TestActionStep[]) {
  const outputs: Record<string, unknown> = {};
  const failures: Record<string, Exclude<TestOutcome, 'succeeded'>> = {};
  for (const { stepId, waits } of steps) {
    const outcome = String(form.get(testRunFields.outcome(stepId)) ?? '') as TestOutcome;
    const statusCode = Number(form.get(testRunFields.statusCode(stepId)) ?? '200');
    const body = String(form.get(testRunFields.body(stepId)) ?? '');
    if (outcome === 'failed' || outcome === 'timedOut') failures[stepId] = outcome;
    else if (waits) outputs[stepId] = { statusCode, headers: {}, isBodyEncoded: false, body };
  }
  return { outputs, failures };
}

const nameOf = ({ displayName, flowStepId }: TraceStep) => displayName || flowStepId;

function toStep(step: TraceStep, following: TraceStep | undefined, t: Translate): TestRunStep {
  const { because, notes = [] } = step.kind === 'action' ? {} : (step.output ?? {});
  const explained = [step.reason, because, ...notes].filter((one) => one !== null && one !== undefined);
  const texts = explained.map((one) => formatReason(one, t, { seen: step.input.seen }));
  return {
    name: nameOf(step),
    kind: step.kind,
    status: step.status,
    explanations: [...new Set(texts)],
    missing: step.input.missing ?? [],
    held: step.input.held ? { action: step.input.action ?? '', request: step.input.request } : undefined,
    next: following ? nameOf(following) : null,
  };
}
