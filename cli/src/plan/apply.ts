// `apply`: executes the steps of a plan. After an interruption, running it again resumes the plan.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { matchesKnown, sameValue } from '@yagura/core/plan/field-changes';
import { getOrCreate } from '@yagura/core/plan/get-or-create';
import { type PlanStep, reversePlan } from '@yagura/core/plan/make-plan';
import { parentPathKey } from '@yagura/core/plan/plan-deletions';
import { type PlanFile, planFile } from '@yagura/core/plan/plan-file';
import { planItemKey } from '@yagura/core/plan/plan-item';
import { isParentPart, planKindNamed } from '@yagura/core/plan/plan-kinds';
import { confirm } from '../command-line/prompt.ts';
import { utf8Text } from '../command-line/read-file-or-stdin.ts';
import { CommandError, ExitError, errorMessages, withFieldPaths } from '../command-line/report-error.ts';
import { formatJson } from '../command-line/select-fields.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { applyStep, type StepRun } from './apply-step.ts';
import { formatPlan, stepLabel } from './format-plan.ts';
import { changesExitCode, checkOutputOption, createPlan, type PlanOptions, writePlanFile } from './plan.ts';
import { runSteps } from './run-steps.ts';
import { type ExistingItem, SpaceReader, type SpaceState } from './space-state.ts';

export interface ApplyOptions extends PlanOptions {
  rollback?: string;
  yes?: boolean;
}

const maxPlanFileBytes = 200 * 1024 * 1024;

export async function applyPlan(terminal: Terminal, source: string, options: ApplyOptions): Promise<void> {
  checkOutputOption(options.output);
  const session = withMoreRetries(openSession(terminal));
  const saved = await readSavedPlan(source);
  const { plan, state } = saved
    ? { plan: saved, state: await readStepState(terminal, session, saved) }
    : await createPlan(terminal, session, source, options.prune ?? false);
  const pending = pendingSteps(terminal, plan, state);
  if (pending.length > 0) {
    if (options.output !== 'json')
      printMessage(terminal, formatPlan({ ...terminal, out: terminal.err }, { ...plan, steps: pending }));
    await confirm(terminal, terminal.t('apply.ask', { origin: session.origin }), options.yes);
    await saveRollback(terminal, source, plan, options);
  }
  const skipped = plan.steps.length - pending.length;
  const isJson = options.output === 'json';
  const run = { planId: plan.planId, isSaved: saved !== null };
  await applySteps(terminal, session, run, pending, state, (taken) => {
    const summary = { planId: plan.planId, taken, skipped, left: pending.length - taken };
    if (isJson) terminal.out.write(formatJson(summary, terminal.out.isTTY));
  });
  if (!isJson)
    terminal.out.write(
      `${plan.steps.length === 0 ? formatPlan(terminal, plan) : terminal.t('apply.done', { taken: pending.length, skipped })}\n`,
    );
  if (options.detailedExitcode && pending.length > 0) throw new ExitError(changesExitCode);
}

/** Steps in parallel reach rate limits sooner, and a plan that stops halfway is worse than one that waits. */
function withMoreRetries(session: Session): Session {
  session.transport.retry = { ...session.transport.retry, attempts: 8, maxWaitMs: 60_000 };
  return session;
}

/** Reads what the steps of a saved plan change. Throws when it is a plan of another space. */
async function readStepState(
  terminal: Terminal,
  session: Session,
  { origin, steps }: PlanFile,
): Promise<SpaceState> {
  if (origin !== session.origin) throw new UsageError('apply.other-space', { origin, here: session.origin });
  const below = new Map<string, Set<string>>();
  for (const step of steps)
    if (step.parents.length > 0) getOrCreate(below, step.kind, () => new Set()).add(parentPathKey(step));
  const reader = new SpaceReader(session.transport, terminal.signal);
  return reader.read(new Set(steps.map(({ kind }) => kind)), { below });
}

/** Reads a plan file; null when the source is a configuration file or folder instead. */
async function readSavedPlan(source: string): Promise<PlanFile | null> {
  try {
    const stats = await stat(source);
    if (!stats.isFile() || !source.endsWith('.json') || stats.size > maxPlanFileBytes) return null;
    const data: unknown = JSON.parse(utf8Text(await readFile(source), source, 'PLAN'));
    if (typeof data !== 'object' || data === null || !('format' in data)) return null;
    const parsed = planFile.safeParse(data);
    if (parsed.success) return parsed.data as PlanFile;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('cli.usage.file', { flag: 'PLAN', source, reason: error });
  }
  throw new UsageError('apply.no-plan', { source });
}

/**
 * Returns the steps not executed yet. Throws, listing all of them, when items match neither the state before
 * nor after their step.
 */
