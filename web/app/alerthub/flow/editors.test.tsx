import { screen, within } from '@testing-library/react';
import { conditions } from '@yagura/core/alerthub/engine/evaluation/trigger-conditions';
import { operators } from '@yagura/core/alerthub/engine/operators/operators';
import { rule } from '@yagura/core/alerthub/rule';
import type { RunbookStep } from '@yagura/core/alerthub/runbook';
import { trigger } from '@yagura/core/alerthub/trigger';
import type { Language } from '@yagura/core/i18n/translator';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { screenMeta } from '../../resource/screen-meta.ts';
import { readForm } from '../../ui/field/form-data.ts';
import { FormErrorsContext } from '../../ui/field/form-errors.ts';
import { formDataOf, renderInRouter } from '../../ui/test/render.tsx';
import { createStep, graphReducer } from '../runbook/runbook-graph.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { ConditionalEventParamsEditor } from './conditional-event-params-editor.tsx';
import { EventParamsEditor } from './event-params-editor.tsx';
import { FlowEditor } from './flow-editor.tsx';
import { TargetField } from './target-field.tsx';

const ruleForm = screenMeta(rule).form;
const triggerForm = screenMeta(trigger).form;
const items = operators.map(({ operatorId, displayName, kind, params }) => ({
  operatorId,
  displayName,
  kind,
  params,
}));

async function renderEditor(
  editor: ReactNode,
  errors: Record<string, string> = {},
  language: Language = 'en',
) {
  const view = await renderInRouter(
    <form>
      <FormErrorsContext value={errors}>{editor}</FormErrorsContext>
    </form>,
    { language },
  );
  return { ...view, read: (fields: typeof ruleForm) => readForm(formDataOf(view.container), fields) };
}

const row = (name: string) => within(screen.getByRole('group', { name }));

