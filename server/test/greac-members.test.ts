// Who sees which destination and session, against a slow and obvious answer, over random members and changes of them.
import type { RoleName } from '@yagura/core/access/role-map';
import type { Page } from '@yagura/core/http/page';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ask, asker } from './ask.ts';
import { startWorld, storeKinds, type World } from './world.ts';

type Item = Record<string, unknown>;

/** Four people with the same powers over sessions; the other role only tells them apart. */
const casts: RoleName[][] = [
  ['greac:user'],
  ['greac:user', 'sonar:viewer'],
  ['greac:user', 'pigeon:operator'],
  ['greac:user', 'alerthub:viewer'],
];

/** A small generator of the same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe.each(storeKinds)('on %s', (engine) => {
  let world: World | null;
  let admin: Ask;
  const people: { userId: string; ask: Ask }[] = [];

  beforeAll(async () => {
    world = await startWorld({ engine });
    if (!world) return;
    admin = asker(world.as('privileged'));
    for (const roles of casts) {
      const ask = asker(world.as(roles));
      await ask('GET', '/api/apps/greac/sessions');
      const email = `${[...roles].sort().join(' ').replace(/\W+/g, '-')}@example.com`;
      people.push({ userId: (await world.services.identity.findPerson({ email }))!.userId, ask });
    }
  });
  beforeEach((context) => {
    if (!world) context.skip();
  });
  afterAll(() => world?.stop());

  test.each([1, 2])('everybody sees what lists them and no more (seed %i)', async (seed) => {
    const random = randomOf(seed);
    const some = () => people.filter(() => random() < 0.4).map(({ userId }) => userId);
    /** The model: members now by destination, members at the opening by session. */
    const members = new Map<string, string[]>();
    const seers = new Map<string, Set<string>>();
    const put = (displayName: string, userIds: string[]) => ({
      displayName,
      host: 'web-01',
      members: { userIds },
    });
    for (let at = 0; at < 8; at++) {
      const userIds = some();
      const made = await admin('POST', '/api/apps/greac/destinations', put(`${seed} ${at}`, userIds));
      members.set(String((made.data as Item).destinationId), userIds);
    }
    for (let at = 0; at < 25; at++) {
      const ids = [...members.keys()];
      const destinationId = ids[Math.floor(random() * ids.length)]!;
      const who = people[Math.floor(random() * people.length)]!;
      if (random() < 0.3) {
        const userIds = some();
        const name = `${seed} ${ids.indexOf(destinationId)}`;
        await admin('PUT', `/api/apps/greac/destinations/${destinationId}`, put(name, userIds));
        members.set(destinationId, userIds);
        continue;
      }
      const reply = await who.ask('POST', '/api/apps/greac/sessions', { destinationId });
      const may = members.get(destinationId)!.includes(who.userId);
      expect(reply.status).toBe(may ? 201 : 400);
      if (may) seers.set(String((reply.data as Item).sessionId), new Set(members.get(destinationId)));
    }
    expect(seers.size).toBeGreaterThan(2);
    for (const { userId, ask } of people) {
      const listed = async (name: string, id: string) =>
        ((await ask('GET', `/api/apps/greac/${name}?limit=1000`)).data as Page<Item>).items
          .map((item) => String(item[id]))
          .filter((one) => members.has(one) || seers.has(one))
          .sort();
      const wanted = (
        of: Iterable<[string, { includes?(id: string): boolean; has?(id: string): boolean }]>,
      ) =>
        [...of]
          .filter(([, seen]) => seen.includes?.(userId) || seen.has?.(userId))
          .map(([id]) => id)
          .sort();
      expect(await listed('destinations', 'destinationId')).toEqual(wanted(members));
      expect(await listed('sessions', 'sessionId')).toEqual(wanted(seers));
      for (const [id, seen] of seers) {
        const shown = await ask('GET', `/api/apps/greac/sessions/${id}`);
        expect(shown.status).toBe(seen.has(userId) ? 200 : 404);
      }
    }
  });
});
