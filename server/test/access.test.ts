// Who may call what: every call by every role of the specification's table; and what another space holds stays unseen.
import { type RoleName, roleNames } from '@yagura/core/access/role-map';
import { all } from '@yagura/core/all';
import { type AnyResource, fillPath, type Verb } from '@yagura/core/resource/define-resource';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime } from '../src/clock.ts';
import { type Ask, asker } from './ask.ts';
import { type Ground, inputs, layGround, post } from './example.ts';
import { startWorld, storeKinds, type World } from './world.ts';

type Powers = Partial<Record<Verb | 'calls', readonly string[]>>;

const alerthub = all.filter((one) => one.app === 'alerthub').map((one) => one.name);

/**
 * The specification's table of roles (its section 6) for what there is: the viewer reads all of AlertHub, its
 * administrator does everything there, the space's administrator reads and edits the space, and nobody else has any of
 * it. Their own profile is everybody's. API tokens appear in no role: they are for privileged people.
 */
const table: Record<RoleName, Powers> = {
  'space:administrator': { show: ['space'], edit: ['space'] },
  'greac:user': {},
  'greac:auditor': {},
  'greac:administrator': {},
  'sonar:viewer': {},
  'sonar:administrator': {},
  'pigeon:operator': {},
  'pigeon:administrator': {},
  'alerthub:viewer': { list: alerthub, show: alerthub, calls: ['message', 'scope'] },
  'alerthub:administrator': {
    list: alerthub,
    show: alerthub,
    create: alerthub,
    edit: alerthub,
    remove: alerthub,
    calls: alerthub,
  },
};

interface Call {
  resource: AnyResource;
  kind: Verb | 'calls';
  method: string;
  path: string;
  body?: unknown;
}

const methods = { list: 'GET', show: 'GET', create: 'POST', remove: 'DELETE' } as const;
const nobody = '0190a0a0-0000-7000-8000-000000000000';

/** Every call of every resource, at this place; writes go to the item named there. */
function callsAt(place: Ground['place'], inside = false, label = 'matrix'): Call[] {
  return all
    .filter((one) => one.path.startsWith('/api/internal/') === inside)
    .flatMap((resource) => {
      const item = fillPath(resource.itemPath, { [resource.id]: nobody, ...place });
      const collection = fillPath(resource.path, place);
      const input = () => inputs[resource.name]?.(label, place);
      const verbs = resource.verbs.map((kind): Call => {
        const method = kind === 'edit' ? resource.update.toUpperCase() : methods[kind];
        const path = kind === 'list' || kind === 'create' ? collection : item;
        const body = kind === 'create' || kind === 'edit' ? input() : undefined;
        return { resource, kind, method, path, body };
      });
      const calls = Object.values(resource.calls).map(
        (call): Call => ({
          resource,
          kind: 'calls',
          method: call.method,
          path: (call.on === 'item' ? item : collection) + call.path,
          ...(call.body ? { body: {} } : {}),
        }),
      );
      return [...verbs, ...calls];
    });
}