describe('FlowEditor', () => {
  const editor = (value?: Parameters<typeof FlowEditor>[0]['value']) => (
    <FlowEditor meta={ruleForm.flow!} value={value} operators={items} purpose="rule" />
  );

  it.each([
    [
      'en',
      'Add a step',
      'Step 1',
      'Text comparison',
      'Field',
      'Comparison',
      'contains',
      'Text',
      'Continue if message.content.body contains "down"',
    ],
    [
      'ja',
      'ステップを追加',
      'ステップ1',
      'テキスト比較',
      '対象の項目',
      '比較方法',
      '含む',
      'テキスト',
      '続行条件: message.content.body が「down」を含む',
    ],
  ] as const)(
    'builds a step in %s',
    async (language, add, step, operator, field, comparison, contains, text, sentence) => {
      const { user, read } = await renderEditor(editor(), {}, language);
      expect(read(ruleForm).flow).toEqual({ steps: [] });
      await user.click(screen.getByRole('button', { name: add }));
      const first = row(step);
      await user.selectOptions(first.getByLabelText(new RegExp(`^${step}`)), operator);
      await user.type(first.getByLabelText(new RegExp(`^${field}`)), 'message.content.body');
      await user.selectOptions(first.getByLabelText(new RegExp(`^${comparison}`)), contains);
      await user.type(first.getByLabelText(new RegExp(`^${text}`)), 'down');
      expect(first.getByText(sentence)).toBeTruthy();
      const { flow } = read(ruleForm);
      expect(flow).toEqual({
        steps: [
          {
            operatorId: 'text-compare',
            params: {
              source: 'message.content.body',
              comparison: 'contains',
              value: 'down',
              ignoreCase: false,
            },
          },
        ],
      });
    },
  );

  it('makes what the operators themselves accept', async () => {
    const { user, read } = await renderEditor(editor());
    await user.click(screen.getByRole('button', { name: 'Add a step' }));
    await user.selectOptions(row('Step 1').getByLabelText(/^Step 1/), 'Lookup table');
    await user.type(row('Step 1').getByLabelText(/^Field/), 'message.content.data.level');
    await user.click(row('Step 1').getByRole('button', { name: 'Add to Table' }));
    await user.type(screen.getByLabelText('Key 1'), 'E');
    await user.type(screen.getByLabelText('Value 1'), 'error');
    await user.type(row('Step 1').getByLabelText(/^Store as/), 'level');
    await user.click(screen.getByRole('button', { name: 'Add a step' }));
    await user.selectOptions(row('Step 2').getByLabelText(/^Step 2/), 'Text comparison');
    await user.type(row('Step 2').getByLabelText(/^Field/), 'level');
    await user.selectOptions(row('Step 2').getByLabelText(/^Comparison/), 'is in the list');
    await user.type(row('Step 2').getByLabelText(/^List of texts/), 'error{Enter} fatal ');
    const { steps } = read(ruleForm).flow as { steps: { operatorId: string; params: unknown }[] };
    expect(steps).toEqual([
      {
        operatorId: 'lookup-table',
        params: { source: 'message.content.data.level', table: { E: 'error' }, destination: 'level' },
      },
      {
        operatorId: 'text-compare',
        params: { source: 'level', comparison: 'inList', values: ['error', 'fatal'], ignoreCase: false },
      },
    ]);
    for (const { operatorId, params } of steps) {
      const operator = operators.find((known) => known.operatorId === operatorId)!;
      expect(() => operator.compile(params)).not.toThrow();
    }
  });

  it('moves steps by buttons and keys, removes them and keeps unknown ones as they are', async () => {
    const value = {
      steps: [
        { operatorId: 'exists', params: { source: 'a' } },
        { operatorId: 'gone', params: { any: [1] } },
        { operatorId: 'trim', params: { source: 'a', destination: 'b' } },
      ],
    };
    const { user, read } = await renderEditor(editor(value));
    const order = () => (read(ruleForm).flow as typeof value).steps.map(({ operatorId }) => operatorId);
    expect(read(ruleForm).flow).toEqual(value);
    await user.click(screen.getByRole('button', { name: 'Move row 3 up' }));
    expect(order()).toEqual(['exists', 'trim', 'gone']);
    row('Step 1')
      .getByLabelText(/^Step 1/)
      .focus();
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    expect(order()).toEqual(['trim', 'exists', 'gone']);
    await user.click(screen.getByRole('button', { name: 'Remove row 2' }));
    expect(order()).toEqual(['trim', 'gone']);
  });

  it('keeps where a value is read when the operator changes', async () => {
    const value = { steps: [{ operatorId: 'exists', params: { source: 'a.b' } }] };
    const { user, read } = await renderEditor(editor(value));
    await user.selectOptions(row('Step 1').getByLabelText(/^Step 1/), 'Value does not exist');
    expect(read(ruleForm).flow).toEqual({ steps: [{ operatorId: 'not-exists', params: { source: 'a.b' } }] });
  });

  it('shows the reason of a parameter at its step', async () => {
    const value = {
      steps: [
        { operatorId: 'exists', params: { source: 'a' } },
        { operatorId: 'regex-match', params: { source: 'a', pattern: '(' } },
      ],
    };
    await renderEditor(editor(value), { 'flow.steps.1.params.pattern': 'The pattern is not valid' });
    const pattern = row('Step 2').getByLabelText(/^Pattern/);
    expect(pattern.getAttribute('aria-invalid')).toBe('true');
    expect(pattern.getAttribute('name')).toBe('flow.steps.1.params.pattern');
    expect(row('Step 2').getByText('The pattern is not valid')).toBeTruthy();
  });

  it('offers what earlier steps stored as paths', async () => {
    const value = {
      steps: [
        { operatorId: 'trim', params: { source: 'a', destination: 'level' } },
        { operatorId: 'exists', params: {} },
      ],
    };
    const { container } = await renderEditor(editor(value));
    const offered = (step: number) => {
      const input = container.querySelector(`[name="flow.steps.${step}.params.source"]`)!;
      const list = document.getElementById(input.getAttribute('list')!)!;
      return [...list.querySelectorAll('option')].map((option) => option.getAttribute('value'));
    };
    expect(offered(0)).not.toContain('level');
    expect(offered(1)).toContain('level');
    expect(offered(1)).toContain('message.content.body');
  });
});

