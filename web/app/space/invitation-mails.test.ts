import { expect, it } from 'vitest';
import type { Api } from '../signin/api.server.ts';
import { invitationMails } from './invitation-mails.server.ts';

/** `user` tells the callers apart, whose permissions are cached. */
function apiOf(user: string, privileged: boolean, asked: string[] = []): Api {
  const mail = (mailId: string, recipient: string, status: string, attempts = 1) => ({
    ...{ mailId, recipient, status, attempts },
  });
  const list = async ({ filter }: { filter: string }) => {
    asked.push(filter);
    const items = [
      mail('m5', 'a@example.com', 'failed'),
      mail('m4', 'a@example.com', 'sent'),
      mail('m3', 'b@example.com', 'waiting', 0),
      mail('m2', 'c@example.com', 'waiting', 2),
      mail('m1', 'd@example.com', 'stored', 0),
    ];
    return { items };
  };
  return {
    transport: {
      fetch: async () => Response.json({}),
      origin: 'https://console.test',
      headers: () => ({ authorization: user }),
    },
    client: () => ({ show: async () => ({ privileged, roles: ['space:administrator'] }), list }),
  } as unknown as Api;
}

it('tells the state of the newest mail to each address', async () => {
  const asked: string[] = [];
  const mails = await invitationMails(apiOf('privileged', true, asked), ['a@example.com', 'b@example.com']);
  expect(asked).toEqual([
    'kind eq "invitation" and (recipient eq "a@example.com" or recipient eq "b@example.com")',
  ]);
  expect(mails).toEqual({
    'a@example.com': { mailId: 'm5', state: 'failed' },
    'b@example.com': { mailId: 'm3', state: 'queued' },
    'c@example.com': { mailId: 'm2', state: 'retrying' },
    'd@example.com': { mailId: 'm1', state: 'stored' },
  });
});

it('asks for nothing that the user may not read', async () => {
  expect(await invitationMails(apiOf('administrator', false), ['a@example.com'])).toEqual({});
});
