import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTwoSpaces, type TwoSpaces } from '../../../test/support/two-spaces.ts';
import type { IdentityContext } from '../identity-context.ts';
import { createInvitations, type Invitations } from '../users/invitations.ts';
import { createOneTimeTokens, type OneTimeTokens, type TokenPurpose } from './one-time-tokens.ts';

const day = 86_400_000;
let spaces: TwoSpaces;
let hana: string;
let ken: string;
let stranger: string;
beforeAll(async () => {
  spaces = await openTwoSpaces();
  hana = await spaces.addPerson(spaces.here, 'hana@example.com', { privileged: true });
  ken = await spaces.addPerson(spaces.here, 'ken@example.com');
  stranger = await spaces.addPerson(spaces.elsewhere, 'hana@example.com');
}, 60_000);
afterAll(() => spaces.close());

describe('a one-time token', () => {
  let tokens: OneTimeTokens;
  let others: OneTimeTokens;
  beforeEach(async () => {
    tokens = createOneTimeTokens(spaces.here);
    others = createOneTimeTokens(spaces.elsewhere);
    await spaces.database.query('delete from one_time_token');
  });

  const issue = (
    userId: string,
    purpose: TokenPurpose,
    more: { keepEarlier?: boolean; data?: Record<string, string> } = {},
    from = tokens,
  ) => from.issue(spaces.database, { purpose, userId, lifetime: 60_000, ...more });
  const redeem = (purpose: TokenPurpose, token: string, from = tokens) =>
    from.redeem(spaces.database, purpose, token);
  const stateOf = async (purpose: TokenPurpose, token: string, from = tokens) =>
    (await from.peek(purpose, token)).state;

  test('is good for its purpose in its space, until the moment at which it expires', async () => {
    const token = await issue(hana, 'change-email', { data: { email: 'new@example.com' } });
    const good = { userId: hana, data: { email: 'new@example.com' } };
    spaces.clock.advance(59_999);
    expect(await tokens.peek('change-email', token)).toEqual({ state: 'good', ...good });
    for (const [purpose, from] of [
      ['change-password', tokens],
      ['change-email', others],
    ] as const) {
      expect(await stateOf(purpose, token, from)).toBe('unknown');
      expect(await redeem(purpose, token, from)).toBeNull();
    }
    expect(await stateOf('change-email', `${token}x`)).toBe('unknown');
    const second = await issue(ken, 'change-email');
    expect(await redeem('change-email', token)).toEqual(good);
    expect(await stateOf('change-email', token)).toBe('used');
    expect(await redeem('change-email', token)).toBeNull();
    expect(await stateOf('change-email', second)).toBe('good');
    spaces.clock.advance(60_000);
    expect(await stateOf('change-email', second)).toBe('expired');
    expect(await redeem('change-email', second)).toBeNull();
  });

  test('is worth nothing while its user is disabled', async () => {
    const token = await issue(hana, 'passkey');
    const disable = (disabled: boolean) =>
      spaces.database.query('update person set disabled = $2 where user_id = $1', [hana, disabled]);
    await disable(true);
    expect(await stateOf('passkey', token)).toBe('unknown');
    expect(await redeem('passkey', token)).toBeNull();
    await disable(false);
    expect(await redeem('passkey', token)).toMatchObject({ userId: hana });
  });

  test('replaces the unused ones of its user and purpose, unless they are kept', async () => {
    const used = await issue(hana, 'restore-email');
    await redeem('restore-email', used);
    const first = await issue(hana, 'restore-email');
    const ofKen = await issue(ken, 'restore-email');
    const another = await issue(hana, 'change-email');
    const foreign = await issue(stranger, 'restore-email', {}, others);
    await issue(hana, 'restore-email', { keepEarlier: true });
    expect(await stateOf('restore-email', first)).toBe('good');
    await issue(hana, 'restore-email');
    expect(await stateOf('restore-email', first)).toBe('unknown');
    expect(await stateOf('restore-email', used)).toBe('used');
    expect(await stateOf('restore-email', ofKen)).toBe('good');
    expect(await stateOf('change-email', another)).toBe('good');
    expect(await stateOf('restore-email', foreign, others)).toBe('good');
  });

  test('is revoked with the others of its user for the purposes that are named, in its space', async () => {
    const [password, email, link] = [
      await issue(hana, 'change-password'),
      await issue(hana, 'change-email'),
      await issue(hana, 'link-account'),
    ];
    await others.revoke(spaces.database, hana, ['change-password', 'change-email']);
    expect(await stateOf('change-password', password)).toBe('good');
    await tokens.revoke(spaces.database, hana, ['change-password', 'change-email']);
    expect(await stateOf('change-password', password)).toBe('unknown');
    expect(await stateOf('change-email', email)).toBe('unknown');
    expect(await stateOf('link-account', link)).toBe('good');
  });

  test('is told from an unknown one for seven days after it has expired, then deleted', async () => {
    const token = await issue(hana, 'change-email');
    await issue(stranger, 'change-email', {}, others);
    const kept = () => spaces.column('select user_id from one_time_token order by user_id');
    spaces.clock.advance(60_000 + 7 * day);
    await tokens.sweep();
    expect(await stateOf('change-email', token)).toBe('expired');
    spaces.clock.advance(1);
    await tokens.sweep();
    expect(await kept()).toEqual([stranger]);
    await others.sweep();
    expect(await kept()).toEqual([]);
  });
});