describe('ConditionEditor', () => {
  it('builds conditions that the product accepts', async () => {
    const { user, read } = await renderEditor(
      <ConditionEditor meta={triggerForm.conditions!} value={[]} conditions={[...conditions]} />,
    );
    expect(screen.getByText('No conditions: every event of the scope fires the trigger.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add a condition' }));
    const first = row('Condition 1');
    await user.selectOptions(first.getByLabelText(/^Condition 1/), 'Number of recent actions');
    await user.type(first.getByLabelText(/^Period \(seconds\)/), '1800');
    await user.selectOptions(first.getByLabelText(/^Comparison of the count/), 'equal');
    await user.type(first.getByLabelText(/^Count/), '0');
    const value = read(triggerForm).conditions as { params: unknown }[];
    expect(value).toEqual([
      { conditionId: 'recent-actions', params: { seconds: 1800, countComparison: 'eq', count: 0 } },
    ]);
    expect(() =>
      conditions.find(({ conditionId }) => conditionId === 'recent-actions')!.compile(value[0]!.params),
    ).not.toThrow();
  });
});

describe('event settings', () => {
  const scopes = { 's-1': { name: 'Web' }, 's-2': { name: 'Database' } };

  it('are built at named scopes', async () => {
    const { user, read } = await renderEditor(
      <EventParamsEditor meta={ruleForm.eventParams!} value={[]} scopes={scopes} />,
    );
    await user.click(screen.getByRole('button', { name: 'Add an event' }));
    const first = row('Event 1');
    await user.selectOptions(first.getByLabelText(/^Scope/), 'Database');
    await user.clear(first.getByLabelText(/^Change/));
    await user.type(first.getByLabelText(/^Change/), '-2');
    expect(first.getByText('Change severity "default" of Database by -2')).toBeTruthy();
    await user.selectOptions(first.getByLabelText('Severity name from'), 'Data path');
    await user.clear(first.getByLabelText(/^Severity name \*|^Severity name/, { selector: 'input' }));
    await user.type(
      first.getByLabelText(/^Severity name/, { selector: 'input' }),
      'message.content.data.name',
    );
    expect(read(ruleForm).eventParams).toEqual([
      { scopeId: 's-2', severityName: { path: 'message.content.data.name' }, mode: 'add', delta: -2 },
    ]);
  });

  it('set a severity, or the value of each fingerprint', async () => {
    const value = [{ scopeId: 's-1', severityName: { literal: 'default' }, delta: 2 }];
    const { user, read } = await renderEditor(
      <EventParamsEditor meta={ruleForm.eventParams!} value={value} scopes={scopes} />,
    );
    const first = row('Event 1');
    await user.selectOptions(first.getByLabelText(/^Mode/), 'Set');
    await user.clear(first.getByLabelText(/^Value/));
    await user.type(first.getByLabelText(/^Value/), '5');
    const set = { scopeId: 's-1', severityName: { literal: 'default' }, mode: 'set', value: 5 };
    expect(read(ruleForm).eventParams).toEqual([{ ...set, fingerprint: null }]);
    await user.type(first.getByLabelText(/^Fingerprint/), 'element.id');
    const sent = read(ruleForm).eventParams;
    expect(sent).toEqual([{ ...set, fingerprint: { path: 'element.id' } }]);
    expect(rule.input!.shape.eventParams!.safeParse([{ ...set, scopeId: crypto.randomUUID() }]).success).toBe(
      true,
    );
    expect(
      first.getByText('Set the value of each fingerprint at element.id to 5 in severity "default" of Web'),
    ).toBeTruthy();
  });

  it('are built by attributes', async () => {
    const { user, read } = await renderEditor(
      <ConditionalEventParamsEditor meta={ruleForm.conditionalEventParams!} value={[]} />,
    );
    await user.click(screen.getByRole('button', { name: 'Add an event' }));
    const first = row('Attribute 1');
    await user.type(first.getByLabelText(/^Name/), 'env');
    await user.type(first.getByLabelText(/^Value/, { selector: 'input' }), 'prod');
    await user.click(screen.getByRole('button', { name: 'Add an attribute condition' }));
    const second = row('Attribute 2');
    await user.type(second.getByLabelText(/^Name/), 'site');
    await user.selectOptions(second.getByLabelText(/^Comparison/), 'is present');
    await user.type(screen.getByLabelText(/^Display name of the scope/), 'Site A');
    await user.click(screen.getByLabelText('Create the scope if none matches'));
    const value = read(ruleForm).conditionalEventParams;
    expect(value).toEqual([
      {
        attributes: [
          { name: 'env', op: 'eq', value: 'prod' },
          { name: 'site', op: 'pr' },
        ],
        scopeName: { template: 'Site A' },
        createScope: true,
        severityName: { literal: 'default' },
        mode: 'add',
        delta: 1,
      },
    ]);
    expect(rule.input!.shape.conditionalEventParams!.safeParse(value).success).toBe(true);
  });

  it('come back as they were', async () => {
    const value = [
      {
        attributes: [{ name: 'env', op: 'co' as const, value: { path: 'a.b' } }],
        scopeName: { path: '$.element.host' },
        createScope: false,
        severityName: { literal: 'disk' },
        mode: 'set' as const,
        value: 3,
        fingerprint: { path: 'element.id' },
      },
    ];
    const { read } = await renderEditor(
      <ConditionalEventParamsEditor meta={ruleForm.conditionalEventParams!} value={value} />,
    );
    expect(read(ruleForm).conditionalEventParams).toEqual(value);
  });
});

