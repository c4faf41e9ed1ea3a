import { expect, test } from 'vitest';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { actionsOf } from './resource-actions.ts';

test('a call that names its item in the body is an action on it', () => {
  const [abort] = actionsOf(resourceNamed('result')).filter(({ idField }) => idField);
  expect(abort).toMatchObject({ resource: 'chain', name: 'abort', idField: 'resultId', bodyFields: null });
});
