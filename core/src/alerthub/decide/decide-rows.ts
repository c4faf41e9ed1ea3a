// Small settings and messages that the tests of deciding are written with.
import type { BatchInput } from './batch.ts';
import { type ConfigRows, compileConfig } from './config.ts';
import type { DecideMessage } from './data.ts';
import type { History } from './history.ts';

export const now = '2026-01-02T03:04:05.000Z';
const createdAt = '2026-01-01T00:00:00.000Z';
export const empty: History = { eventsOf: () => [], actionsOf: () => [] };

function counter(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return `id${last}`;
  };
}

export const scope = (
  scopeId: string,
  attributes: Record<string, string> = {},
): ConfigRows['scopes'][number] => ({
  scopeId,
  displayName: `Scope ${scopeId}`,
  remarks: '',
  thresholds: { warning: 1, incident: 10 },
  recoveryTime: null,
  attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
});
export const rule = (
  ruleId: string,
  part: Partial<ConfigRows['rules'][number]> = {},
): ConfigRows['rules'][number] => ({
  ruleId,
  displayName: `Rule ${ruleId}`,
  receiveSlotId: 'slot',
  disabled: false,
  createdAt,
  flow: { steps: [] },
  eventParams: [{ scopeId: 'one', severityName: { literal: 'default' }, delta: 1 }],
  conditionalEventParams: [],
  ...part,
});
export const trigger = (
  triggerId: string,
  part: Partial<ConfigRows['triggers'][number]> = {},
): ConfigRows['triggers'][number] => ({
  triggerId,
  scopeId: 'one',
  displayName: `Trigger ${triggerId}`,
  remarks: '',
  disabled: false,
  createdAt,
  conditions: [],
  relatedMessageFilters: [],
  flow: { steps: [] },
  target: { kind: 'action', id: 'hook' },
  ...part,
});
export const hook = (body: string): ConfigRows['actions'][number] => ({
  actionId: 'hook',
  displayName: 'Hook',
  kind: 'webhook',
  parameters: { url: 'https://example.com/', method: 'POST', headers: {}, body },
});
export const message = (messageId: string, body: unknown, receiveSlotId = 'slot'): DecideMessage => ({
  messageId,
  receivedAt: now,
  receiveSlotId,
  receiveSlotKind: 'webhook',
  content: { body: typeof body === 'string' ? body : JSON.stringify(body) },
  metadata: {},
});
export const input = (rows: Partial<ConfigRows>, part: Partial<BatchInput> = {}): BatchInput => ({
  config: compileConfig({
    rules: [],
    scopes: [scope('one')],
    triggers: [],
    actions: [hook('')],
    space: { displayName: 'Ops' },
    ...rows,
  }),
  state: new Map(),
  history: empty,
  now,
  nextId: counter(),
  ...part,
});
