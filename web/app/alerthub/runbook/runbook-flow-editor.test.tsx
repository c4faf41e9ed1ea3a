import { screen, within } from '@testing-library/react';
import { operators } from '@yagura/core/alerthub/engine/operators/operators';
import { type RunbookGraph, runbookGraph, runbookStepKinds } from '@yagura/core/alerthub/runbook';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import type { FormErrors } from '../../ui/field/form-errors.ts';
import { formDataOf, renderInRouter } from '../../ui/test/render.tsx';
import { RunbookFlowEditor } from './runbook-flow-editor.tsx';

const actionId = '00000000-0000-7000-8000-000000000001';
const scopeId = '00000000-0000-7000-8000-000000000002';
const template = (text: string) => ({
  operatorId: 'concatenate',
  params: { template: text, destination: 'd' },
});

const { startStepId, steps } = runbookGraph.parse({
  startStepId: 'one',
  steps: [
    { stepId: 'one', kind: 'operator', params: template('first'), next: 'two' },
    { stepId: 'two', kind: 'operator', params: template('second'), next: 'raise' },
    { stepId: 'raise', kind: 'event', params: { scopeId, delta: 1 }, next: 'send' },
    { stepId: 'send', kind: 'action', params: { actionId } },
  ],
});

async function renderEditor(errors?: FormErrors, openStepId?: string) {
  const Page = () => {
    const [replied, setReplied] = useState<FormErrors>();
    return (
      <form>
        <button type="button" onClick={() => setReplied(errors)}>
          Refuse
        </button>
        <RunbookFlowEditor
          graph={{ startStepId, steps }}
          choices={{
            actions: { [actionId]: { name: 'Mail' } },
            scopes: { [scopeId]: { name: 'Disk' } },
            operators: operators.map(({ operatorId, displayName, kind, params }) => ({
              operatorId,
              displayName,
              kind,
              params,
            })),
            conditions: [],
            attributeField: { operators: ['eq', 'co', 'pr'], max: 2 },
          }}
          kinds={runbookStepKinds}
          errors={replied}
          clientErrors={{}}
          mayEdit
          openStepId={openStepId}
        />
      </form>
    );
  };
  const view = await renderInRouter(<Page />);
  const outline = within(screen.getByRole('list', { name: 'Steps as a list' }));
  return {
    ...view,
    entries: () => outline.getAllByRole('button'),
    open: (index: number) => view.user.click(outline.getAllByRole('button')[index]!),
    refuse: () => view.user.click(screen.getByRole('button', { name: 'Refuse' })),
    graph: () => JSON.parse(String(formDataOf(view.container).get('graph'))) as RunbookGraph,
  };
}

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);

