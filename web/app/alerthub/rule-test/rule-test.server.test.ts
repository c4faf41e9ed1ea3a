import { Problem } from '@yagura/core/http/problem';
import { expect, it } from 'vitest';
import type { Api } from '../../signin/api.server.ts';
import { stubClients } from '../../signin/test/stub-api.ts';
import { findMessagePaths, listMessagesAround, listTestMessages } from './rule-test.server.ts';

const stored = ['m5', 'm4', 'm3', 'm2', 'm1'].map((messageId, index) => ({
  messageId,
  receivedAt: `2028-03-01T10:00:0${5 - index}.000Z`,
  receiveSlotId: index % 2 === 0 ? 'odd' : 'even',
  summary: messageId.toUpperCase(),
}));

/** Answers lists whose filter compares one field. */
function apiWith(messages: typeof stored): Api {
  const list = async ({ filter }: { filter?: string }) => {
    const [name, value] = filter ? filter.split(' eq ') : [];
    const items = messages.filter(
      (one) => !name || one[name as keyof typeof one] === (JSON.parse(value!) as string),
    );
    return { items };
  };
  return stubClients(() => ({ list }));
}

function refusingApi(problem: Problem): Api {
  const refuse = async () => {
    throw problem;
  };
  return stubClients(() => ({ list: refuse }));
}

const idsOf = (messages: { messageId: string }[]) => messages.map(({ messageId }) => messageId);

it('offers the message that a rule is made for first, and then others of its slot', async () => {
  expect(idsOf(await listMessagesAround(apiWith(stored), 'm2'))).toEqual(['m2', 'm4']);
  expect(idsOf(await listMessagesAround(apiWith(stored), 'm1'))).toEqual(['m1', 'm5', 'm3']);
  expect(await listMessagesAround(apiWith(stored), 'deleted')).toEqual([]);
});

it('offers nothing that the user may not see', async () => {
  const forbidding = refusingApi(new Problem('forbidden'));
  expect(await listTestMessages(forbidding)).toEqual([]);
  expect(await findMessagePaths(forbidding, undefined)).toEqual([]);
});

it('does not take a failure of the server for a slot without messages', async () => {
  await expect(listTestMessages(refusingApi(new Problem('unavailable')))).rejects.toThrow();
});
