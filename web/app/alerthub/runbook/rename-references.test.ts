import { expect, it } from 'vitest';
import { renameReferences } from './rename-references.ts';

const formats = { source: 'data-path', template: 'template', stepId: 'step-id', value: undefined };

it.each([
  ['source', 'steps.a.output', 'steps.7.output'],
  ['source', 'steps["a"].output', 'steps["7"].output'],
  ['source', "$.steps['a'].output[0]", "$.steps['7'].output[0]"],
  ['source', '$.steps.a', '$.steps.7'],
  ['source', 'steps.ab.output', 'steps.ab.output'],
  ['source', 'steps.a-1.output', 'steps.a-1.output'],
  ['source', 'message.steps.a', 'message.steps.a'],
  ['template', '{{steps.a.output}}{{{ steps.a }}}', '{{steps.7.output}}{{{ steps.7 }}}'],
  ['template', '{{#steps.a.list}}{{.}}{{/steps.a.list}}', '{{#steps.7.list}}{{.}}{{/steps.7.list}}'],
  ['template', '{{! steps.a }} steps.a', '{{! steps.a }} steps.a'],
  ['stepId', 'a', '7'],
  ['value', 'steps.a', 'steps.a'],
])('in %s renames %s to %s', (name, text, renamed) => {
  expect(renameReferences({ params: { [name]: text } }, 'a', '7', formats)).toEqual({
    params: { [name]: renamed },
  });
});

it('renames in the paths of an event, and leaves literal texts', () => {
  const attribute = (value: string | { path: string }) => ({ name: 'host', op: 'eq' as const, value });
  expect(
    renameReferences(
      {
        severityName: { path: 'steps.a.name' },
        attributes: [attribute({ path: 'steps.a.host' }), attribute('steps.a')],
        delta: 1,
      },
      'a',
      'b',
      {},
    ),
  ).toEqual({
    severityName: { path: 'steps.b.name' },
    attributes: [attribute({ path: 'steps.b.host' }), attribute('steps.a')],
    delta: 1,
  });
});