describe.each(storeKinds)('on %s', (engine) => {
  let world: World | null;
  let ground: Ground;

  beforeAll(async () => {
    world = await startWorld({ engine });
    if (world) ground = await layGround(world);
  });
  beforeEach((context) => {
    if (!world) context.skip();
  });
  afterAll(() => world?.stop());

  /** The ground's things, except that what a write would take away or change is not there. */
  const harmless = (): Ground['place'] => ({
    ...ground.place,
    ...Object.fromEntries(
      ['receiveSlotId', 'ruleId', 'triggerId', 'actionId', 'name'].map((id) => [id, nobody]),
    ),
  });

  test('without a credential, or with a wrong one, every call is a 401', async () => {
    const { origin } = world!;
    for (const headers of [
      {},
      { 'x-authorization': `Token ygr_${'A'.repeat(43)}` },
      { authorization: 'Bearer x' },
    ]) {
      const ask = asker({ fetch, origin, headers: () => headers as Record<string, string> });
      for (const call of [...callsAt(ground.place), ...callsAt(ground.place, true)]) {
        const reply = await ask(call.method, call.path, call.body);
        expect(reply, `${call.method} ${call.path}`).toMatchObject({
          status: 401,
          type: 'application/problem+json',
        });
        expect(reply.headers.get('www-authenticate')).toContain('Bearer');
      }
    }
  });

  test.each([[[]], ...roleNames.map((role) => [[role]])] as RoleName[][][])(
    'a person with the roles %j may do what the specification says and no more',
    async (roles) => {
      const ask = asker(world!.as(roles));
      for (const call of callsAt(harmless())) {
        const may = roles.some((role) => table[role][call.kind]?.includes(call.resource.name));
        const reply = await ask(call.method, call.path, call.body);
        const label = `${call.kind} ${call.resource.name}: ${reply.text}`;
        if (may) expect(reply.status, label).not.toBe(403);
        else expect(reply, label).toMatchObject({ status: 403, type: 'application/problem+json' });
        expect(reply.status, label).not.toBe(401);
        expect(reply.status, label).toBeLessThan(500);
      }
    },
  );

  test('a refusal names the permission and the role that gives it', async () => {
    const reply = await asker(world!.as(['alerthub:viewer']))('POST', '/api/apps/alerthub/scopes', {});
    expect(reply.data).toMatchObject({
      detail: 'needs the permission alerthub:scopes:create, which the role alerthub:administrator gives',
    });
  });

  describe('another space', () => {
    const other = '0190a0a0-1111-7000-8000-000000000001';
    const token = 'o'.repeat(43);
    const ids = Object.fromEntries(
      [
        'scopeId',
        'receiveSlotId',
        'ruleId',
        'triggerId',
        'actionId',
        'messageId',
        'eventId',
        'actionRecordId',
        'apiTokenId',
        'userId',
      ].map((name, at) => [name, `0190a0a0-2222-7000-8000-0000000000${10 + at}`]),
    ) as Record<string, string>;
    const secret = 'otherwise unseen';
    let ask: Ask;
    let before: unknown;

    /** All rows of the other space, as they stand. */
    async function snapshot(): Promise<unknown> {
      const rows: unknown[] = [];
      for (const name of [
        'resource',
        'severity',
        'attribute',
        'scope_state',
        'message',
        'event',
        'action_record',
        'api_token',
        'person',
        'reference',
      ]) {
        const found = await world!.services.database.query(
          `select to_jsonb(t) as row from ${name} t where space_id = $1 order by 1`,
          [other],
        );
        rows.push([name, found.rows]);
      }
      const space = await world!.services.database.query(
        'select to_jsonb(t) as row from space t where space_id = $1',
        [other],
      );
      return [...rows, space.rows];
    }

    beforeAll(async () => {
      if (!world) return;
      ask = asker(world.as('privileged'));
      const { database, clock } = world.services;
      const now = isoTime(clock.now());
      await database.query(
        'insert into space (space_id, display_name, created_at, updated_at) values ($1, $2, $3, $3)',
        [other, secret, now],
      );
      const bodies: [string, string, string | null, object][] = [
        [
          'receive-slot',
          ids.receiveSlotId!,
          null,
          {
            displayName: secret,
            kind: 'webhook',
            disabled: false,
            remarks: '',
            primaryToken: token,
            secondaryToken: 'p'.repeat(43),
          },
        ],
        [
          'scope',
          ids.scopeId!,
          null,
          { displayName: secret, remarks: '', thresholds: { warning: 1, incident: 2 }, recoveryTime: null },
        ],
        [
          'action',
          ids.actionId!,
          null,
          {
            displayName: secret,
            remarks: '',
            kind: 'webhook',
            parameters: { url: 'http://127.0.0.1:9/', method: 'POST', headers: {}, body: '' },
          },
        ],
        [
          'rule',
          ids.ruleId!,
          null,
          {
            displayName: secret,
            remarks: '',
            receiveSlotId: ids.receiveSlotId,
            disabled: false,
            flow: { steps: [] },
            eventParams: [],
            conditionalEventParams: [],
          },
        ],
        [
          'trigger',
          ids.triggerId!,
          ids.scopeId!,
          {
            displayName: secret,
            remarks: '',
            disabled: false,
            conditions: [],
            flow: { steps: [] },
            target: { kind: 'action', id: ids.actionId },
          },
        ],
      ];
      for (const [kind, id, parent, body] of bodies) {
        await database.query(
          `insert into resource (space_id, kind, id, parent_id, unique_key, body, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $7)`,
          [other, kind, id, parent, JSON.stringify([secret]), JSON.stringify(body), now],
        );
      }
      await database.query(
        `insert into severity (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, 'default', 1, $3, $3)`,
        [other, ids.scopeId, now],
      );
      await database.query(
        `insert into attribute (space_id, scope_id, name, value, created_at, updated_at) values ($1, $2, 'default', $4, $3, $3)`,
        [other, ids.scopeId, now, secret],
      );
      await database.query(
        `insert into scope_state (scope_id, space_id, status, severity) values ($1, $2, 'warning', 1)`,
        [ids.scopeId, other],
      );
      await database.query(
        `insert into message (message_id, space_id, receive_slot_id, receive_slot_kind, place, received_at, request_url, headers, body, size, summary, fingerprint)
         values ($1, $2, $3, 'webhook', 'primary', $4, 'x', '{}', $5, 3, $6, '\\x00')`,
        [ids.messageId, other, ids.receiveSlotId, now, Buffer.from(secret), secret],
      );
      await database.query(
        `insert into event (event_id, space_id, scope_id, severity_name, delta, previous_severity, severity, status_before, status, source, message_id, triggers, created_at)
         values ($1, $2, $3, $6, 1, 0, 1, 'normal', 'warning', 'rule', $4, '[]', $5)`,
        [ids.eventId, other, ids.scopeId, ids.messageId, now, secret],
      );
      await database.query(
        `insert into action_record (action_record_id, space_id, action_id, kind, status, scope_id, trigger_id, event_id, message_id, delivery_id, request, missing, created_at, updated_at)
         values ($1, $2, $3, 'webhook', 'failed', $4, $5, $6, $7, $9, '{}', '[]', $8, $8)`,
        [
          ids.actionRecordId,
          other,
          ids.actionId,
          ids.scopeId,
          ids.triggerId,
          ids.eventId,
          ids.messageId,
          now,
          secret,
        ],
      );
      await database.query(
        `insert into person (user_id, space_id, email, display_name, privileged, roles, disabled, created_at, updated_at)
         values ($1, $2, 'other@example.com', $4, true, '{}', false, $3, $3)`,
        [ids.userId, other, now, secret],
      );
      await database.query(
        `insert into api_token (api_token_id, space_id, user_id, display_name, token_hash, created_at, updated_at) values ($1, $2, $3, $5, '\\x01', $4, $4)`,
        [ids.apiTokenId, other, ids.userId, now, secret],
      );
      before = await snapshot();
    });

    test('is never read or changed by any call, not even by a privileged person', async () => {
      const place = { ...ids, name: 'default' } as unknown as Ground['place'];
      for (const call of callsAt(place, false, 'foreign')) {
        const { resource, kind } = call;
        const reply = await ask(call.method, call.path, call.body);
        const label = `${kind} ${resource.name}: ${reply.text}`;
        const own =
          resource.name === 'space' ||
          (!resource.parent && (kind === 'list' || (kind === 'create' && !['rule'].includes(resource.name))));
        expect(reply.text, label).not.toContain(secret);
        if (own) expect([200, 201], label).toContain(reply.status);
        else expect([400, 404], label).toContain(reply.status);
      }
      expect(await snapshot()).toEqual(before);
    });

    test('is not found by filters and ids in the query', async () => {
      for (const resource of all.filter((one) => one.verbs.includes('list') && !one.parent && ids[one.id])) {
        const filter = `${resource.id} eq "${ids[resource.id]}"`;
        const reply = await ask('GET', `${resource.path}?${new URLSearchParams({ filter })}`);
        expect(reply.data, resource.name).toMatchObject({ items: [], total: 0 });
      }
    });

    test('receives its own messages, which nobody here sees', async () => {
      const reply = await post(`${world!.origin}/receive/webhook/${token}`, `{"title":"${secret}"}`);
      expect(reply.status).toBe(202);
      const { messageId } = (await reply.json()) as { messageId: string };
      await world!.settled();
      const { rows } = await world!.services.database.query<{ space_id: string }>(
        'select space_id from message where message_id = $1',
        [messageId],
      );
      expect(rows).toEqual([{ space_id: other }]);
      expect((await ask('GET', `/api/apps/alerthub/message/detail/${messageId}`)).status).toBe(404);
      expect((await ask('GET', '/api/apps/alerthub/message/list?limit=1000')).text).not.toContain(secret);
    });
  });
});