describe('an invitation', () => {
  let invitations: Invitations;
  let others: Invitations;
  beforeEach(async () => {
    invitations = createInvitations(spaces.here);
    others = createInvitations(spaces.elsewhere);
    await spaces.database.query('delete from invitation');
    spaces.mails.length = 0;
  });

  const by = () => ({ userId: hana, displayName: 'Hana' });
  const invite = async (email: string, from = invitations) =>
    (await spaces.database.transaction((tx) =>
      from.invite(tx, by(), { email, roles: ['sonar:viewer'], language: 'ja' }),
    ))!;
  const resend = (id: string, from = invitations) =>
    spaces.database.transaction((tx) => from.resend(tx, by(), id));
  const tokenAt = (at: number) => /token=([\w-]+)$/.exec(String(spaces.mails[at]!.params.link))![1]!;
  const accept = (token: string, from = invitations) =>
    from.accept(token, { displayName: 'New', password: 'Purple-lantern-42-boat' });
  const stateOf = async (token: string) => (await invitations.findByToken(token)).state;
  const accepted = (email: string) =>
    spaces.column('select accepted_at is not null from invitation where email = $1', [email]);

  test('is good in its space for seven days, also for the address of a user of another space', async () => {
    await spaces.addPerson(spaces.elsewhere, 'both@example.com');
    const invitationId = await invite('both@example.com');
    expect(spaces.mails).toEqual([
      {
        kind: 'invitation',
        to: 'both@example.com',
        language: 'ja',
        params: {
          ...{ space: 'here', inviter: 'Hana', days: 7 },
          link: `https://here.example/activate-invitation?token=${tokenAt(0)}`,
        },
      },
    ]);
    expect((await others.findByToken(tokenAt(0))).state).toBe('unknown');
    expect(await accept(tokenAt(0), others)).toEqual({ state: 'unknown' });
    spaces.clock.advance(7 * day - 1);
    expect(await invitations.findByToken(tokenAt(0))).toEqual({
      state: 'good',
      invitationId,
      email: 'both@example.com',
      roles: ['sonar:viewer'],
    });
    spaces.clock.advance(1);
    expect(await stateOf(tokenAt(0))).toBe('expired');
    expect(await accept(tokenAt(0))).toEqual({ state: 'expired' });
    expect(await accepted('both@example.com')).toEqual([false]);
  });

  test('that is accepted makes its user and leaves the other invitations open', async () => {
    await invite('one@example.com');
    await invite('two@example.com');
    const foreign = createInvitations(spaces.elsewhere);
    await invite('one@example.com', foreign);
    expect(await accept(tokenAt(0))).toMatchObject({ email: 'one@example.com' });
    expect(await accept(tokenAt(0))).toEqual({ state: 'used' });
    expect(await accepted('one@example.com')).toEqual(expect.arrayContaining([true, false]));
    expect(await accepted('two@example.com')).toEqual([false]);
    expect(
      await spaces.column('select roles from person where space_id = $1 and email = $2', [
        spaces.here.spaceId,
        'one@example.com',
      ]),
    ).toEqual([['sonar:viewer']]);
  });

  test('is sent again with a new link and a new lifetime while it is open, in its space', async () => {
    const id = await invite('again@example.com');
    const other = await invite('other@example.com');
    spaces.clock.advance(3 * day);
    expect(await resend(id, others)).toBe(false);
    expect(spaces.mails).toHaveLength(2);
    expect(await resend(id)).toBe(true);
    expect(spaces.mails[2]).toMatchObject({ to: 'again@example.com', language: 'ja' });
    expect(await stateOf(tokenAt(0))).toBe('unknown');
    spaces.clock.advance(7 * day - 1);
    expect(await stateOf(tokenAt(2))).toBe('good');
    // The other one has kept its own link and time.
    expect(await stateOf(tokenAt(1))).toBe('expired');
    await spaces.database.query('update invitation set accepted_at = created_at where invitation_id = $1', [
      other,
    ]);
    expect(await resend(other)).toBe(false);
  });

  test('says when its address has become a user, or the price plan has no room', async () => {
    const limitedTo = (maxUsers: number, context: IdentityContext = spaces.here) =>
      createInvitations({ ...context, maxUsers });
    await invite('late@example.com');
    const [people] = await spaces.column('select count(*)::int from person where space_id = $1', [
      spaces.here.spaceId,
    ]);
    expect(await accept(tokenAt(0), limitedTo(Number(people)))).toEqual({ state: 'full' });
    await spaces.addPerson(spaces.here, 'LATE@example.com');
    expect(await accept(tokenAt(0), limitedTo(Number(people)))).toEqual({ state: 'taken' });
    expect(await accepted('late@example.com')).toEqual([false]);
    await invite('room@example.com');
    // One user more has come meanwhile, and this one is the last that fits; those of other spaces do not count.
    expect(await accept(tokenAt(1), limitedTo(Number(people) + 2))).toMatchObject({
      email: 'room@example.com',
    });
  });

  test('is kept for thirty days after it was accepted or has expired', async () => {
    await invite('used@example.com');
    await invite('open@example.com');
    await invite('foreign@example.com', others);
    await accept(tokenAt(0));
    const kept = () => spaces.column('select email from invitation order by email');
    spaces.clock.advance(30 * day);
    await invitations.sweep();
    expect(await kept()).toEqual(['foreign@example.com', 'open@example.com', 'used@example.com']);
    spaces.clock.advance(1);
    await invitations.sweep();
    expect(await kept()).toEqual(['foreign@example.com', 'open@example.com']);
    spaces.clock.advance(7 * day);
    await invitations.sweep();
    expect(await kept()).toEqual(['foreign@example.com']);
  });
});
