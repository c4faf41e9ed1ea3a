// Greac and Kroker, as the tests of every resource need them.
import { send } from '@yagura/core/http/transport';
import type { PathParams } from '@yagura/core/resource/client';
import { setUpKroker } from '@yagura/fixtures/lab/kroker-machine';
import type { Body, Example } from './example.ts';

const configured = ['destination', 'kroker', 'credential', 'kroker-notification'];
const read = [...configured, 'session', 'log-key', 'kroker-log'];

export const greac: Example = {
  inputs: {
    destination: (label, pathParams) => ({
      displayName: label,
      remarks: `about ${label}`,
      protocol: 'ssh',
      host: 'web-01.example.com',
      port: 2222,
      krokerId: pathParams.krokerId ?? null,
      credentialId: pathParams.credentialId ?? null,
      members: { userIds: [], userGroupIds: [] },
      parameters: { colorScheme: 'green-black', fontSize: 14, serverAliveInterval: 60 },
      fileTransfer: { enabled: true, rootDirectory: '/srv', host: null, port: 22, credentialId: null },
    }),
    session: (label, pathParams) => ({ destinationId: pathParams.destinationId, remarks: label }),
    kroker: (label) => ({ displayName: label, remarks: '' }),
    credential: (label) => ({ displayName: label, remarks: '', credentialType: 'password' }),
    'sealed-credential': (label) => ({ displayName: label, credentialType: 'password' }),
    'kroker-notification': (label, pathParams) => ({
      displayName: label,
      krokerIds: [pathParams.krokerId],
      events: ['disconnected'],
      kind: 'email',
      parameters: { to: ['oncall@example.com'] },
    }),
  },
  /** A Kroker that was really set up, with a credential, a destination with a session, and three log keys. */
  async seed(server, label) {
    const transport = server.as('privileged');
    const create = async (path: string, name: string, pathParams: PathParams) =>
      (
        await send<Body>(transport, {
          method: 'POST',
          path: `/api/apps/${path}`,
          body: greac.inputs[name]!(label, pathParams),
        })
      ).data;
    const person = await server.signedIn('privileged');
    const { krokerId } = await setUpKroker(person, { displayName: label });
    const pathParams: PathParams = { krokerId };
    pathParams.credentialId = String(
      (await create(`kroker/krokers/${krokerId}/credentials`, 'credential', pathParams)).credentialId,
    );
    const setting = await create('kroker/kroker-notification-settings', 'kroker-notification', pathParams);
    pathParams.destinationId = String(
      (await create('greac/destinations', 'destination', pathParams)).destinationId,
    );
    const session = await create('greac/sessions', 'session', pathParams);
    let keyId = '';
    for (let made = 0; made < 3; made++) {
      const path = '/api/apps/greac/log-keys/refresh';
      keyId = String((await send<Body>(transport, { method: 'POST', path })).data.keyId);
    }
    for (const name of ['a', 'b']) {
      const path = `/api/apps/kroker/krokers/${krokerId}/credentials`;
      await send(transport, { method: 'POST', path, body: greac.inputs.credential!(`${label} ${name}`, {}) });
    }
    return {
      ...pathParams,
      sessionId: String(session.sessionId),
      keyId,
      krokerNotificationSettingId: String(setting.krokerNotificationSettingId),
    };
  },
  permissions: {
    'greac:user': {
      list: ['destination', 'session', 'kroker'],
      show: ['destination', 'session', 'kroker'],
      create: ['session'],
      edit: ['session'],
      calls: ['session.join', 'session.leave', 'session.close'],
    },
    'greac:auditor': { calls: ['log-key.private-key'] },
    'greac:administrator': {
      list: read,
      show: [...read, 'kroker-setup'],
      create: [...configured, 'session'],
      edit: [...configured, 'session'],
      remove: configured,
      calls: ['session', 'log-key', 'kroker-setup'],
    },
  },
  ownTest: {
    'sealed-credential.list': 'internal calls take no API token',
    'sealed-credential.create': 'internal calls take no API token',
    'kroker-setup.show': 'a set-up is there while its machine waits',
  },
  tables: [
    'kroker_state',
    'kroker_setup',
    'kroker_log',
    'greac_session',
    'greac_session_member',
    'greac_participant',
    'greac_log',
    'greac_log_key',
  ],
  async plant(database, { spaceId, ids, secret, now }) {
    await database.query(
      `insert into kroker_state (kroker_id, space_id, public_key, thumbprint, token_hash) values ($1, $2, '{}', $3, '\\x02')`,
      [ids.krokerId, spaceId, secret],
    );
    await database.query(
      `insert into kroker_setup (setup_id, space_id, user_code, device_hash, public_key, thumbprint, host_name, address_hash, created_at, expires_at)
       values ($1, $2, 'BBBB-BBBB', '\\x03', '{}', $3, $3, '\\x04', $4, $4)`,
      [ids.krokerId, spaceId, secret, now],
    );
    await database.query(
      `insert into kroker_log (kroker_log_id, space_id, kroker_id, event, subject, created_at) values ($1, $2, $3, 'set-up', $4, $5)`,
      [ids.krokerLogId, spaceId, ids.krokerId, secret, now],
    );
    await database.query(
      `insert into greac_session (session_id, space_id, destination_id, destination_name, protocol, remarks, status, opened_at, created_at, updated_at)
       values ($1, $2, $3, $4, 'ssh', $4, 'opened', $5, $5, $5)`,
      [ids.sessionId, spaceId, ids.destinationId, secret, now],
    );
    await database.query(
      'insert into greac_session_member (session_id, space_id, user_id) values ($1, $2, $3)',
      [ids.sessionId, spaceId, ids.userId],
    );
    await database.query(
      'insert into greac_participant (session_id, space_id, user_id, joined_at, seen_at) values ($1, $2, $3, $4, $4)',
      [ids.sessionId, spaceId, ids.userId, '2100-01-01T00:00:00.000Z'],
    );
    await database.query(
      `insert into greac_log (session_id, space_id, kind, key_id, body, created_at) values ($1, $2, 'text', $3, $4, $5)`,
      [ids.sessionId, spaceId, ids.keyId, Buffer.from(secret), now],
    );
    await database.query(
      `insert into greac_log_key (key_id, space_id, public_key, private_key, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)`,
      [ids.keyId, spaceId, secret, Buffer.from(secret), now],
    );
  },
};
