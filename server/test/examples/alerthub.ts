// AlertHub, as the tests of every resource need it.
import { all } from '@yagura/core/all';
import { send } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { post } from '../post.ts';
import type { Body, Example } from './example.ts';

const everything = all.filter((one) => one.app === 'alerthub').map((one) => one.name);

export const alerthub: Example = {
  inputs: {
    scope: (label) => ({
      displayName: label,
      remarks: `about ${label}`,
      thresholds: { warning: 2, incident: 5 },
    }),
    severity: (label) => ({ name: label }),
    attribute: (label) => ({ value: `value of ${label}` }),
    event: () => ({ severityName: 'default', delta: 1 }),
    'mute-schedule': (label) => ({
      displayName: label,
      beginAt: '2001-01-01T00:00:00.000Z',
      endAt: '2001-01-01T06:00:00.000Z',
      rrule: 'FREQ=YEARLY;COUNT=2',
    }),
    trigger: (label, pathParams) => ({
      displayName: label,
      conditions: [{ conditionId: 'severity-changed', params: { direction: 'up' } }],
      target: { kind: 'action', id: pathParams.actionId },
    }),
    rule: (label, pathParams) => ({
      displayName: label,
      receiveSlotId: pathParams.receiveSlotId,
      flow: {
        steps: [
          {
            operatorId: 'text-compare',
            params: { source: 'message.content.data.level', comparison: 'equals', value: 'critical' },
          },
        ],
      },
      eventParams: [{ scopeId: pathParams.scopeId, delta: 1 }],
    }),
    'receive-slot': (label) => ({ displayName: label, kind: 'webhook' }),
    'retention-settings': () => ({ messageDays: 400, historyDays: 500 }),
    'notification-setting-email': (label) => ({ name: label, email: 'duty@example.com', disabled: false }),
    'email-action-sender-setting': (label) => ({
      displayName: label.slice(0, 30),
      from: { name: 'Duty', email: 'duty@example.com' },
      provider: 'smtp',
      parameters: { host: 'mail.example.com', port: 25, security: 'plain', authentication: 'none' },
    }),
    runbook: (label) => ({
      displayName: label,
      startStepId: 'note',
      steps: [
        {
          stepId: 'note',
          kind: 'operator',
          displayName: label,
          posX: 10,
          posY: 20,
          params: { operatorId: 'concatenate', params: { template: 'noted', destination: 'note' } },
          next: 'check',
        },
        {
          stepId: 'check',
          kind: 'branch',
          params: { conditionId: 'boolean-compare', params: { source: 'note' } },
        },
      ],
    }),
    action: (label) => ({
      displayName: label,
      kind: 'webhook',
      parameters: { url: 'http://127.0.0.1:9/hook', method: 'POST', body: '{{event.severity}}' },
    }),
  },
  /** Three messages, each raising one event and one delivery. */
  async seed(server, label) {
    const transport = server.as('privileged');
    const create = async (path: string, name: string, pathParams: PathParams = {}) =>
      (
        await send<Body>(transport, {
          method: 'POST',
          path: `/api/apps/alerthub/${path}`,
          body: alerthub.inputs[name]!(label, pathParams),
        })
      ).data;
    const scope = await create('scopes', 'scope');
    const action = await create('actions', 'action');
    const address = await create('notification-settings/emails', 'notification-setting-email');
    const sender = await create('email-action-sender/settings', 'email-action-sender-setting');
    const made = async (path: string, body: Body) =>
      (await send<Body>(transport, { method: 'POST', path: `/api/apps/alerthub/${path}`, body })).data;
    const graph = alerthub.inputs.runbook!(label, {});
    const notify = {
      stepId: 'notify',
      kind: 'action',
      params: { actionId: action.actionId },
      next: graph.startStepId,
    };
    const runbook = await made('runbooks', {
      ...graph,
      startStepId: 'notify',
      steps: [notify, ...(graph.steps as Body[])],
    });
    const slot = await made('receive-slots', {
      ...alerthub.inputs['receive-slot']!(label, {}),
      runbookId: runbook.runbookId,
    });
    const pathParams: PathParams = {
      scopeId: scope.scopeId as string,
      receiveSlotId: slot.receiveSlotId as string,
      actionId: action.actionId as string,
      notificationSettingEmailId: address.notificationSettingEmailId as string,
      emailActionSenderSettingId: sender.emailActionSenderSettingId as string,
      runbookId: runbook.runbookId as string,
    };
    const rule = await create('rules', 'rule', pathParams);
    const trigger = await create(`scopes/${pathParams.scopeId}/triggers`, 'trigger', pathParams);
    const mute = await create(`scopes/${pathParams.scopeId}/mute-schedules`, 'mute-schedule', pathParams);
    const primary = slot.primary as string;
    for (const number of [1, 2, 3]) {
      await post(primary, JSON.stringify({ level: 'critical', title: `${label} ${number}` }));
    }
    await server.settled();
    const first = async (path: string) =>
      (await send<{ items: Body[] }>(transport, { method: 'GET', path: `/api/apps/alerthub/${path}` })).data
        .items[0]!;
    const event = await first(`scopes/${pathParams.scopeId}/events`);
    const record = await first('action-records?filter=triggerId pr');
    const runbookRecord = await first('runbook-records');
    return {
      ...pathParams,
      primary,
      secondary: slot.secondary as string,
      ruleId: rule.ruleId as string,
      triggerId: trigger.triggerId as string,
      messageId: event.messageId as string,
      eventId: event.eventId as string,
      muteScheduleId: mute.muteScheduleId as string,
      actionRecordId: record.actionRecordId as string,
      runbookRecordId: runbookRecord.runbookRecordId as string,
      stepId: 'notify',
      name: 'default',
    };
  },
  permissions: {
    'alerthub:viewer': {
      list: everything,
      show: everything,
      calls: [
        'message',
        'message-count',
        'scope',
        'runbook-record.flow',
        'runbook-record-step',
        'replay.state',
      ],
    },
    'alerthub:administrator': {
      list: everything,
      show: everything,
      create: everything,
      edit: everything,
      remove: everything,
      calls: everything,
    },
  },
  catalogues: [
    'rule-operator',
    'trigger-condition',
    'trigger-operator',
    'trigger-related-message-filter',
    'runbook-operator',
    'runbook-branch-condition',
  ],
  ownTest: { 'runbook-record.rerun': 'wants a record that has failed' },
  tables: [
    'message_count',
    'severity',
    'attribute',
    'scope_state',
    'message',
    'event',
    'action_record',
    'waiting_trigger',
    'runbook_record',
    'runbook_record_step',
  ],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into severity (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, 'default', 1, $3, $3)`,
      [spaceId, ids.scopeId, now],
    );
    await database.query(
      'insert into message_count (space_id, receive_slot_id, hour, received, matched) values ($1, $2, $3, 1, 1)',
      [spaceId, ids.receiveSlotId, now],
    );
    await database.query(
      `insert into attribute (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, 'default', $4, $3, $3)`,
      [spaceId, ids.scopeId, now, secret],
    );
    await database.query(
      `insert into scope_state (scope_id, space_id, status, severity) values ($1, $2, 'warning', 1)`,
      [ids.scopeId, spaceId],
    );
    await database.query(
      `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers, body, size, summary, fingerprint)
       values ($1, $2, $3, 'webhook', 'primary', $4, 'x', '{}', $5, 3, $6, '\\x00')`,
      [ids.messageId, spaceId, ids.receiveSlotId, now, Buffer.from(secret), secret],
    );
    await database.query(
      `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status, source, message_id, triggers, created_at)
       values ($1, $2, $3, $6, 1, 0, 1, 'normal', 'warning', 'rule', $4, '[]', $5)`,
      [ids.eventId, spaceId, ids.scopeId, ids.messageId, now, secret],
    );
    await database.query(
      `insert into waiting_trigger (waiting_trigger_id, space_id, scope_id, trigger_id, event_id, cause, due_at, trigger_values)
       values ($1, $2, $3, $4, $1, 'mute', '2999-01-01T00:00:00Z', '{}')`,
      [ids.eventId, spaceId, ids.scopeId, ids.triggerId],
    );
    await database.query(
      `insert into runbook_record (runbook_record_id, space_id, runbook_id, status, origin, source_message_id, depth, display_name, flow, context, requested_at, updated_at)
       values ($1, $2, $3, 'failed', 'receiveSlot', $4, 0, $5, '{"startStepId":null,"steps":[]}', '{}', $6, $6)`,
      [ids.runbookRecordId, spaceId, ids.runbookId, ids.messageId, secret, now],
    );
    await database.query(
      `insert into runbook_record_step (runbook_record_id, space_id, seq, step_id, flow_step_id, kind, display_name, status, action_record_id, started_at)
       values ($1, $2, 1, 'notify', 'notify', 'action', $3, 'failed', $4, $5)`,
      [ids.runbookRecordId, spaceId, secret, ids.actionRecordId, now],
    );
    await database.query(
      `insert into action_record (action_record_id, space_id, action_id, kind, status, scope_id, trigger_id, event_id, message_id, delivery_id, request, missing, created_at, updated_at)
       values ($1, $2, $3, 'webhook', 'failed', $4, $5, $6, $7, $9, '{}', '[]', $8, $8)`,
      [
        ids.actionRecordId,
        spaceId,
        ids.actionId,
        ids.scopeId,
        ids.triggerId,
        ids.eventId,
        ids.messageId,
        now,
        secret,
      ],
    );
  },
};
