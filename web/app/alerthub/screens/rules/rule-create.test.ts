// The loader of the form for a new rule: for any message, and for one that was chosen.
import { expect, test } from 'vitest';
import { loadPage } from '../../../signin/test/load-page.ts';
import { loader } from './rule-create.tsx';

const message = {
  messageId: '01a1fea7-056f-700d-b199-539c2daf0001',
  receivedAt: '2028-03-01T10:00:00.000Z',
  receiveSlotId: '01a1fea7-056f-700d-b199-539c2daf0002',
  summary: 'Disk full',
};
const list = '/api/apps/alerthub/message/list';

test('a rule for a message begins with its receive slot and the paths of its values', async () => {
  const asked: string[] = [];
  const data = await loadPage(loader, {
    address: `/apps/alerthub/rules/new?messageId=${message.messageId}`,
    replies: {
      [list]: { items: [message], total: 1, limit: 30, offset: 0 },
      [`/api/apps/alerthub/message/detail/${message.messageId}`]: { content: { data: { level: 3 } } },
    },
    emptyLists: true,
    asked,
  });
  expect(data.values).toEqual({ receiveSlotId: message.receiveSlotId });
  expect(data.messages).toEqual([message]);
  expect(data.paths).toEqual(['message.content.data.level']);
  expect(asked.filter((path) => path.startsWith(list))).toEqual([
    expect.stringContaining(`messageId eq "${message.messageId}"`),
    expect.stringContaining(`receiveSlotId eq "${message.receiveSlotId}"`),
  ]);
});

test.each([
  ['/apps/alerthub/rules/new', [message], [message]],
  ['/apps/alerthub/rules/new?messageId=gone', [], []],
])('%s chooses no receive slot', async (address, items, messages) => {
  const replies = { [list]: { items, total: items.length, limit: 30, offset: 0 } };
  const data = await loadPage(loader, { address, replies, emptyLists: true });
  expect(data.values).toBeUndefined();
  expect(data).toMatchObject({ messages, paths: [] });
});
