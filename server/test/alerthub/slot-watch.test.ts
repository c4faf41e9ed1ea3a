// Detection of silent receive slots on a test clock: detected once, reported once, and reported again on
// recovery.
import { startSmtpSink } from '@yagura/fixtures/sink/smtp-sink';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InactivityMonitor } from '../../src/alerthub/slots/inactivity-monitor.ts';
import { isoTime, ManualClock } from '../../src/common/clock.ts';
import { AlertClient, api } from '../support/alert-client.ts';
import { post } from '../support/post.ts';
import { startTestServer, storeKinds, type TestServer } from '../support/test-server.ts';

const minute = 60_000;
const hour = 60 * minute;

interface Slot {
  receiveSlotId: string;
  displayName: string;
  primary: string;
  watchState: string;
  expectedBy: string | null;
  lastReceivedAt: string | null;
  watchReason: string;
}

describe.each(storeKinds)('on %s', (engine) => {
  let server: TestServer | null;
  let clock: ManualClock;
  let caller: AlertClient;
  let mail: Awaited<ReturnType<typeof startSmtpSink>>;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock(Date.parse('2026-03-04T10:20:00.000Z'));
    mail = await startSmtpSink();
    server = await startTestServer({
      engine,
      clock,
      env: { YAGURA_MAIL_FROM: 'no-reply@example.com', YAGURA_SMTP_URL: mail.url },
    });
    if (!server) return;
    caller = new AlertClient(server, clock);
    await caller.make('notification-settings/emails', { name: 'duty', email: 'duty@example.com' });
  });
  beforeEach((context) => {
    if (!server) return context.skip();
    mail.clear();
  });
  afterAll(async () => {
    await server?.stop();
    await mail?.close();
  });

  async function lay(fields: object): Promise<Slot> {
    const slot = await caller.make<Slot>('receive-slots', { displayName: `slot ${++count}`, ...fields });
    await look();
    return slot;
  }

  /** Runs the due checks and sends their mails. */
  async function look(): Promise<void> {
    await server!.services.slotWatch.runNow();
    await server!.services.slotWatch.runNow();
    await server!.services.failureNotices.runNow();
    await server!.services.failureNotices.runNow();
  }

  /** Lets time pass in which the slots are watched, without running every check. */
  async function pass(milliseconds: number): Promise<void> {
    await watchFor(milliseconds);
    clock.advance(milliseconds);
    await look();
  }
  const watchFor = (milliseconds: number) =>
    server!.services.database.query('update slot_watch_look set looked_at = $1', [
      isoTime(clock.now() + milliseconds),
    ]);

  const show = ({ receiveSlotId }: Slot) => caller.show<Slot>(`receive-slots/${receiveSlotId}`);
  const subjects = () => mail.mails.map(({ headers }) => headers.subject);

  async function arrive({ primary }: Slot): Promise<void> {
    expect((await post(primary, `{"at":${clock.now()}}`)).status).toBe(202);
    await server!.settled();
    await look();
  }

  /** Inserts hourly counts of the past as they would have been recorded. */
  async function remember({ receiveSlotId }: Slot, received: (at: Date) => number): Promise<void> {
    const { database, spaceId } = server!.services;
    const last = Math.floor(clock.now() / hour) * hour;
    const hours = Array.from({ length: 28 * 24 }, (_, index) => new Date(last - index * hour));
    const busy = hours.filter((at) => received(at) > 0);
    await database.query(
      `insert into message_count (space_id, receive_slot_id, hour, received, matched)
       select $1, $2, x.hour, x.received, 0 from unnest($3::timestamptz[], $4::int[]) as x(hour, received)`,
      [spaceId, receiveSlotId, busy.map((at) => at.toISOString()), busy.map(received)],
    );
  }

  /** The rules are the same on both engines; only PostgreSQL is shared by several servers. */
  const onlyOn = (wanted: typeof engine, name: string, work: () => Promise<void>) => {
    if (engine === wanted) test(name, work);
  };

  onlyOn(
    'embedded',
    'a heartbeat that stays away is told of once, through a restart, and so is its return',
    async () => {
      const slot = await lay({ heartbeatInterval: 600 });
      await arrive(slot);
      await pass(9 * minute);
      expect(await show(slot)).toMatchObject({
        watchState: 'expected',
        expectedBy: '2026-03-04T10:30:00.000Z',
        watchReason: 'A message is expected at least every 10 minutes.',
      });
      await pass(minute);
      expect(await show(slot)).toMatchObject({
        watchState: 'overdue',
        expectedBy: '2026-03-04T10:30:00.000Z',
        watchReason: 'A message is expected at least every 10 minutes. No message has arrived this time.',
      });
      expect(subjects()).toEqual([`[Yagura] 受信の途絶 / No messages: ${slot.displayName}`]);
      expect(mail.mails[0]!.text).toContain(
        `${slot.displayName}: no message since 2026-03-04T10:20:00.000Z.`,
      );
      await pass(hour);
      await server!.restart();
      await pass(hour);
      expect(subjects()).toHaveLength(1);
      await arrive(slot);
      expect(await show(slot)).toMatchObject({ watchState: 'expected' });
      expect(subjects().slice(1)).toEqual([`[Yagura] 受信の再開 / Messages resumed: ${slot.displayName}`]);
      await caller.callApi('DELETE', `${api}/receive-slots/${slot.receiveSlotId}`);
      await pass(hour);
      expect(subjects()).toHaveLength(2);
    },
  );

  onlyOn('embedded', 'an outage before the mail on the end of the previous one continues it', async () => {
    const { slotWatch } = server!.services;
    const slot = await lay({ heartbeatInterval: 600 });
    await arrive(slot);
    await pass(10 * minute);
    expect(subjects()).toHaveLength(1);
    expect((await post(slot.primary, '{}')).status).toBe(202);
    await server!.settled();
    await slotWatch.runNow();
    expect(await show(slot)).toMatchObject({ watchState: 'expected' });
    // No mail is sent meanwhile.
    await watchFor(10 * minute);
    clock.sleep(10 * minute);
    await slotWatch.runNow();
    expect(await show(slot)).toMatchObject({ watchState: 'overdue' });
    await pass(hour);
    await pass(hour);
    expect(subjects()).toHaveLength(1);
    await caller.callApi('DELETE', `${api}/receive-slots/${slot.receiveSlotId}`);
  });

  onlyOn(
    'embedded',
    'a slot that got a message while the clock was ahead is still told of as silent',
    async () => {
      const ahead = 40 * 24 * hour;
      const slot = await lay({ heartbeatInterval: 600 });
      clock.jump(ahead);
      await watchFor(0);
      await arrive(slot);
      clock.jump(-ahead);
      await watchFor(0);
      await look();
      await pass(10 * minute);
      expect(await show(slot)).toMatchObject({ watchState: 'overdue' });
      expect(subjects()).toHaveLength(1);
      await caller.callApi('DELETE', `${api}/receive-slots/${slot.receiveSlotId}`);
    },
  );

  onlyOn('embedded', 'a clock that is set back does not end an outage', async () => {
    const slot = await lay({ heartbeatInterval: 600 });
    await arrive(slot);
    await pass(10 * minute);
    clock.jump(-5 * minute);
    await look();
    expect(await show(slot)).toMatchObject({ watchState: 'overdue' });
    clock.jump(5 * minute);
    await pass(hour);
    expect(subjects()).toEqual([`[Yagura] 受信の途絶 / No messages: ${slot.displayName}`]);
    await caller.callApi('DELETE', `${api}/receive-slots/${slot.receiveSlotId}`);
  });

  onlyOn('embedded', 'while no server was there nothing was missed', async () => {
    const slot = await lay({ heartbeatInterval: 600 });
    await arrive(slot);
    await server!.restart();
    clock.advance(3 * hour);
    await look();
    expect(await show(slot)).toMatchObject({ watchState: 'expected' });
    await pass(10 * minute);
    expect(await show(slot)).toMatchObject({ watchState: 'overdue' });
    expect(subjects()).toHaveLength(1);
    await caller.callApi('PUT', `${api}/receive-slots/${slot.receiveSlotId}`, {
      displayName: slot.displayName,
      heartbeatInterval: 600,
      disabled: true,
    });
    await look();
    expect(await show(slot)).toMatchObject({ watchState: 'unwatched', expectedBy: null });
    await pass(hour);
    expect(subjects()).toHaveLength(1);
  });

  onlyOn('embedded', 'while the machine was suspended nothing was missed', async () => {
    const slot = await lay({ heartbeatInterval: 600 });
    await arrive(slot);
    clock.sleep(20 * minute);
    await look();
    expect(await show(slot)).toMatchObject({ watchState: 'expected' });
    await pass(10 * minute);
    expect(await show(slot)).toMatchObject({ watchState: 'overdue' });
    await caller.callApi('DELETE', `${api}/receive-slots/${slot.receiveSlotId}`);
  });

  onlyOn(
    'embedded',
    'silence against the habit of the past weeks is noticed; new and irregular slots are left alone',
    async () => {
      const [busy, fresh, odd] = [await lay({}), await lay({}), await lay({})];
      const quiet = await lay({ watchHabit: false });
      await remember(busy, () => 9);
      await remember(quiet, () => 9);
      await remember(odd, (at) => ([0, 13, 40, 47].includes(Math.floor(at.getTime() / hour) % 101) ? 1 : 0));
      for (const slot of [busy, fresh, odd, quiet]) await arrive(slot);
      await pass(hour);
      const states = async () =>
        Promise.all([busy, fresh, odd, quiet].map(async (slot) => (await show(slot)).watchState));
      expect(await states()).toEqual(['expected', 'learning', 'irregular', 'unwatched']);
      const { expectedBy, watchReason } = await show(busy);
      expect(watchReason).toBe('In the same 1 hour of the last 4 weeks, 9 to 9 messages arrived.');
      await pass(Date.parse(expectedBy!) - clock.now() - 1);
      expect(subjects()).toEqual([]);
      await pass(1);
      expect(await states()).toEqual(['overdue', 'learning', 'irregular', 'unwatched']);
      await pass(hour);
      expect(subjects()).toEqual([`[Yagura] 受信の途絶 / No messages: ${busy.displayName}`]);
      expect(await caller.list<Slot>('receive-slots?filter=watchState eq "overdue"')).toMatchObject([
        { receiveSlotId: busy.receiveSlotId },
      ]);
      await arrive(busy);
    },
  );

  onlyOn(
    'postgresql',
    'slots that fall silent together are one mail, also when several servers look',
    async () => {
      const others = [1, 2].map(
        () => new InactivityMonitor({ ...server!.services, originOf: () => server!.origin }),
      );
      const slots = [await lay({ heartbeatInterval: 60 }), await lay({ heartbeatInterval: 90 })];
      for (const other of others) await other.runNow();
      clock.advance(2 * minute);
      await Promise.all(others.map((other) => other.runNow()));
      await look();
      expect(subjects()).toHaveLength(1);
      for (const { displayName } of slots) expect(mail.mails[0]!.text).toContain(`${displayName}: `);
      await Promise.all(others.map((other) => other.close()));
    },
  );
});
