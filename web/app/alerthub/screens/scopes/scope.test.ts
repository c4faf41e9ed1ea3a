// The loader of the layout of a scope's pages, by role, and its action.
import { describe, expect, test } from 'vitest';
import { loadPage } from '../../../signin/test/load-page.ts';
import { signedInArgs, testOrigin } from '../../../signin/test/signed-in-args.ts';
import { action, loader } from './scope.tsx';

const replies = { '/api/apps/alerthub/scopes/s': { scopeId: 's', displayName: 'Shop' } };

test.each([
  { role: 'alerthub:viewer' as const, allowed: false },
  { role: 'alerthub:administrator' as const, allowed: true },
])('$role may mute a scope and acknowledge a scope from its header: $allowed', async ({ role, allowed }) => {
  const address = '/apps/alerthub/scopes/s';
  const data = await loadPage(loader, { address, params: { scopeId: 's' }, replies, roles: [role] });
  expect(data.mayMute).toBe(allowed);
  expect(Object.keys(data.acknowledgeFields ?? {})).toEqual(allowed ? ['note'] : []);
  expect(data.tabs.mutes).toBeTruthy();
});

describe('a form of the header', () => {
  const raisedAt = '2026-01-01T00:00:00.000Z';
  async function post(form: Record<string, string>, reply: () => Response = () => Response.json({})) {
    const sent: { call: string; body: unknown }[] = [];
    const fetch = async (url: string, init: RequestInit = {}) => {
      const body = typeof init.body === 'string' && init.body !== '' ? JSON.parse(init.body) : undefined;
      sent.push({ call: `${init.method} ${new URL(url).pathname}`, body });
      return reply();
    };
    const args = await signedInArgs({
      fetch,
      form,
      address: '/apps/alerthub/scopes/s',
      params: { scopeId: 's' },
      headers: { origin: testOrigin },
    });
    return { sent, result: await action(args) };
  }
  const noticeOf = (result: unknown) => (result as Response).headers.get('set-cookie')?.split(';')[0];

  test('acknowledges the status that the page shows', async () => {
    const { sent, result } = await post({ intent: 'acknowledge', note: 'on it', raisedAt });
    const call = 'POST /api/apps/alerthub/scopes/s/acknowledge';
    expect(sent).toEqual([{ call, body: { note: 'on it', raisedAt } }]);
    expect((result as Response).headers.get('location')).toBe('/apps/alerthub/scopes/s');
    expect(noticeOf(result)).toBe('notice=acknowledged');
  });

  test('keeps the note when the status got worse meanwhile', async () => {
    const conflict = () => Response.json({ title: 'Not acknowledged' }, { status: 409 });
    const { result } = await post({ intent: 'acknowledge', note: 'on it', raisedAt }, conflict);
    expect(result).toMatchObject({ data: { problem: { kind: 'conflict' }, values: { note: 'on it' } } });
  });

  test('withdraws the acknowledgement', async () => {
    const { sent, result } = await post({ intent: 'unacknowledge' });
    expect(sent.map(({ call }) => call)).toEqual(['POST /api/apps/alerthub/scopes/s/unacknowledge']);
    expect(noticeOf(result)).toBe('notice=unacknowledged');
  });

  test('deletes the scope', async () => {
    const { sent } = await post({ intent: 'delete' });
    expect(sent.map(({ call }) => call)).toEqual(['DELETE /api/apps/alerthub/scopes/s']);
  });
});
