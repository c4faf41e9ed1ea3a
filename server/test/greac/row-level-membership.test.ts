// Visibility of destinations and sessions compared with a simple model, over random users, groups and
// changes.
import type { RoleName } from '@yagura/core/access/role-map';
import type { Page } from '@yagura/core/http/page';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { featureStores, startTestServer, type TestServer } from '../support/test-server.ts';

type Item = Record<string, unknown>;
type Listed = { userIds: string[]; userGroupIds: string[] };

/** Four users with the same session permissions; the second role only makes them distinct. */
const casts: RoleName[][] = [
  ['greac:user'],
  ['greac:user', 'sonar:viewer'],
  ['greac:user', 'pigeon:operator'],
  ['greac:user', 'alerthub:viewer'],
];

/** A small seeded random number generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe.each(featureStores)('on %s', (engine) => {
  let server: TestServer | null;
  let admin: ApiCall;
  const people: { userId: string; ask: ApiCall }[] = [];

  beforeAll(async () => {
    server = await startTestServer({ engine });
    if (!server) return;
    admin = createApiCall(server.transportAs('privileged'));
    for (const roles of casts) {
      const callApi = createApiCall(server.transportAs(roles));
      await callApi('GET', '/api/apps/greac/sessions');
      const email = `${[...roles].sort().join(' ').replace(/\W+/g, '-')}@example.com`;
      people.push({ userId: (await server.services.identity.findUser({ email }))!.userId, ask: callApi });
    }
  });
  beforeEach((context) => {
    if (!server) context.skip();
  });
  afterAll(() => server?.stop());

  test.each([1, 2])(
    'everybody sees what lists them or a group of theirs, and no more (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const oneOf = <T>(things: readonly T[]) => things[Math.floor(random() * things.length)]!;
      const some = (chance: number) => people.filter(() => random() < chance).map(({ userId }) => userId);
      /**
       * The model: group members, current members of each destination, and its members when a session was
       * opened.
       */
      const groups = new Map<string, Set<string>>();
      const listed = new Map<string, Listed>();
      const seers = new Map<string, Set<string>>();
      const membersOf = (id: string) => {
        const { userIds, userGroupIds } = listed.get(id)!;
        return new Set([...userIds, ...userGroupIds.flatMap((group) => [...groups.get(group)!])]);
      };
      const draw = (): Listed => ({
        userIds: some(0.25),
        userGroupIds: [...groups.keys()].filter(() => random() < 0.3),
      });
      const put = (displayName: string, members: Listed) => ({ displayName, host: 'web-01', members });
      for (let at = 0; at < 3; at++) {
        const made = await admin('POST', '/api/space/user-groups', { displayName: `${seed} ${at}` });
        groups.set(String((made.data as Item).userGroupId), new Set());
      }
      for (let at = 0; at < 8; at++) {
        const members = draw();
        const made = await admin('POST', '/api/apps/greac/destinations', put(`${seed} ${at}`, members));
        listed.set(String((made.data as Item).destinationId), members);
      }
      for (let at = 0; at < 40; at++) {
        const ids = [...listed.keys()];
        const destinationId = oneOf(ids);
        const who = oneOf(people);
        const chance = random();
        if (chance < 0.25) {
          const members = draw();
          const name = `${seed} ${ids.indexOf(destinationId)}`;
          await admin('PUT', `/api/apps/greac/destinations/${destinationId}`, put(name, members));
          listed.set(destinationId, members);
          continue;
        }
        if (chance < 0.5) {
          const [group, held] = oneOf([...groups]);
          const leaves = held.has(who.userId);
          const call = leaves ? 'delete-users' : 'add-users';
          await admin('POST', `/api/space/user-groups/${group}/${call}`, { userIds: [who.userId] });
          if (leaves) held.delete(who.userId);
          else held.add(who.userId);
          continue;
        }
        const reply = await who.ask('POST', '/api/apps/greac/sessions', { destinationId });
        const members = membersOf(destinationId);
        expect(reply.status).toBe(members.has(who.userId) ? 201 : 400);
        if (reply.status === 201) seers.set(String((reply.data as Item).sessionId), members);
      }
      expect(seers.size).toBeGreaterThan(2);
      for (const { userId, ask } of people) {
        const shownOf = async (name: string, id: string, known: ReadonlyMap<string, unknown>) =>
          ((await ask('GET', `/api/apps/greac/${name}?limit=1000`)).data as Page<Item>).items
            .map((item) => String(item[id]))
            .filter((one) => known.has(one))
            .sort();
        const destinations = [...listed.keys()].filter((id) => membersOf(id).has(userId)).sort();
        const sessions = [...seers.keys()].filter((id) => seers.get(id)!.has(userId)).sort();
        expect(await shownOf('destinations', 'destinationId', listed)).toEqual(destinations);
        expect(await shownOf('sessions', 'sessionId', seers)).toEqual(sessions);
        for (const [id, seen] of seers) {
          const shown = await ask('GET', `/api/apps/greac/sessions/${id}`);
          expect(shown.status).toBe(seen.has(userId) ? 200 : 404);
        }
      }
    },
  );
});
