import { sessionStatuses } from '@yagura/core/greac/session';
import { isFinalStatus, resultStatuses } from '@yagura/core/pigeon/call-constants';
import { isFinalSnapshotStatus, snapshotStatuses } from '@yagura/core/sonar/snapshot';
import { expect, test } from 'vitest';
import { resourceNamed } from '../../resource/meta/resource-client.ts';
import { actionsOf, childPathParams, hasNoEffect, newItemAction } from './resource-actions.ts';

test('a call that names its item in the body is an action on it', () => {
  const [abort] = actionsOf(resourceNamed('result')).filter(({ idField }) => idField);
  expect(abort).toMatchObject({ resource: 'chain', name: 'abort', idField: 'resultId', bodyFields: null });
});

/** One word for each action: `!` asks for the name, `*` works on several, `{}` has a form. */
function described(resource: string): string {
  return actionsOf(resourceNamed(resource))
    .map(
      (one) =>
        (one.resource === resource ? '' : `${one.resource}.`) +
        one.name +
        (one.confirmation === 'name' ? '!' : one.confirmation === 'note' ? '?' : '') +
        (one.bulk ? '*' : '') +
        (one.bodyFields ? '{}' : ''),
    )
    .join(' ');
}

test.each([
  ['message', ''],
  ['message-count', ''],
  ['scope', 'edit{} acknowledge?* unacknowledge* severity.reset* delete!*'],
  ['severity', 'delete*'],
  ['attribute', 'edit{} delete*'],
  ['rule', 'edit{} enable* disable* delete*'],
  ['runbook', 'edit{} rehearse* delete*'],
  ['runbook-record', 'rerun{}'],
  ['receive-slot', 'edit{} enable* disable* regenerate{} delete*'],
  ['destination', 'edit{} connect delete!*'],
  ['session', 'edit{} connect join* leave* close* close-force!*'],
  ['log-key', 'delete-private-key!*'],
  ['network', 'edit{} scan* estimate* delete!*'],
  ['snapshot', 'abort* pause* resume* delete!*'],
  ['callflow', 'edit{} chain.invoke{} delete*'],
  ['guidance', 'edit{} delete-recording!* delete*'],
  ['result', 'chain.abort*'],
  // They have the id of the user, but it is not known where there is one item only.
  ['profile', 'edit{}'],
  ['mfa', 'edit{}'],
  [
    'user',
    'edit{} enable* disable* user-access.promote* user-access.demote* user-access.end-sessions* delete*',
  ],
])('the actions on a %s are: %s', (resource, expected) => {
  expect(described(resource)).toBe(expected);
});

test.each([
  ['scope', 'edit', 'alerthub:scopes:update'],
  ['rule', 'disable', 'alerthub:rules:update'],
  ['scope', 'delete', 'alerthub:scopes:delete'],
  ['network', 'scan', 'sonar:tasks:create'],
  ['destination', 'connect', 'greac:sessions:create'],
  ['session', 'connect', 'greac:sessions:join'],
])('on a %s, %s needs the permission %s', (resource, name, permission) => {
  expect(actionsOf(resourceNamed(resource)).find((one) => one.name === name)).toMatchObject({ permission });
});

test('a new item is created with its own permission, where the list can have one', () => {
  expect(newItemAction(resourceNamed('scope'))).toMatchObject({
    name: 'create',
    operation: 'create',
    permission: 'alerthub:scopes:create',
    bulk: false,
    bodyFields: resourceNamed('scope').input,
  });
  expect(newItemAction(resourceNamed('message'))).toBeUndefined();
  expect(newItemAction({ ...resourceNamed('scope'), input: null })).toBeUndefined();
});

test('the path below an item has its id, where it has one', () => {
  const network = resourceNamed('network');
  expect(childPathParams(network, { a: 'b' }, 'n')).toEqual({ a: 'b', networkId: 'n' });
  expect(childPathParams(network, { a: 'b' }, undefined)).toEqual({ a: 'b' });
});

test.each([
  ['session', sessionStatuses, (status) => status === 'closed', 'edit'],
  ['snapshot', snapshotStatuses, isFinalSnapshotStatus, 'delete'],
  ['result', resultStatuses, isFinalStatus, ''],
] as [string, readonly string[], (status: string) => boolean, string][])(
  'what is over in a %s can no longer be controlled',
  (resource, statuses, isOver, left) => {
    const meta = resourceNamed(resource);
    const all = actionsOf(meta);
    const namesFor = (status?: string) =>
      all.filter((one) => !hasNoEffect(meta, one, status ? { status } : undefined)).map(({ name }) => name);
    expect(namesFor()).toEqual(all.map(({ name }) => name));
    for (const status of statuses)
      expect(namesFor(status).join(' ')).toBe(isOver(status) ? left : namesFor().join(' '));
  },
);

test.each([
  [{ status: 'normal', acknowledgedAt: null }, []],
  [{ status: 'warning', acknowledgedAt: null }, ['acknowledge']],
  [{ status: 'incident' }, ['acknowledge']],
  [{ status: 'incident', acknowledgedAt: '2026-01-01T00:00:00Z' }, ['unacknowledge']],
  [undefined, ['acknowledge', 'unacknowledge']],
])('a scope with %j can be acknowledged, or that withdrawn: %j', (row, expected) => {
  const meta = resourceNamed('scope');
  const offered = actionsOf(meta).filter((one) => !hasNoEffect(meta, one, row));
  expect(offered.map(({ name }) => name).filter((name) => name.endsWith('acknowledge'))).toEqual(expected);
});
