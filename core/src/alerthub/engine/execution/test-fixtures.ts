// Builders of minimal configuration rows and messages for the evaluation tests.

import type { ReceivedMessage } from '../data/flow-data.ts';
import { type ConfigRows, compileConfig } from '../evaluation/compile-config.ts';
import type { History } from '../state/event-history.ts';
import type { BatchInput } from './batch.ts';

export const now = '2026-01-02T03:04:05.000Z';
const createdAt = '2026-01-01T00:00:00.000Z';
export const emptyHistory: History = { eventsOf: () => [], actionsOf: () => [] };

function createIdCounter(): () => string {
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
/** @internal For tests. */
export const rule = (
  ruleId: string,
  overrides: Partial<ConfigRows['rules'][number]> = {},
): ConfigRows['rules'][number] => ({
  ruleId,
  displayName: `Rule ${ruleId}`,
  receiveSlotId: 'slot',
  disabled: false,
  createdAt,
  flow: { steps: [] },
  eventParams: [{ scopeId: 'one', severityName: { literal: 'default' }, delta: 1 }],
  conditionalEventParams: [],
  ...overrides,
});
/** @internal For tests. */
export const trigger = (
  triggerId: string,
  overrides: Partial<ConfigRows['triggers'][number]> = {},
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
  ...overrides,
});
export const webhookAction = (body: string): ConfigRows['actions'][number] => ({
  actionId: 'hook',
  displayName: 'Hook',
  kind: 'webhook',
  parameters: { url: 'https://example.com/', method: 'POST', headers: {}, body },
});
/** @internal For tests. */
export const message = (messageId: string, body: unknown, receiveSlotId = 'slot'): ReceivedMessage => ({
  messageId,
  receivedAt: now,
  receiveSlotId,
  receiveSlotKind: 'webhook',
  content: { body: typeof body === 'string' ? body : JSON.stringify(body) },
  metadata: {},
});
/** @internal For tests. */
export const batchInput = (rows: Partial<ConfigRows>, overrides: Partial<BatchInput> = {}): BatchInput => ({
  config: compileConfig({
    rules: [],
    scopes: [scope('one')],
    triggers: [],
    actions: [webhookAction('')],
    space: { displayName: 'Ops' },
    ...rows,
  }),
  state: new Map(),
  history: emptyHistory,
  now,
  nextId: createIdCounter(),
  ...overrides,
});
