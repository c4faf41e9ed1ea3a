// Pigeon, as the tests of every resource need it.
import { all } from '@yagura/core/all';
import { send } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import type { Body, Example } from './example.ts';

const everything = all.filter((one) => one.app === 'pigeon').map((one) => one.name);
const readable = ['contact', 'callflow', 'guidance', 'result'];

export const pigeon: Example = {
  inputs: {
    contact: (label) => ({ displayName: label, remarks: '', phones: [{ phoneNumber: '0312345600' }] }),
    callflow: (label, pathParams) => ({
      displayName: label,
      loopLimit: 2,
      contacts: [{ contactId: pathParams.contactId, phone: 1 }],
    }),
    guidance: (label) => ({
      displayName: label,
      messageTemplate: 'Alert on {{host}}',
      reactions: { 1: { behavior: 'terminate', messageTemplate: 'Thank you.' } },
    }),
    'pigeon-notification-setting': (label) => ({
      displayName: label.slice(0, 30),
      kind: 'email',
      events: ['chain:failed'],
      emails: ['operator@example.com'],
    }),
  },
  /** Three results, of which the first waits for its call. */
  async seed(server, label) {
    const transport = server.as('privileged');
    const post = async (path: string, body: Body) =>
      (await send<Body>(transport, { method: 'POST', path: `/api/apps/pigeon/${path}`, body })).data;
    const pathParams: PathParams = {};
    for (const [path, name, id] of [
      ['contacts', 'contact', 'contactId'],
      ['callflows', 'callflow', 'callflowId'],
      ['guidances', 'guidance', 'guidanceId'],
      ['notification-settings', 'pigeon-notification-setting', 'notificationSettingId'],
    ] as const) {
      pathParams[id] = String((await post(path, pigeon.inputs[name]!(label, pathParams)))[id]);
    }
    const { callflowId, guidanceId } = pathParams;
    for (const host of ['a', 'b', 'c']) {
      const params = { callflowId, guidanceId, parameters: { host } };
      pathParams.resultId = String((await post('chain/invoke', { params })).resultId);
    }
    return pathParams;
  },
  permissions: {
    'pigeon:operator': { list: readable, show: readable, calls: ['chain'] },
    'pigeon:administrator': {
      list: everything,
      show: everything,
      create: everything,
      edit: everything,
      remove: everything,
      calls: everything,
    },
  },
  tables: ['pigeon_chain', 'pigeon_call'],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into pigeon_chain (result_id, space_id, status, callflow, guidance, parameters, message, line, source, loop,
         number_of_calls, plan, state, created_at, updated_at)
       values ($1, $2, 'failed', $3, $3, $3, $4, 'simulator', 'api', 1, 1, '{}', '{}', $5, $5)`,
      [ids.resultId, spaceId, JSON.stringify({ displayName: secret }), secret, now],
    );
    await database.query(
      `insert into pigeon_call (call_id, space_id, result_id, number, loop, contact, phone_number, status, transfer, readings,
         started_at) values ($1, $2, $3, 1, 1, $4, $5, 'failed', false, 0, $6)`,
      [ids.callflowId, spaceId, ids.resultId, JSON.stringify({ displayName: secret }), secret, now],
    );
  },
};
