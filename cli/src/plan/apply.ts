// `apply`: takes the steps of a plan. Taken again after whatever stopped it, it goes on where it was.

import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { isAsKnown, sameValue } from '@yagura/core/plan/field-changes';
import { type PlanStep, reversed } from '@yagura/core/plan/make-plan';
import { type PlanFile, planFile } from '@yagura/core/plan/plan-file';
import { keyOf } from '@yagura/core/plan/plan-item';
import { isPart, planKindNamed } from '@yagura/core/plan/plan-kinds';
import { openSession, type Session } from '../signin/session.ts';
import { confirm } from '../term/ask.ts';
import { Ended, Failed } from '../term/failure.ts';
import { jsonText } from '../term/json.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { changedCode, checkOutput, type PlanOptions, planOf, save } from './plan.ts';
import { planText, stepName } from './plan-text.ts';
import { type PresentItem, readSpace, type SpaceState } from './space-state.ts';
import { takeStep } from './take-step.ts';

export interface ApplyOptions extends PlanOptions {
  rollback?: string;
  yes?: boolean;
}

const largest = 200 * 1024 * 1024;

export async function apply(terminal: Terminal, source: string, options: ApplyOptions): Promise<void> {
  checkOutput(options.output);
  const session = openSession(terminal);
  const made = (await keptPlan(source)) ?? (await planOf(terminal, session, source, options.prune ?? false));
  if (made.origin !== session.origin)
    throw new Usage('apply.other-space', { origin: made.origin, here: session.origin });
  const kinds = new Set(made.steps.map(({ kind }) => kind));
  const state = await readSpace(session.transport, kinds, terminal.signal);
  const open = openSteps(terminal, made, state);
  if (open.length > 0) {
    if (options.output !== 'json')
      say(terminal, planText({ ...terminal, out: terminal.err }, { ...made, steps: open }));
    await confirm(terminal, terminal.t('apply.ask', { origin: session.origin }), options.yes);
    await keepRollback(terminal, source, made, options);
  }
  await takeSteps(terminal, session, made, open, state);
  const skipped = made.steps.length - open.length;
  if (options.output === 'json')
    terminal.out.write(jsonText({ planId: made.planId, taken: open.length, skipped }, terminal.out.live));
  else
    terminal.out.write(
      `${made.steps.length === 0 ? terminal.t('plan.nothing') : terminal.t('apply.done', { taken: open.length, skipped })}\n`,
    );
  if (options.detailedExitcode && open.length > 0) throw new Ended(changedCode);
}

/** The plan that a file holds; null when it is none, but a file or folder of configuration. */
async function keptPlan(source: string): Promise<PlanFile | null> {
  try {
    const facts = await stat(source);
    if (!facts.isFile() || !source.endsWith('.json') || facts.size > largest) return null;
    const data: unknown = JSON.parse(await readFile(source, 'utf8'));
    if (typeof data !== 'object' || data === null || !('format' in data)) return null;
    const parsed = planFile.safeParse(data);
    if (parsed.success) return parsed.data as PlanFile;
  } catch (error) {
    throw new Usage('cli.usage.file', { flag: 'PLAN', source, reason: (error as Error).message });
  }
  throw new Usage('apply.no-plan', { source });
}

/** The steps that are not taken yet. Throws, naming all of them, when an item is neither as before nor as after its step. */
function openSteps(terminal: Terminal, { steps }: PlanFile, state: SpaceState): PlanStep[] {
  const present = new Map(state.items.map((item) => [keyOf(item), item]));
  const open: PlanStep[] = [];
  const moved: PlanStep[] = [];
  for (const step of steps) {
    const item = present.get(keyOf(step));
    if (isTaken(step, item)) continue;
    const asBefore =
      step.before === null
        ? item === undefined || isUntouched(item)
        : item !== undefined && isAsKnown(item.fields, step.before);
    (asBefore ? open : moved).push(step);
  }
  for (const step of moved) say(terminal, terminal.err.paint('danger', stepName(terminal, step)));
  if (moved.length > 0) throw new Failed('apply.moved', { count: moved.length });
  return open;
}

/** What the step makes is there already: secrets cannot be looked at, and what the space fills in by itself does not count. */
function isTaken({ after }: PlanStep, item: PresentItem | undefined): boolean {
  if (after === null || item === undefined) return after === null && item === undefined;
  return Object.entries(withoutSources(after)).every(([name, value]) => sameValue(value, item.fields[name]));
}

/** What comes with what holds it is there with its defaults as soon as that is. */
function isUntouched({ kind, fields }: PresentItem): boolean {
  const resource = planKindNamed(kind);
  return isPart(resource) && sameValue(fields, resource.input!.parse({}));
}

function withoutSources<T>(value: T): T {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => !(typeof part === 'object' && part !== null && '$env' in part))
      .map(([name, part]) => [name, withoutSources(part)]),
  ) as T;
}

/** The plan that leads back, written before anything changes; the first one of a plan stays when it is taken again. */
async function keepRollback(
  terminal: Terminal,
  source: string,
  made: PlanFile,
  { rollback }: ApplyOptions,
): Promise<void> {
  const stem = source.replace(/[\\/]+$/, '').replace(/\.json$/, '');
  const path =
    rollback ?? `${stem === '.' || stem === '..' ? 'plan' : stem}.${made.planId.slice(0, 8)}.rollback.json`;
  const { counts, steps } = made;
  const back: PlanFile = {
    ...made,
    planId: backId(made.planId),
    createdAt: new Date(terminal.now()).toISOString(),
    counts: { ...counts, create: counts.delete, delete: counts.create, leftAlone: 0 },
    kept: [],
    steps: reversed(steps),
  };
  try {
    await save(path, back, 'wx');
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
  say(terminal, terminal.t('apply.rollback-saved', { path }));
}

/** A plan and its way back are told apart, so that their creates are not taken for one another. */
function backId(planId: string): string {
  const hex = createHash('sha256').update(`back ${planId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

async function takeSteps(
  terminal: Terminal,
  session: Session,
  made: PlanFile,
  open: readonly PlanStep[],
  state: SpaceState,
): Promise<void> {
  const present = new Map(state.items.map((item) => [keyOf(item), item]));
  let taken = 0;
  try {
    for (const step of open) {
      terminal.signal.throwIfAborted();
      await takeStep(terminal, session, made.planId, step, present, state.names);
      taken += 1;
      say(terminal, terminal.t(`apply.${step.operation}d`, { name: stepName(terminal, step) }));
    }
  } catch (error) {
    say(terminal, terminal.t('apply.stopped', { taken, left: open.length - taken }));
    throw error;
  }
}