describe('TargetField', () => {
  const choices = { action: { 'a-1': { name: 'Tell chat' } }, runbook: { 'r-1': { name: 'Ask the disk' } } };

  it.each([
    { kind: 'action', id: 'a-1' },
    { kind: 'runbook', id: 'r-1' },
  ])('posts the kind and the id of $kind', async (value) => {
    const { read } = await renderEditor(<TargetField value={value} choices={choices} />, { target: 'Gone' });
    expect(read(triggerForm).target).toEqual(value);
    expect(screen.getByText('Gone')).toBeTruthy();
  });
});

const step = (stepId: string, more: object = {}) =>
  ({
    stepId,
    kind: 'event',
    displayName: '',
    posX: '12.340000000000000000001',
    posY: '0',
    params: { delta: 1 },
    next: null,
    nextTrue: null,
    nextFalse: null,
    maxVisits: null,
    ...more,
  }) as RunbookStep;

describe('the graph of a runbook', () => {
  const graph = { startStepId: 'a', steps: [step('a', { next: 'b' }), step('b', { next: 'a' })] };

  it('renames a step everywhere', () => {
    const made = graphReducer(graph, { kind: 'rename', stepId: 'b', to: 'c', formatsOf: () => ({}) });
    expect(made.steps.map((one) => [one.stepId, one.next])).toEqual([
      ['a', 'c'],
      ['c', 'a'],
    ]);
  });

  it('takes the ways to a removed step away, and starts with another', () => {
    expect(graphReducer(graph, { kind: 'remove', stepId: 'a' })).toMatchObject({
      startStepId: 'b',
      steps: [{ stepId: 'b', next: null }],
    });
  });

  it('keeps every digit of a position that nobody moved', () => {
    const made = graphReducer(graph, { kind: 'set', stepId: 'b', change: { posX: '5' } });
    expect(made.steps.map((one) => one.posX)).toEqual(['12.340000000000000000001', '5']);
  });

  it('arranges by distance from the first step', () => {
    const made = graphReducer(graph, { kind: 'arrange' });
    expect(made.steps.map((one) => Number(one.posY))).toEqual([0, 104]);
  });

  it('gives a new step an id of its own and makes the only one the first', () => {
    const made = graphReducer(
      { startStepId: null, steps: [] },
      { kind: 'add', step: createStep(graph, 'branch') },
    );
    expect(made).toMatchObject({ startStepId: 'branch-1', steps: [{ kind: 'branch' }] });
  });
});
