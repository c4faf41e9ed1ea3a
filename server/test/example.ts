// One good input of every resource that can be written, and a space with something of everything in it.
import { send, type Transport } from '@yagura/core/http/transport';
import type { Place } from '@yagura/core/resource/client';
import { type AnyResource, fillPath } from '@yagura/core/resource/define-resource';
import type { World } from './world.ts';

type Body = Record<string, unknown>;

/** The ids of one connected set of things: a slot, its rule, the scope it moves, a trigger and its action. */
export interface Ground {
  place: Place & {
    scopeId: string;
    receiveSlotId: string;
    ruleId: string;
    triggerId: string;
    actionId: string;
    messageId: string;
    eventId: string;
    actionRecordId: string;
    name: string;
  };
  /** Address that takes messages of the slot. */
  primary: string;
  secondary: string;
}

/** A fresh input; `label` keeps unique names apart. Resources that nobody writes are not here. */
export const inputs: Record<string, (label: string, place: Place) => Body> = {
  scope: (label) => ({
    displayName: label,
    remarks: `about ${label}`,
    thresholds: { warning: 2, incident: 5 },
  }),
  severity: (label) => ({ name: label }),
  attribute: (label) => ({ value: `value of ${label}` }),
  event: () => ({ severityName: 'default', delta: 1 }),
  trigger: (label, place) => ({
    displayName: label,
    conditions: [{ conditionId: 'severity-changed', params: { direction: 'up' } }],
    target: { kind: 'action', id: place.actionId },
  }),
  rule: (label, place) => ({
    displayName: label,
    receiveSlotId: place.receiveSlotId,
    flow: {
      steps: [
        {
          operatorId: 'text-compare',
          params: { source: 'message.content.data.level', comparison: 'equals', value: 'critical' },
        },
      ],
    },
    eventParams: [{ scopeId: place.scopeId, delta: 1 }],
  }),
  'receive-slot': (label) => ({ displayName: label, kind: 'webhook' }),
  action: (label) => ({
    displayName: label,
    kind: 'webhook',
    parameters: { url: 'http://127.0.0.1:9/hook', method: 'POST', body: '{{event.severity}}' },
  }),
  space: (label) => ({ displayName: label, remarks: '' }),
  profile: (label) => ({ displayName: label }),
  'api-token': (label) => ({ displayName: label, roles: ['alerthub:viewer'] }),
};

/** Creates an item as its own caller would: attributes come by PUT of their name. */
export async function createItem(
  transport: Transport,
  resource: AnyResource,
  label: string,
  place: Place,
): Promise<Body> {
  const body = inputs[resource.name]!(label, place);
  const byName = resource.name === 'attribute';
  const path = byName
    ? fillPath(resource.itemPath, { ...place, name: label })
    : fillPath(resource.path, place);
  return (await send<Body>(transport, { method: byName ? 'PUT' : 'POST', path, body })).data;
}

/** Lays the ground through the API alone: three messages, each raising one event and one delivery. */
export async function layGround(world: World, label = 'ground'): Promise<Ground> {
  const transport = world.as('privileged');
  const create = async (path: string, name: string, place: Place = {}) =>
    (
      await send<Body>(transport, {
        method: 'POST',
        path: `/api/apps/alerthub/${path}`,
        body: inputs[name]!(label, place),
      })
    ).data;
  const slot = await create('receive-slots', 'receive-slot');
  const scope = await create('scopes', 'scope');
  const action = await create('actions', 'action');
  const place: Place = {
    scopeId: scope.scopeId as string,
    receiveSlotId: slot.receiveSlotId as string,
    actionId: action.actionId as string,
  };
  const rule = await create('rules', 'rule', place);
  const trigger = await create(`scopes/${place.scopeId}/triggers`, 'trigger', place);
  const primary = slot.primary as string;
  for (const number of [1, 2, 3]) {
    await post(primary, JSON.stringify({ level: 'critical', title: `${label} ${number}` }));
  }
  await world.settled();
  const first = async (path: string) =>
    (await send<{ items: Body[] }>(transport, { method: 'GET', path: `/api/apps/alerthub/${path}` })).data
      .items[0]!;
  const event = await first(`scopes/${place.scopeId}/events`);
  const record = await first('action-records');
  return {
    primary,
    secondary: slot.secondary as string,
    place: {
      ...(place as Ground['place']),
      ruleId: rule.ruleId as string,
      triggerId: trigger.triggerId as string,
      messageId: event.messageId as string,
      eventId: event.eventId as string,
      actionRecordId: record.actionRecordId as string,
      name: 'default',
    },
  };
}

/** Posts a message as a sender does. */
export function post(
  address: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}
