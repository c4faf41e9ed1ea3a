// The loader of a message's page.
import { expect, test } from 'vitest';
import { loadPage } from '../../../signin/test/load-page.ts';
import { loader } from './message.tsx';

const messageId = '01a1fea7-056f-700d-b199-539c2daf0001';

const load = (content: object) =>
  loadPage(loader, {
    address: `/apps/alerthub/messages/${messageId}`,
    params: { messageId },
    replies: {
      [`/api/apps/alerthub/message/detail/${messageId}`]: {
        ...{ messageId, receiveSlotId: null, receiveSlotKind: 'webhook', content },
      },
    },
    emptyLists: true,
  });

/** Number of values that the framework encodes. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum, item) => sum + countValues(item), 1);
}

test('the data of a body is one value of the loader data, however many values it has', async () => {
  const objects = (count: number) => Array.from({ length: count }, () => ({ a: 1 }));
  const contentOf = (data: unknown) => ({ body: JSON.stringify(data), data });
  const [few, many] = [await load(contentOf(objects(1))), await load(contentOf(objects(10_000)))];
  expect(countValues(many)).toBe(countValues(few));
  expect(many.item.content).toEqual({
    body: JSON.stringify(objects(10_000)),
    dataJson: JSON.stringify(objects(10_000)),
  });
});

test.each([
  [{ body: 'text' }],
  [{ body: '{', dataError: 'incomplete' }],
  [{ body: 'the beginning', cut: ['body'] }],
])('content without data stays as it is: %j', async (content) => {
  expect((await load(content)).item.content).toEqual(content);
});

test('null is no data', async () => {
  expect((await load({ body: 'null', data: null })).item.content).toEqual({ body: 'null' });
});