function pendingSteps(terminal: Terminal, { steps }: PlanFile, state: SpaceState): PlanStep[] {
  const existing = new Map(state.items.map((item) => [planItemKey(item), item]));
  const pending: PlanStep[] = [];
  const changedSince: PlanStep[] = [];
  for (const step of steps) {
    const item = existing.get(planItemKey(step));
    if (isApplied(step, item)) continue;
    const asBefore =
      step.before === null
        ? item === undefined || hasOnlyDefaults(item)
        : item !== undefined && matchesKnown(item.fields, step.before);
    (asBefore ? pending : changedSince).push(step);
  }
  for (const step of changedSince)
    printMessage(terminal, terminal.err.paint('danger', stepLabel(terminal, step)));
  if (changedSince.length > 0) throw new CommandError('apply.moved', { count: changedSince.length });
  return pending;
}

/**
 * Whether the step's result already exists. Secrets cannot be read back and server-generated values are not
 * compared.
 */
function isApplied({ after }: PlanStep, item: ExistingItem | undefined): boolean {
  if (after === null || item === undefined) return after === null && item === undefined;
  return Object.entries(withoutSources(after)).every(([name, value]) => sameValue(value, item.fields[name]));
}

/** An item that is part of another is created along with it, with default values. */
function hasOnlyDefaults({ kind, fields }: ExistingItem): boolean {
  const resource = planKindNamed(kind);
  return isParentPart(resource) && sameValue(fields, resource.input!.parse({}));
}

function withoutSources<T>(value: T): T {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => !(typeof part === 'object' && part !== null && '$env' in part))
      .map(([name, part]) => [name, withoutSources(part)]),
  ) as T;
}

/**
 * Saves the rollback plan before anything changes; an existing one is kept when the plan is applied again.
 */
async function saveRollback(
  terminal: Terminal,
  source: string,
  plan: PlanFile,
  { rollback }: ApplyOptions,
): Promise<void> {
  const basePath = source.replace(/[\\/]+$/, '').replace(/\.json$/, '');
  const path =
    rollback ??
    `${basePath === '.' || basePath === '..' ? 'plan' : basePath}.${plan.planId.slice(0, 8)}.rollback.json`;
  const { counts, steps } = plan;
  const rollbackPlan: PlanFile = {
    ...plan,
    planId: rollbackId(plan.planId),
    createdAt: new Date(terminal.now()).toISOString(),
    counts: { ...counts, create: counts.delete, delete: counts.create, leftAlone: 0 },
    kept: [],
    steps: reversePlan(steps),
  };
  try {
    await writePlanFile(path, rollbackPlan, 'wx');
  } catch (error) {
    if (
      await stat(path).then(
        () => true,
        () => false,
      )
    )
      return;
    throw error;
  }
  printMessage(terminal, terminal.t('apply.rollback-saved', { path }));
}

/** A distinct id for the rollback plan, so that its creates have other idempotency keys. */
function rollbackId(planId: string): string {
  const hex = createHash('sha256').update(`back ${planId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Executes the steps. After a failure or an interruption, tells which steps did not succeed and what remains. */
async function applySteps(
  terminal: Terminal,
  session: Session,
  run: StepRun,
  pending: readonly PlanStep[],
  state: SpaceState,
  onEnd: (applied: number) => void,
): Promise<void> {
  const existing = new Map(state.items.map((item) => [planItemKey(item), item]));
  let applied = 0;
  const failures: StepFailure[] = [];
  try {
    await runSteps(pending, terminal.signal, async (step) => {
      try {
        await applyStep(terminal, session, run, step, existing, state.names);
      } catch (caught) {
        const error = withFieldPaths(caught);
        failures.push({ step, error });
        throw error;
      }
      applied += 1;
      printMessage(terminal, terminal.t(`apply.${step.operation}d`, { name: stepLabel(terminal, step) }));
    });
  } catch (error) {
    for (const failure of failures) printMessage(terminal, failureLine(terminal, failure, error));
    printMessage(terminal, terminal.t('apply.stopped', { taken: applied, left: pending.length - applied }));
    throw error;
  } finally {
    onEnd(applied);
  }
}

interface StepFailure {
  step: PlanStep;
  error: unknown;
}

/** The reason of the failure that ends the command follows below. */
function failureLine(terminal: Terminal, { step, error }: StepFailure, reported: unknown): string {
  const label = terminal.err.paint('danger', stepLabel(terminal, step));
  if (terminal.signal.aborted) return `${label}: ${terminal.t('apply.interrupted')}`;
  return error === reported ? label : `${label}: ${cleanLine(errorMessages(terminal, error).join(' '))}`;
}
