// Runbook graph editor with a canvas and an equivalent list; both show the form of the selected step.
import type { RunbookGraph, RunbookStep, RunbookStepKind } from '@yagura/core/alerthub/runbook';
import { useEffect, useReducer, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { focusFirstField } from '../../ui/field/focus-field.ts';
import { type FormErrors, FormErrorsContext } from '../../ui/field/form-errors.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { paramFields } from '../flow/param-fields.ts';
import { RunbookCanvas } from './runbook-canvas.tsx';
import { faultsAfterChange, faultsOfSteps, isErrorOfStep, type StepFaults } from './runbook-faults.ts';
import { branchesOf, createStep, graphReducer } from './runbook-graph.ts';
import { RunbookStepForm, type StepChoices } from './runbook-step-form.tsx';

const noErrors: FormErrors = {};

/**
 * `errors` are those of the last response, by dotted path in the graph; `clientErrors` those of the selected step's
 * fields, by path below the step. The whole graph is submitted as JSON in a hidden input `graph`.
 */
export function RunbookFlowEditor(props: {
  graph: RunbookGraph;
  choices: StepChoices;
  kinds: readonly RunbookStepKind[];
  errors: FormErrors | undefined;
  clientErrors: FormErrors;
  mayEdit: boolean;
  /** The step that is open at first; the first of the graph if there is none with this id. */
  openStepId?: string | null;
  onOpen?: (stepId: string | null) => void;
}) {
  const { t, fieldLabel, optionalText } = useTranslation();
  const [graph, change] = useReducer(graphReducer, props.graph);
  const [selected, setSelected] = useState<string | null>(() =>
    props.graph.steps.some(({ stepId }) => stepId === props.openStepId)
      ? props.openStepId!
      : props.graph.startStepId,
  );
  const select = (stepId: string | null) => {
    setSelected(stepId);
    props.onOpen?.(stepId);
  };
  const [faults, setFaults] = useState<StepFaults>({});
  const { outline, stepFields, focusOutline, focusFields } = usePendingFocus();
  const selectedIndex = graph.steps.findIndex((one) => one.stepId === selected);
  const step = graph.steps[selectedIndex];

  const show = (stepId: string, names: readonly string[]) => {
    select(stepId);
    focusFields(names);
  };
  // Only a new response brings errors; until then the steps may be changed in any way.
  const { errors = noErrors } = props;
  const [shownErrors, setShownErrors] = useState(noErrors);
  if (errors !== shownErrors) {
    const found = faultsOfSteps(graph.steps, errors);
    setShownErrors(errors);
    setFaults(found);
    const first = graph.steps.find(({ stepId }) => found[stepId]);
    if (first) show(first.stepId, Object.keys(found[first.stepId]!));
  }

  const nameOf = (id: string | null) => {
    const found = graph.steps.find((one) => one.stepId === id);
    return found ? found.displayName || found.stepId : t('runbook.end');
  };
  const remove = (stepId: string) => {
    focusOutline(graph.steps.findIndex((one) => one.stepId === stepId));
    change({ kind: 'remove', stepId });
    if (selected === stepId) select(null);
  };
  const labelOf = ({ params }: RunbookStep, path: string) => {
    const name = path.slice(path.lastIndexOf('.') + 1);
    const id = params.operatorId ?? params.conditionId;
    return optionalText(`operator.${id}.${name}`) ?? fieldLabel(name);
  };
  const formatsOf = ({ params }: RunbookStep) => {
    const { operators, conditions } = props.choices;
    const entry =
      operators.find(({ operatorId }) => operatorId === params.operatorId) ??
      conditions.find(({ conditionId }) => conditionId === params.conditionId);
    return Object.fromEntries(paramFields(entry?.params).map(({ name, format }) => [name, format]));
  };
  const wrong = graph.steps.filter(({ stepId }) => faults[stepId]);
  return (
    <div className="grid gap-4">
      <input type="hidden" name="graph" value={JSON.stringify(graph)} />
      {Object.entries(errors)
        .filter(([path]) => !isErrorOfStep(path))
        .map(([path, reason]) => (
          <p key={path} role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
            {fieldLabel(path)}: {reason}
          </p>
        ))}
      {wrong.length > 0 && (
        <div role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
          <ul className="grid list-disc gap-1 pl-5">
            {wrong.flatMap((one) =>
              Object.entries(faults[one.stepId]!).map(([path, reason]) => (
                <li key={`${one.stepId} ${path}`}>
                  <button
                    type="button"
                    onClick={() => show(one.stepId, [path])}
                    className="text-left font-medium underline"
                  >
                    {nameOf(one.stepId)}
                    {path && ` › ${labelOf(one, path)}`}
                  </button>{' '}
                  {reason}
                </li>
              )),
            )}
          </ul>
        </div>
      )}
      {props.mayEdit && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-sm text-muted">{t('alerthub.add-step')}</span>
          {props.kinds.map((kind) => (
            <Button
              key={kind}
              size="small"
              icon="plus"
              onClick={() => {
                const made = createStep(graph, kind);
                change({ kind: 'add', step: made });
                show(made.stepId, ['displayName']);
              }}
            >
              {t(`value.${kind}`)}
            </Button>
          ))}
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid gap-4">
          <RunbookCanvas
            graph={graph}
            selected={selected}
            invalidStepIds={new Set(wrong.map(({ stepId }) => stepId))}
            mayEdit={props.mayEdit}
            onSelect={select}
            onMove={(stepId, posX, posY) => change({ kind: 'set', stepId, change: { posX, posY } })}
            onRemove={remove}
            onArrange={() => change({ kind: 'arrange' })}
          />
          <ol
            ref={outline}
            tabIndex={-1}
            aria-label={t('runbook.outline')}
            className="grid rounded-md border border-line"
          >
            {graph.steps.length === 0 && (
              <li className="px-3 py-2 text-sm text-muted">{t('runbook.no-steps')}</li>
            )}
            {graph.steps.map((one) => (
              <li key={one.stepId} className="border-b border-line last:border-0">
                <button
                  type="button"
                  aria-current={selected === one.stepId}
                  onClick={() => select(one.stepId)}
                  className={classNames(
                    'grid w-full gap-0.5 px-3 py-2 text-left text-sm hover:bg-hover',
                    selected === one.stepId && 'bg-hover',
                    faults[one.stepId] && 'text-danger',
                  )}
                >
                  <span className="font-medium">
                    {one.displayName || one.stepId}
                    {graph.startStepId === one.stepId ? ` · ${t('runbook.first')}` : ''}
                  </span>
                  <span className="text-xs text-muted">
                    {t(`value.${one.kind}`)}
                    {branchesOf(one).map((way) => ` · ${fieldLabel(way)}: ${nameOf(one[way])}`)}
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </div>
        {step && (
          <fieldset
            ref={stepFields}
            disabled={!props.mayEdit}
            className="min-w-0 rounded-md border border-line p-3"
          >
            <legend className="px-1 text-sm font-medium">{step.displayName || step.stepId}</legend>
            <FormErrorsContext value={{ ...faults[step.stepId], ...props.clientErrors }}>
              <RunbookStepForm
                key={selectedIndex}
                step={step}
                steps={graph.steps}
                choices={props.choices}
                isFirst={graph.startStepId === step.stepId}
                onChange={(changed) => {
                  change({ kind: 'set', stepId: step.stepId, change: changed });
                  setFaults(faultsAfterChange(faults, step, { ...step, ...changed }));
                }}
                onRename={(to) => {
                  change({ kind: 'rename', stepId: step.stepId, to, formatsOf });
                  setFaults(faultsAfterChange(faults, step, { ...step, stepId: to }));
                  select(to);
                }}
                onRemove={() => remove(step.stepId)}
                onFirst={() => change({ kind: 'start', stepId: step.stepId })}
              />
            </FormErrorsContext>
          </fieldset>
        )}
      </div>
    </div>
  );
}

type PendingFocus = { names: readonly string[] } | { outlineIndex: number };

/** Moves the focus once the step that it belongs to is shown, or removed. */
function usePendingFocus() {
  const outline = useRef<HTMLOListElement>(null);
  const stepFields = useRef<HTMLFieldSetElement>(null);
  const [pending, setPending] = useState<PendingFocus>();
  useEffect(() => {
    if (!pending) return;
    if ('names' in pending) {
      const form = stepFields.current?.form;
      if (form) focusFirstField(form, pending.names);
      return;
    }
    const entries = outline.current!.querySelectorAll('button');
    (entries[Math.min(pending.outlineIndex, entries.length - 1)] ?? outline.current!).focus();
  }, [pending]);
  return {
    outline,
    stepFields,
    focusOutline: (outlineIndex: number) => setPending({ outlineIndex }),
    focusFields: (names: readonly string[]) => setPending({ names }),
  };
}
