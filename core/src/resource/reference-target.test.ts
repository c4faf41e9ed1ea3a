import { expect, it } from 'vitest';
import { trigger } from '../alerthub/trigger.ts';
import { itemFields } from './define-resource.ts';
import { referenceTarget } from './reference-target.ts';

it.each([
  [{ kind: 'runbook' }, 'runbook'],
  [{ kind: 'action' }, 'action'],
  [{}, 'action'],
])('takes the target of a trigger beside %j for the id of a %s', (beside, resource) => {
  expect(referenceTarget(itemFields(trigger).target!.fields!.id!, beside)).toBe(resource);
});
