// Creates a receive slot, a scope and an action through the API, and reads the results of a message.
import type { DecisionLog } from '@yagura/core/alerthub/decision-log';
import { expect } from 'vitest';
import type { ManualClock } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from './api-request.ts';
import type { ActionRecordItem, EventItem, ScopeItem } from './item-types.ts';
import { post } from './post.ts';
import type { TestServer } from './test-server.ts';

type Body = Record<string, unknown>;
export const api = '/api/apps/alerthub';

/** Makes API calls as a privileged user. */
export class AlertClient {
  readonly callApi: ApiCall;
  private count = 0;
  readonly server: TestServer;
  readonly clock: ManualClock;

  constructor(server: TestServer, clock: ManualClock) {
    this.server = server;
    this.clock = clock;
    this.callApi = createApiCall(server.transportAs('privileged'));
  }

  async make<T = Body>(path: string, body: Body): Promise<T> {
    const reply = await this.callApi('POST', `${api}/${path}`, body);
    expect(reply.status, reply.text).toBe(201);
    return reply.data as T;
  }

  async list<T = Body>(path: string): Promise<T[]> {
    const reply = await this.callApi('GET', `${api}/${path}${path.includes('?') ? '&' : '?'}limit=1000`);
    expect(reply.status, reply.text).toBe(200);
    return (reply.data as { items: T[] }).items;
  }

  async show<T = Body>(path: string): Promise<T> {
    const reply = await this.callApi('GET', `${api}/${path}`);
    expect(reply.status, reply.text).toBe(200);
    return reply.data as T;
  }

  /** Advances the clock and waits until everything due has finished. */
  async advance(milliseconds: number): Promise<void> {
    this.clock.advance(milliseconds);
    await this.server.settled();
  }

  /** Advances the clock again and again until the value is the expected one. */
  advanceUntil(look: () => Promise<unknown>, expected: unknown, step = 1000): Promise<void> {
    const advanceAndLook = async () => {
      await this.advance(step);
      return look();
    };
    return expect.poll(advanceAndLook, { timeout: 30_000 }).toEqual(expected);
  }

  /** A slot whose messages each change the severity of one scope by their `delta`, and a webhook action. */
  async createAlertPath(scopeFields: Body = {}) {
    const label = `line ${++this.count}`;
    const slot = await this.make<{ receiveSlotId: string; primary: string }>('receive-slots', {
      displayName: label,
    });
    const scope = await this.make<ScopeItem>('scopes', {
      displayName: label,
      thresholds: { warning: 2, incident: 4 },
      ...scopeFields,
    });
    const action = await this.make<{ actionId: string }>('actions', {
      displayName: label,
      kind: 'webhook',
      parameters: {
        url: 'http://127.0.0.1:9/',
        body: '{"at":{{event.severity}},"note":"{{message.content.data.note}}","level":"{{level}}"}',
      },
    });
    const ruleIds: string[] = [];
    for (const delta of [1, -1]) {
      const rule = await this.make<{ ruleId: string }>('rules', {
        displayName: `${label} ${delta}`,
        receiveSlotId: slot.receiveSlotId,
        flow: {
          steps: [
            {
              operatorId: 'number-compare',
              params: { source: 'message.content.data.delta', comparison: 'eq', value: delta },
            },
            {
              operatorId: 'concatenate',
              params: { template: 'level {{message.content.data.delta}}', destination: 'level' },
            },
          ],
        },
        eventParams: [{ scopeId: scope.scopeId, delta }],
      });
      ruleIds.push(rule.ruleId);
    }
    const { scopeId } = scope;
    return {
      /** Ids of the rules, in order. */
      ruleIds,
      label,
      scopeId,
      actionId: action.actionId,
      receiveSlotId: slot.receiveSlotId,
      scope: () => this.show<ScopeItem>(`scopes/${scopeId}`),
      events: () => this.list<EventItem>(`scopes/${scopeId}/events?sort=eventId`),
      records: () =>
        this.list<ActionRecordItem & { request: { body: string } }>(
          `action-records?filter=actionId eq "${action.actionId}"&sort=createdAt`,
        ),
      why: (messageId: string) => this.show<DecisionLog>(`message/detail/${messageId}/why`),
      trigger: (conditions: Body[] = [], more: Body = {}) =>
        this.make<{ triggerId: string }>(`scopes/${scopeId}/triggers`, {
          displayName: label,
          conditions,
          target: { kind: 'action', id: action.actionId },
          ...more,
        }),
      send: async (delta: number, fields: Body = {}) => {
        const reply = await post(slot.primary, JSON.stringify({ delta, ...fields }));
        expect(reply.status).toBe(202);
        await this.server.settled();
        return ((await reply.json()) as { messageId: string }).messageId;
      },
    };
  }
}
