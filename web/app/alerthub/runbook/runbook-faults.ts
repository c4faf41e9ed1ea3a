// Errors of a refused runbook graph. They stay with their step while steps are added, renamed and removed.
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import type { FormErrors } from '../../ui/field/form-errors.ts';

/** Error messages of steps by step id and path below the step; the path is empty for the step as a whole. */
export type StepFaults = Readonly<Record<string, FormErrors>>;

/** Whether an error concerns one step, and not the graph as a whole. */
export const isErrorOfStep = (path: string): boolean => /^steps\.\d/.test(path);

/** `errors` are by dotted path in the graph that the steps were posted with. */
export function faultsOfSteps(steps: readonly RunbookStep[], errors: FormErrors): StepFaults {
  const faults: Record<string, Record<string, string>> = {};
  for (const [path, reason] of Object.entries(errors)) {
    const [, index, ...rest] = path.split('.');
    const step = isErrorOfStep(path) ? steps[Number(index)] : undefined;
    if (step) faults[step.stepId] = { ...faults[step.stepId], [rest.join('.')]: reason };
  }
  return faults;
}

/** Returns the faults that are left after a step was changed: those of the values that stayed. */
export function faultsAfterChange(faults: StepFaults, before: RunbookStep, after: RunbookStep): StepFaults {
  const { [before.stepId]: own, ...others } = faults;
  if (!own) return faults;
  const left = Object.entries(own).filter(
    ([path]) => path === '' || JSON.stringify(valueAt(before, path)) === JSON.stringify(valueAt(after, path)),
  );
  return left.length === 0 ? others : { ...others, [after.stepId]: Object.fromEntries(left) };
}

function valueAt(step: RunbookStep, path: string): unknown {
  let value: unknown = step;
  for (const name of path.split('.')) value = Object(value)[name];
  return value;
}
