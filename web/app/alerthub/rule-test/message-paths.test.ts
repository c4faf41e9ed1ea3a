import { parsePath, readPath } from '@yagura/core/alerthub/engine/data/data-path';
import { expect, it } from 'vitest';
import { messagePaths } from './message-paths.ts';

it('lists paths that read the values of the message', () => {
  const data = {
    level: 3,
    labels: { 'app.kubernetes.io/name': 'web', 'a "b"': true, 日本: '語', '': 'x' },
    alerts: [{ status: 'firing' }, { status: 'resolved' }],
    gone: null,
    empty: {},
  };
  const paths = messagePaths(data);
  const read = paths.map((path) => [path, readPath({ message: { content: { data } } }, parsePath(path))]);
  expect(Object.fromEntries(read)).toEqual({
    'message.content.data.level': 3,
    'message.content.data.labels["app.kubernetes.io/name"]': 'web',
    'message.content.data.labels["a \\"b\\""]': true,
    'message.content.data.labels.日本': '語',
    'message.content.data.labels[""]': 'x',
    'message.content.data.alerts.0.status': 'firing',
    'message.content.data.alerts.1.status': 'resolved',
  });
});

it('lists no more than can be offered', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, index]));
  expect(messagePaths(many)).toHaveLength(200);
  expect(messagePaths(Array.from({ length: 500 }, () => 'line'))).toHaveLength(3);
  expect(messagePaths({ ['k'.repeat(600)]: 1 })).toEqual([]);
  expect(messagePaths('text')).toEqual([]);
  expect(messagePaths(undefined)).toEqual([]);
});
