import { expect, test } from 'vitest';
import { z } from 'zod';
import { reason } from './decision-reason.ts';
import { FlowError, parseParams, toFlowError, withErrorPath } from './flow-error.ts';

const failWith = (error: unknown) => () => {
  throw error;
};
const caught = (work: () => unknown): FlowError => {
  try {
    work();
  } catch (error) {
    return error as FlowError;
  }
  throw new Error('nothing was thrown');
};

test('the path grows from inside out', () => {
  const inner = failWith(new FlowError('', reason('why.param.missing')));
  const error = caught(() => withErrorPath('flow', () => withErrorPath('steps.2', inner)));
  expect(error).toMatchObject({ path: 'flow.steps.2', reason: { word: 'why.param.missing' } });
});

test('the message has the path, the reason and its parameters', () => {
  expect(new FlowError('a.b', reason('why.operator.unknown', { operatorId: 'x' })).message).toBe(
    'a.b: why.operator.unknown {"operatorId":"x"}',
  );
  expect(new FlowError('a', reason('why.param.missing')).message).toBe('a: why.param.missing {}');
});

test('an error of the program is no fault of a path', () => {
  const fault = new TypeError('x is not a function');
  expect(caught(() => withErrorPath('flow', failWith(fault)))).toBe(fault);
});

test('any error becomes a reason, with no more than 200 characters of its text', () => {
  const known = new FlowError('a', reason('why.param.missing'));
  expect(toFlowError(known)).toBe(known);
  expect(toFlowError(new Error('x'.repeat(201)))).toMatchObject({
    path: '',
    reason: { word: 'why.threw', params: { detail: 'x'.repeat(200) } },
  });
  expect(toFlowError('text').reason.params).toEqual({ detail: 'text' });
});

test.each([
  [{}, 'params.count', 'why.param.missing'],
  [{ count: 'one' }, 'params.count', 'why.param.type'],
  [{ count: 1, other: 2 }, 'params.other', undefined],
])('parameters %j are refused at %s', (params, path, word) => {
  const error = caught(() => parseParams(z.strictObject({ count: z.number() }), params));
  expect(error.path).toBe(path);
  if (word) expect(error.reason.word).toBe(word);
});

test('valid parameters are given back', () => {
  expect(parseParams(z.strictObject({ count: z.number() }), { count: 1 })).toEqual({ count: 1 });
});