describe('RunbookFlowEditor', () => {
  it('shows the values of the selected step, also after a step with the same operator', async () => {
    const { open, user, graph } = await renderEditor();
    expect(field(/^Template/).value).toBe('first');
    await open(1);
    expect(field(/^Template/).value).toBe('second');
    await user.type(field(/^Template/), ' text');
    expect(graph().steps.map(({ params }) => params.params)).toMatchObject([
      { template: 'first' },
      { template: 'second text' },
      undefined,
      undefined,
    ]);
  });

  it('takes a negative change of the severity as it is typed', async () => {
    const { open, user, graph } = await renderEditor();
    await open(2);
    await user.clear(field(/^Change/));
    await user.type(field(/^Change/), '-5');
    expect(field(/^Change/).value).toBe('-5');
    expect(graph().steps[2]!.params.delta).toBe(-5);
  });

  it('renames a step while its id is typed, and says why an id cannot be used', async () => {
    const { user, graph } = await renderEditor();
    const id = field(/^Step ID/);
    await user.type(id, '-b');
    expect(graph()).toMatchObject({ startStepId: 'one-b', steps: [{ stepId: 'one-b' }, {}, {}, {}] });
    expect(document.activeElement).toBe(id);
    await user.clear(id);
    await user.type(id, 'two');
    expect(id.value).toBe('two');
    expect(id.validationMessage).toBe('The step ID "two" is used twice');
    await user.type(id, '!');
    expect(screen.getByText('Use 1 to 64 letters, digits, underscores or hyphens')).toBeTruthy();
  });

  it.each([
    ['raise', /^Change/],
    ['gone', /^Template/],
    [undefined, /^Template/],
  ])('opens the step %s, or the first', async (openStepId, label) => {
    await renderEditor(undefined, openStepId);
    expect(field(label)).toBeTruthy();
  });

  it('chooses scopes by several attributes and comparisons', async () => {
    const { user, graph } = await renderEditor(undefined, 'raise');
    await user.click(field(/^Scopes by attribute/));
    await user.click(screen.getByRole('button', { name: 'Add an attribute condition' }));
    const [first, second] = ['Attribute 1', 'Attribute 2'].map((name) =>
      within(screen.getByRole('group', { name })),
    );
    await user.type(first!.getByLabelText(/^Name/), 'host');
    await user.selectOptions(first!.getByLabelText(/^Comparison/), 'co');
    await user.selectOptions(first!.getByLabelText('Value from'), 'path');
    await user.type(first!.getByLabelText(/^Value\*?$/), 'event.severityName');
    await user.type(second!.getByLabelText(/^Name/), 'site');
    await user.selectOptions(second!.getByLabelText(/^Comparison/), 'pr');
    expect(graph().steps[2]!.params.attributes).toEqual([
      { name: 'host', op: 'co', value: { path: 'event.severityName' } },
      { name: 'site', op: 'pr', value: '' },
    ]);
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: 'Add an attribute condition' }).disabled,
    ).toBe(true);
  });

  it('renames a step in the templates of later steps', async () => {
    const { open, user, graph } = await renderEditor();
    await open(1);
    await user.clear(field(/^Template/));
    await user.type(field(/^Template/), '{{{{steps.one.output}} {{{{steps.one-b.output}} steps.one');
    await open(0);
    await user.type(field(/^Step ID/), '7');
    expect(graph().steps[1]!.params.params).toMatchObject({
      template: '{{steps.one7.output}} {{steps.one-b.output}} steps.one',
    });
  });

  describe('after a refusal', () => {
    const errors = {
      'steps.1.params.params.template': 'Not a template',
      'steps.3.params.actionId': 'No such action',
    };

    it('lists every error and opens the first step with one, at its field', async () => {
      const { refuse, user } = await renderEditor(errors);
      await refuse();
      const alert = within(screen.getByRole('alert'));
      expect(alert.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
        'two › Template Not a template',
        'send › Action No such action',
      ]);
      expect(document.activeElement).toBe(field(/^Template/));
      expect(field(/^Template/).getAttribute('aria-invalid')).toBe('true');
      await user.click(alert.getByRole('button', { name: 'send › Action' }));
      expect(document.activeElement).toBe(field(/^Action/));
    });

    it('keeps an error with its step while other steps are removed, until its value changes', async () => {
      const { refuse, open, user } = await renderEditor(errors);
      await refuse();
      await open(0);
      await user.click(screen.getByRole('button', { name: 'Remove step' }));
      await open(0);
      await user.type(field(/^Template/), '!');
      expect(screen.getByRole('alert').textContent).toBe('send › Action No such action');
    });

    it('says what is wrong with the graph as a whole', async () => {
      const { refuse } = await renderEditor({ startStepId: 'No first step' });
      await refuse();
      expect(screen.getByRole('alert').textContent).toContain('No first step');
    });
  });

  it('moves the focus to an added step, and to the list after a removal', async () => {
    const { user, open, entries } = await renderEditor();
    await user.click(screen.getByRole('button', { name: 'Branch' }));
    expect(document.activeElement).toBe(field(/^Name/));
    await open(1);
    await user.click(screen.getByRole('button', { name: 'Remove step' }));
    expect(document.activeElement).toBe(entries()[1]);
    expect(entries()[1]!.textContent).toContain('raise');
  });
});
