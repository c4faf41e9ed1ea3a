// `plan`: computes the changes needed to bring a space in line with configuration files.
import { makePlan, type Plan, type PlanStep } from '@yagura/core/plan/make-plan';
import { itemPathKey } from '@yagura/core/plan/plan-deletions';
import { type PlanFile, planFormat } from '@yagura/core/plan/plan-file';
import { kindsBelow, kindsKeeping } from '@yagura/core/plan/plan-kinds';
import { parseChoice } from '../command-line/parse-choice.ts';
import { CommandError, ExitError } from '../command-line/report-error.ts';
import { formatJson } from '../command-line/select-fields.ts';
import { writeOrThrow } from '../files/save-file.ts';
import { openSession, type Session } from '../signin/session.ts';
import { cleanLine } from '../terminal/clean.ts';
import { printMessage, type Terminal } from '../terminal/terminal.ts';
import { formatPlan, stepLabel } from './format-plan.ts';
import { createPlanGuards, findCallerId } from './plan-guards.ts';
import { readFiles } from './read-files.ts';
import type { FileFault } from './read-yaml.ts';
import { type OutsideUser, SpaceReader, type SpaceState } from './space-state.ts';

export interface PlanOptions {
  prune?: boolean;
  save?: string;
  output?: string;
  detailedExitcode?: boolean;
}

/** Exit code for a plan with changes, and for an apply that made some, when requested. */
export const changesExitCode = 2;

export async function runPlan(terminal: Terminal, folder: string, options: PlanOptions): Promise<void> {
  checkOutputOption(options.output);
  const session = openSession(terminal);
  const { plan } = await createPlan(terminal, session, folder, options.prune ?? false);
  if (options.save !== undefined) await writePlanFile(options.save, plan);
  if (options.output === 'json') terminal.out.write(formatJson(plan, terminal.out.isTTY));
  else terminal.out.write(`${formatPlan(terminal, plan)}\n`);
  if (options.save !== undefined)
    printMessage(terminal, terminal.t('cli.export.saved', { path: options.save }));
  if (options.detailedExitcode && plan.steps.length > 0) throw new ExitError(changesExitCode);
}

export function checkOutputOption(output: string | undefined): void {
  if (output !== undefined) parseChoice('--output', output, ['json']);
}

/** The plan and the state it starts from. Throws after reporting every error in the files with its file and line. */
export async function createPlan(
  terminal: Terminal,
  session: Session,
  folder: string,
  prune: boolean,
): Promise<{ plan: PlanFile; state: SpaceState }> {
  const { t, env } = terminal;
  const { items, kinds, faults } = await readFiles(folder, t);
  const callerId = await findCallerId(terminal, session, kinds);
  const reader = new SpaceReader(session.transport, terminal.signal);
  const planFrom = (state: SpaceState, outsideUsers: readonly OutsideUser[] = []): Plan =>
    makePlan({
      desired: items,
      describedKinds: kinds,
      existing: state.items,
      unmanagedNames: state.others,
      prune,
      ...createPlanGuards(terminal, state, callerId, outsideUsers),
      labelOf: (item) => stepLabel(terminal, item),
      resolveSecret: (variable) => env[variable] || undefined,
      t,
    });
  let state = await reader.read(kinds);
  let plan = planFrom(state);
  // What would be deleted along with these or keeps them from being deleted, although the files do not contain it.
  const deletions = plan.steps.filter(({ operation }) => operation === 'delete');
  const deletedKinds = new Set(deletions.map(({ kind }) => kind));
  const below = kindsBelow(deletedKinds);
  const keeping = kindsKeeping(deletedKinds);
  const more = new Set([...kinds, ...below, ...keeping]);
  const outsideUsers = await reader.readOutsideUsers(deletedKinds);
  if (more.size > kinds.size || outsideUsers.length > 0) {
    const deletedKeys = new Set(deletions.map(itemPathKey));
    state = await reader.read(more, {
      optional: new Set([...keeping].filter((kind) => !kinds.has(kind) && !below.has(kind))),
      // With many parents this takes most of the time.
      below: new Map(
        [...below]
          .filter((kind) => !kinds.has(kind) && !keeping.has(kind))
          .map((kind) => [kind, deletedKeys]),
      ),
    });
    plan = planFrom(state, outsideUsers);
  }
  const all: FileFault[] = [
    ...faults,
    ...plan.issues.map(({ item, path, reason }) => {
      const { file, lineOf, name } = items[item]!;
      return { file, line: lineOf(path), field: path || name, reason };
    }),
  ];
  if (all.length > 0) {
    for (const { file, line, field, reason } of all)
      printMessage(
        terminal,
        `${terminal.err.paint('danger', `${file}:${line}`)}: ${field ? `${field}: ` : ''}${reason}`,
      );
    throw new CommandError('plan.faults', { count: all.length });
  }
  for (const { item, path, reason } of plan.missing) {
    const { file, lineOf } = items[item]!;
    printMessage(
      terminal,
      `${terminal.err.paint('warning', `${file}:${lineOf(path)}`)}: ${path}: ${cleanLine(reason)}`,
    );
  }
  const count = (operation: PlanStep['operation']) =>
    plan.steps.filter((step) => step.operation === operation).length;
  const file: PlanFile = {
    format: planFormat,
    planId: crypto.randomUUID(),
    origin: session.origin,
    createdAt: new Date(terminal.now()).toISOString(),
    counts: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      unchanged: plan.unchanged,
      leftAlone: plan.leftAlone,
    },
    kept: plan.kept,
    steps: plan.steps,
  };
  return { plan: file, state };
}

/** Readable by its owner only: a plan contains configuration data of the space. */
export async function writePlanFile(path: string, plan: PlanFile, open: 'w' | 'wx' = 'w'): Promise<void> {
  await writeOrThrow(path, `${JSON.stringify(plan, null, 2)}\n`, { flag: '--save', mode: 0o600, open });
}
