// `plan`: what would have to change for a space to be as the files of a folder say.
import { writeFile } from 'node:fs/promises';
import { type MadePlan, makePlan, type PlanStep } from '@yagura/core/plan/make-plan';
import { type PlanFile, planFormat } from '@yagura/core/plan/plan-file';
import { openSession, type Session } from '../signin/session.ts';
import { Ended, Failed } from '../term/failure.ts';
import { jsonText } from '../term/json.ts';
import { say, type Terminal } from '../term/terminal.ts';
import { Usage } from '../term/usage.ts';
import { callerOf, guardsOf } from './guards.ts';
import { planText } from './plan-text.ts';
import { readFiles } from './read-files.ts';
import type { FileFault } from './read-yaml.ts';
import { readSpace } from './space-state.ts';

export interface PlanOptions {
  prune?: boolean;
  save?: string;
  output?: string;
  detailedExitcode?: boolean;
}

/** Exit code of a plan with changes, and of an apply that made some, where that is asked for. */
export const changedCode = 2;

export async function plan(terminal: Terminal, folder: string, options: PlanOptions): Promise<void> {
  checkOutput(options.output);
  const session = openSession(terminal);
  const made = await planOf(terminal, session, folder, options.prune ?? false);
  if (options.save !== undefined) await save(options.save, made);
  if (options.output === 'json') terminal.out.write(jsonText(made, terminal.out.live));
  else terminal.out.write(`${planText(terminal, made)}\n`);
  if (options.save !== undefined) say(terminal, terminal.t('cli.export.saved', { path: options.save }));
  if (options.detailedExitcode && made.steps.length > 0) throw new Ended(changedCode);
}

export function checkOutput(output: string | undefined): void {
  if (output !== undefined && output !== 'json')
    throw new Usage('cli.usage.choice', { flag: '--output', values: 'json' });
}

/** Throws, having told every fault with its file and line, when the files are not good. */
export async function planOf(
  terminal: Terminal,
  session: Session,
  folder: string,
  prune: boolean,
): Promise<PlanFile> {
  const { t, env } = terminal;
  const { items, faults } = await readFiles(folder, t);
  const state = await readSpace(session.transport, new Set(items.map(({ kind }) => kind)), terminal.signal);
  const made: MadePlan = makePlan({
    wanted: items,
    present: state.items,
    others: state.others,
    prune,
    ...guardsOf(terminal, state, await callerOf(terminal, session, items)),
    secretOf: (variable) => env[variable] || undefined,
    t,
  });
  const all: FileFault[] = [
    ...faults,
    ...made.faults.map(({ item, path, reason }) => {
      const { file, lineOf, name } = items[item]!;
      return { file, line: lineOf(path), field: path || name, reason };
    }),
  ];
  if (all.length > 0) {
    for (const { file, line, field, reason } of all)
      say(
        terminal,
        `${terminal.err.paint('danger', `${file}:${line}`)}: ${field ? `${field}: ` : ''}${reason}`,
      );
    throw new Failed('plan.faults', { count: all.length });
  }
  const count = (operation: PlanStep['operation']) =>
    made.steps.filter((step) => step.operation === operation).length;
  return {
    format: planFormat,
    planId: crypto.randomUUID(),
    origin: session.origin,
    createdAt: new Date(terminal.now()).toISOString(),
    counts: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      unchanged: made.unchanged,
      leftAlone: made.leftAlone,
    },
    kept: made.kept,
    steps: made.steps,
  };
}

/** Only its owner reads a plan: it says as much as the space does. */
export async function save(path: string, made: PlanFile, flag: 'w' | 'wx' = 'w'): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag });
  } catch (error) {
    throw new Usage('cli.usage.save', { flag: '--save', source: path, reason: (error as Error).message });
  }
}
