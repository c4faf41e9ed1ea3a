// Runbook graph editor with a canvas and an equivalent list; both show the form of the selected step.
import type { RunbookGraph, RunbookStepKind } from '@yagura/core/alerthub/runbook';

import { useReducer, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useTranslation } from '../../ui/translation.tsx';
import { RunbookCanvas } from './runbook-canvas.tsx';
import { branchesOf, createStep, graphReducer } from './runbook-graph.ts';
import { RunbookStepForm, type StepChoices } from './runbook-step-form.tsx';

/**
 * `errors` are keyed by dotted path in the graph; the whole graph is submitted as JSON in a hidden input
 * `graph`.
 */
export function RunbookFlowEditor(props: {
  graph: RunbookGraph;
  choices: StepChoices;
  kinds: readonly RunbookStepKind[];
  errors: Record<string, string>;
  mayEdit: boolean;
}) {
  const { t, fieldLabel } = useTranslation();
  const [graph, change] = useReducer(graphReducer, props.graph);
  const [selected, select] = useState<string | null>(props.graph.startStepId);
  const step = graph.steps.find((one) => one.stepId === selected);
  const errorsOf = (index: number) =>
    Object.fromEntries(
      Object.entries(props.errors)
        .filter(([path]) => path === `steps.${index}` || path.startsWith(`steps.${index}.`))
        .map(([path, reason]) => [path.slice(`steps.${index}.`.length), reason]),
    );
  const wrong = new Set(
    graph.steps.filter((_, index) => Object.keys(errorsOf(index)).length > 0).map((one) => one.stepId),
  );
  const nameOf = (id: string | null) => {
    const found = graph.steps.find((one) => one.stepId === id);
    return found ? found.displayName || found.stepId : t('runbook.end');
  };
  const remove = (stepId: string) => {
    change({ kind: 'remove', stepId });
    if (selected === stepId) select(null);
  };
  return (
    <div className="grid gap-4">
      <input type="hidden" name="graph" value={JSON.stringify(graph)} />
      {props.errors.startStepId && (
        <p role="alert" className="rounded-md bg-danger-bg px-3 py-2 text-sm text-danger-fg">
          {fieldLabel('startStepId')}: {props.errors.startStepId}
        </p>
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
                select(made.stepId);
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
            invalidStepIds={wrong}
            onSelect={select}
            onMove={(stepId, posX, posY) =>
              props.mayEdit && change({ kind: 'set', stepId, change: { posX, posY } })
            }
            onRemove={(stepId) => props.mayEdit && remove(stepId)}
            onArrange={() => change({ kind: 'arrange' })}
          />
          <ol aria-label={t('runbook.outline')} className="grid rounded-md border border-line">
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
                    wrong.has(one.stepId) && 'text-danger',
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
          <fieldset disabled={!props.mayEdit} className="rounded-md border border-line p-3">
            <legend className="px-1 text-sm font-medium">{step.displayName || step.stepId}</legend>
            <RunbookStepForm
              step={step}
              steps={graph.steps}
              choices={props.choices}
              errors={errorsOf(graph.steps.indexOf(step))}
              isFirst={graph.startStepId === step.stepId}
              onChange={(changed) => {
                change({ kind: 'set', stepId: step.stepId, change: changed });
                if (changed.stepId) select(changed.stepId);
              }}
              onRemove={() => remove(step.stepId)}
              onFirst={() => change({ kind: 'start', stepId: step.stepId })}
            />
          </fieldset>
        )}
      </div>
    </div>
  );
}
