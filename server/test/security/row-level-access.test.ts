// For resources with row-level permissions, users see exactly their rows: in lists, totals, filters, sorts,
// by id, references and live changes.
import type { Page } from '@yagura/core/http/page';
import type { ProblemBody } from '@yagura/core/http/problem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isoTime } from '../../src/common/clock.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { type ChangeListener, listenToChanges } from '../support/change-listener.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
type Person = Awaited<ReturnType<TestServer['signedIn']>>;

const greac = '/api/apps/greac';

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  let count = 0;

  beforeAll(async () => {
    server = await startTestServer({ engine, env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' } });
    if (server) admin = createApiCall(server.transportAs('privileged'));
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  const make = async (path: string, body: Item, by = admin) => {
    const reply = await by('POST', path, body);
    expect([200, 201], reply.text).toContain(reply.status);
    return reply.data as Record<string, string>;
  };
  const list = async (by: ApiCall, path: string, query: Record<string, string> = {}) => {
    const reply = await by('GET', `${path}?${new URLSearchParams({ limit: '1000', ...query })}`);
    expect(reply.status, `${path} ${JSON.stringify(query)} ${reply.text}`).toBe(200);
    return reply.data as Page<Item>;
  };

  /**
   * Queries a list, as a user who sees `seen` but not `unseen`, in every way that could reveal a difference.
   */
  async function seesExactly(
    by: ApiCall,
    path: string,
    id: string,
    seen: Item[],
    unseen: Item[],
  ): Promise<void> {
    const ids = (items: Item[]) => items.map((item) => item[id]).sort();
    const mine = (items: Item[]) =>
      ids(items).filter((one) => ids([...seen, ...unseen]).includes(one as never));
    const whole = await list(by, path);
    expect(mine(whole.items)).toEqual(ids(seen));
    expect(whole.total).toBe(whole.items.length);
    expect((await list(by, path, { limit: '1' })).total).toBe(whole.total);
    expect((await list(by, path, { offset: String(whole.total) })).items).toEqual([]);
    for (const sort of ['createdAt', '-createdAt'])
      expect(ids((await list(by, path, { sort })).items)).toEqual(ids(whole.items));
    for (const one of unseen) {
      for (const filter of [
        `${id} eq "${one[id]}"`,
        `not (${id} ne "${one[id]}")`,
        ...(one.displayName ? [`displayName eq ${JSON.stringify(one.displayName)}`] : []),
      ])
        expect(await list(by, path, { filter }), filter).toMatchObject({ items: [], total: 0 });
      // A filter condition about an invisible row does not affect the total.
      const all = await list(by, path, { filter: `${id} pr or ${id} eq "${one[id]}"` });
      expect(all.total).toBe(whole.total);
      const unknown = await by('GET', `${path}/0190a0a0-0000-7000-8000-000000000000`);
      const hidden = await by('GET', `${path}/${one[id]}`);
      expect(hidden.status).toBe(404);
      // Hidden and missing items have identical responses.
      const withoutPath = ({ instance: _instance, ...rest }: ProblemBody) => rest;
      expect(withoutPath(hidden.data as ProblemBody)).toEqual(withoutPath(unknown.data as ProblemBody));
    }
    for (const one of seen) {
      expect((await by('GET', `${path}/${one[id]}`)).status).toBe(200);
      expect(await list(by, path, { filter: `${id} eq "${one[id]}"` })).toMatchObject({ total: 1 });
    }
  }

  describe('destinations and sessions', () => {
    let member: Person;
    let stranger: Person;
    let ofMember: ApiCall;
    let ofStranger: ApiCall;

    beforeAll(async () => {
      if (!server) return;
      member = await server.signedIn(['greac:user']);
      stranger = await server.signedIn(['greac:user', 'pigeon:operator']);
      [ofMember, ofStranger] = [createApiCall(member), createApiCall(stranger)];
    });

    const destination = (userIds: string[], more: Item = {}) => {
      const body = { displayName: `place ${++count}`, host: `host-${count}`, members: { userIds }, ...more };
      return make(`${greac}/destinations`, body);
    };
    const session = (by: ApiCall, destinationId: string) => make(`${greac}/sessions`, { destinationId }, by);

    test('are seen by their members alone', async () => {
      const mine = [await destination([member.userId]), await destination([member.userId, stranger.userId])];
      const theirs = [await destination([]), await destination([stranger.userId])];
      await seesExactly(ofMember, `${greac}/destinations`, 'destinationId', mine, theirs);
      await seesExactly(
        ofStranger,
        `${greac}/destinations`,
        'destinationId',
        [mine[1]!, theirs[1]!],
        [mine[0]!, theirs[0]!],
      );
      await seesExactly(admin, `${greac}/destinations`, 'destinationId', [...mine, ...theirs], []);
      const own = await session(ofMember, mine[0]!.destinationId!);
      const foreign = await session(admin, theirs[0]!.destinationId!);
      await seesExactly(ofMember, `${greac}/sessions`, 'sessionId', [own], [foreign]);
      await seesExactly(ofStranger, `${greac}/sessions`, 'sessionId', [], [own, foreign]);
      await seesExactly(admin, `${greac}/sessions`, 'sessionId', [own, foreign], []);
    });

    test('of others are neither opened, changed nor closed, and their fields cannot be guessed', async () => {
      const secret = await destination([], { host: 'secret-host.internal', port: 2222 });
      const foreign = await session(admin, secret.destinationId!);
      for (const filter of ['host sw "secret"', 'port eq 2222', 'host co "internal" and port gt 2000'])
        expect(await list(ofMember, `${greac}/destinations`, { filter })).toMatchObject({
          items: [],
          total: 0,
        });
      const about = `destinationName eq ${JSON.stringify(secret.displayName)}`;
      expect(await list(ofMember, `${greac}/sessions`, { filter: about })).toMatchObject({ total: 0 });
      const item = `${greac}/sessions/${foreign.sessionId}`;
      const before = (await admin('GET', item)).data;
      expect(
        (await ofMember('PUT', item, { destinationId: secret.destinationId, remarks: 'x' })).status,
      ).toBe(404);
      for (const call of ['join', 'leave', 'close'])
        expect((await ofMember('POST', `${item}/${call}`)).status).toBe(404);
      const opened = await ofMember('POST', `${greac}/sessions`, { destinationId: secret.destinationId });
      const unknown = await ofMember('POST', `${greac}/sessions`, {
        destinationId: '0190a0a0-0000-7000-8000-000000000000',
      });
      expect(opened.status).toBe(400);
      expect(opened.data).toEqual(unknown.data);
      expect((await admin('GET', item)).data).toEqual(before);
      const files = `/api/internal/apps/greac/storage/${foreign.sessionId}/files?path=/`;
      const nothing = '/api/internal/apps/greac/storage/0190a0a0-0000-7000-8000-000000000000/files?path=/';
      expect(((await ofMember('GET', files)).data as ProblemBody).detail).toBe(
        ((await ofMember('GET', nothing)).data as ProblemBody).detail,
      );
    });

    test('are told of as they change to those who see them and to nobody else', async () => {
      const people = [member, stranger, await server!.signedIn('privileged')];
      const listeners = await Promise.all(people.map((person) => listenToChanges(server!, person)));
      const [byMember, byStranger, byAdmin] = listeners as [ChangeListener, ChangeListener, ChangeListener];
      const shared = await destination([member.userId]);
      const hidden = await destination([]);
      const edit = (of: Item, userIds: string[]) =>
        admin('PUT', `${greac}/destinations/${of.destinationId}`, {
          displayName: of.displayName,
          host: 'moved',
          members: { userIds },
        });
      await edit(hidden, []);
      const own = await session(ofMember, shared.destinationId!);
      const foreign = await session(admin, hidden.destinationId!);
      await admin('POST', `${greac}/sessions/${foreign.sessionId}/close`);
      await admin('DELETE', `${greac}/destinations/${hidden.destinationId}`);
      // Announced to both users last, so that all earlier changes have been delivered by then.
      const last = await destination([member.userId, stranger.userId]);
      await Promise.all(listeners.map((one) => one.until(({ id }) => id === last.destinationId)));
      const told = (by: ChangeListener) => [...new Set(by.changes.map(({ id }) => id))].sort();
      expect(told(byMember)).toEqual([shared.destinationId, own.sessionId, last.destinationId].sort());
      expect(told(byStranger)).toEqual([last.destinationId]);
      expect(told(byAdmin)).toEqual(
        [shared, hidden, last]
          .map((one) => one.destinationId)
          .concat(own.sessionId, foreign.sessionId)
          .sort(),
      );
      await edit(last, [stranger.userId]);
      const after = await destination([member.userId, stranger.userId]);
      await Promise.all(listeners.map((one) => one.until(({ id }) => id === after.destinationId)));
      const edits = (by: ChangeListener) =>
        by.changes.filter(({ id, op }) => id === last.destinationId && op === 'update');
      expect([edits(byMember), edits(byStranger), edits(byAdmin)].map((found) => found.length)).toEqual([
        0, 1, 1,
      ]);
      for (const one of listeners) await one.close();
    });
  });

  test('accepted host keys of a destination are told of to those who see the destination', async () => {
    const { database, spaceId, nextId } = server!.services;
    const [member, stranger] = [
      await server!.signedIn(['greac:user']),
      await server!.signedIn(['greac:user', 'pigeon:operator']),
    ];
    const [byMember, byStranger] = await Promise.all(
      [member, stranger].map((person) => listenToChanges(server!, person)),
    );
    const place = (userIds: string[]) =>
      make(`${greac}/destinations`, { displayName: `keys ${++count}`, host: 'h', members: { userIds } });
    const removeKey = async ({ destinationId }: Record<string, string>) => {
      const hostKeyId = nextId();
      const body = { fingerprint: 'SHA256:a', host: 'h', port: 22 };
      await database.query(
        `insert into resource (space_id, kind, id, parent_id, body, created_at, updated_at)
         values ($1, 'host-key', $2, $3, $4, now(), now())`,
        [spaceId, hostKeyId, destinationId, JSON.stringify(body)],
      );
      const removed = await admin('DELETE', `${greac}/destinations/${destinationId}/host-keys/${hostKeyId}`);
      expect(removed.status, removed.text).toBe(200);
      return hostKeyId;
    };
    const shared = await removeKey(await place([member.userId]));
    const hidden = await removeKey(await place([]));
    // Announced to both last, so that all earlier changes have been delivered by then.
    const last = await place([member.userId, stranger.userId]);
    const both = [byMember!, byStranger!];
    await Promise.all(both.map((one) => one.until(({ id }) => id === last.destinationId)));
    await byMember!.until(({ id }) => id === shared);
    const told = (by: ChangeListener) => by.changes.filter(({ id }) => [shared, hidden].includes(id));
    expect(told(byMember!)).toEqual([expect.objectContaining({ resource: 'host-key', id: shared })]);
    expect(told(byStranger!)).toEqual([]);
    for (const one of both) await one.close();
  });

  test('what uses a thing is named to those who may list it, and to others only said to be there', async () => {
    const keeper = createApiCall(server!.transportAs(['space:administrator']));
    const group = await make('/api/space/user-groups', {
      displayName: `group ${engine}`,
      remarks: '',
      roles: [],
    });
    const displayName = `unseen ${engine}`;
    await make(`${greac}/destinations`, {
      displayName,
      host: 'h',
      members: { userGroupIds: [group.userGroupId] },
    });
    const path = `/api/space/user-groups/${group.userGroupId}`;
    const refused = await keeper('DELETE', path);
    expect(refused.status).toBe(409);
    expect(refused.text).not.toContain(displayName);
    expect((refused.data as ProblemBody).detail).toBe('used by one destination that you cannot see');
    const named = await admin('DELETE', path);
    expect((named.data as ProblemBody).detail).toBe(`used by destination "${displayName}"`);
  });

  test('what uses a thing is named to those of its resource who see this item of it', async () => {
    const keeper = await server!.signedIn(['space:administrator', 'greac:user']);
    const group = await make('/api/space/user-groups', {
      displayName: `mixed group ${engine}`,
      remarks: '',
      roles: [],
    });
    const place = async (displayName: string, userIds: string[]) =>
      make(`${greac}/destinations`, {
        displayName,
        host: 'h',
        members: { userIds, userGroupIds: [group.userGroupId] },
      });
    const [seen, hidden] = [`a member's ${engine}`, `b hidden ${engine}`];
    await place(seen, [keeper.userId]);
    await place(hidden, []);
    const refused = await createApiCall(keeper)('DELETE', `/api/space/user-groups/${group.userGroupId}`);
    expect((refused.data as ProblemBody).detail).toBe(
      `used by destination "${seen}", one destination that you cannot see`,
    );
  });

  test('tasks and their schedules are seen in the namespaces that one may read', async () => {
    const { database, spaceId, nextId, clock } = server!.services;
    const now = isoTime(clock.now());
    const own = await make('/api/tasks', { namespace: 'sonar', method: 'example', params: {} });
    const taskId = nextId();
    await database.query(
      `insert into task (task_id, space_id, namespace, method, params, status, created_at, updated_at)
       values ($1, $2, 'greac', 'secret', '{}', 'succeeded', $3, $3)`,
      [taskId, spaceId, now],
    );
    const hidden = { taskId, namespace: 'greac' };
    const viewer = createApiCall(server!.transportAs(['sonar:viewer']));
    const keeper = createApiCall(server!.transportAs(['sonar:administrator']));
    for (const by of [viewer, keeper]) {
      await seesExactly(by, '/api/tasks', 'taskId', [own], [hidden]);
      for (const filter of ['namespace eq "greac"', 'method eq "secret"', 'not (namespace eq "sonar")'])
        expect(await list(by, '/api/tasks', { filter })).toMatchObject({ items: [], total: 0 });
    }
    await seesExactly(admin, '/api/tasks', 'taskId', [own, hidden], []);
    expect((await keeper('POST', `/api/tasks/${taskId}/abort`)).status).toBe(404);
    for (const namespace of ['greac', 'self', 'work', 'unknown'])
      expect((await keeper('POST', '/api/tasks', { namespace, method: 'x', params: {} })).status).toBe(403);
    const recurrence = { frequency: 'day', hour: 3, minute: 0, timeZone: 'UTC' };
    const body = { method: 'example', params: {}, recurrence };
    const schedules = '/api/tasks/schedules';
    const seen = await make(schedules, { displayName: 'seen', namespace: 'sonar', ...body });
    const unseen = await make(schedules, { displayName: 'unseen', namespace: 'greac', ...body });
    const ofSelf = { displayName: 'self', namespace: 'self', ...body };
    expect((await keeper('POST', schedules, ofSelf)).status).toBe(403);
    await seesExactly(keeper, schedules, 'taskScheduleId', [seen], [unseen]);
    const item = `${schedules}/${unseen.taskScheduleId}`;
    const before = (await admin('GET', item)).data;
    expect((await keeper('PUT', item, { displayName: 'taken', namespace: 'sonar', ...body })).status).toBe(
      404,
    );
    expect((await keeper('DELETE', item)).status).toBe(404);
    // Nor can users move their own items out of sight.
    const moved = { displayName: 'seen', namespace: 'greac', ...body };
    expect((await keeper('PUT', `${schedules}/${seen.taskScheduleId}`, moved)).status).toBe(403);
    expect((await admin('GET', item)).data).toEqual(before);
    const listener = await listenToChanges(server!, await server!.signedIn(['sonar:administrator']));
    await admin('PUT', item, { displayName: 'unseen still', namespace: 'greac', ...body });
    await admin('PUT', `${schedules}/${seen.taskScheduleId}`, {
      displayName: 'seen still',
      namespace: 'sonar',
      ...body,
    });
    await listener.until(({ id }) => id === seen.taskScheduleId);
    expect(listener.changes.map(({ id }) => id)).not.toContain(unseen.taskScheduleId);
    await listener.close();
  });

  test('phone numbers stand nowhere for an operator, and cannot be filtered, sorted or searched by', async () => {
    const operator = createApiCall(server!.transportAs(['pigeon:operator']));
    const contacts = '/api/apps/pigeon/contacts';
    const phoneNumber = '0312345678';
    const { contactId } = await make(contacts, {
      displayName: `on call ${engine}`,
      remarks: 'night',
      phones: [{ phoneNumber }],
    });
    for (const path of [contacts, `${contacts}/${contactId}`]) {
      const reply = await operator('GET', path);
      expect(reply.text).toContain('********');
      expect(reply.text).not.toContain(phoneNumber);
    }
    for (const query of [
      'filter=phones co "0312"',
      'filter=phones.0.phoneNumber sw "0312"',
      'filter=phoneNumber pr',
      'sort=phones',
      'sort=phoneNumber',
      'search=0312345678',
    ]) {
      const reply = await operator('GET', `${contacts}?${query}`);
      expect(reply, query).toMatchObject({ status: 400 });
      expect(reply.text, query).not.toContain(phoneNumber);
    }
    const results = '/api/apps/pigeon/results';
    for (const query of ['filter=calls co "0312"', 'filter=phoneNumber pr', 'sort=calls'])
      expect((await operator('GET', `${results}?${query}`)).status, query).toBe(400);
  });

  test('one’s own passkeys, sign-ins and profile are one’s own in lists and in live changes', async () => {
    const one = await server!.signedIn(['sonar:viewer', 'greac:auditor']);
    const other = await server!.signedIn(['alerthub:viewer', 'greac:auditor']);
    const idsOf = async (person: Person) =>
      (await list(createApiCall(person), '/api/internal/profile/sessions')).items.map(
        (item) => item.signInSessionId,
      );
    const own = await idsOf(one);
    expect(own).toHaveLength(1);
    expect((await idsOf(other)).filter((id) => own.includes(id))).toEqual([]);
    const listener = await listenToChanges(server!, other);
    await createApiCall(one)('PUT', '/api/internal/profile', { displayName: 'Renamed unseen' });
    await createApiCall(other)('PUT', '/api/internal/profile', { displayName: 'Renamed seen' });
    await listener.until(({ resource }) => resource === 'profile');
    expect(listener.changes.filter(({ id }) => id === one.userId)).toEqual([]);
    expect(listener.changes).toContainEqual(
      expect.objectContaining({ resource: 'profile', id: other.userId }),
    );
    await listener.close();
  });
});
