import { describe, expect, it } from 'vitest';
import { FlowError } from '../errors/flow-error.ts';
import { parsePath } from './data-path.ts';
import { checkVariableName, FlowData, type MessageSource, messageView } from './flow-data.ts';

const source = (content: MessageSource['content']): MessageSource => ({
  receivedAt: '2026-01-02T03:04:05.000Z',
  receiveSlotId: 'slot',
  receiveSlotKind: 'webhook',
  content,
  metadata: { headers: { 'x-a.b': '1' } },
});

describe('messageView', () => {
  it.each<[string, string, unknown]>([
    ['an object', '{"a":[1,{"b":2}]}', 2],
    ['a byte order mark', '\ufeff{"a":[1,{"b":2}]}', 2],
    ['no JSON', 'a: b', undefined],
    ['a cut body', '{"a":[1,{"b":2}', undefined],
    ['an empty body', '', undefined],
  ])('reads %s', (_name, body, expected) => {
    const data = new FlowData({ message: messageView(source({ body })) });
    expect(data.read(parsePath('message.content.data.a.1.b'))).toBe(expected);
    expect(data.read(parsePath('message.content.body'))).toBe(body);
  });

  it('parses once, and only when something looks', () => {
    let reads = 0;
    const content = {
      get body(): string {
        reads += 1;
        return '{"a":1}';
      },
    };
    const view = messageView({ ...source({}), content });
    const before = reads;
    const data = new FlowData({ message: view });
    expect(data.read(parsePath('message.metadata.headers["x-a.b"]'))).toBe('1');
    expect(reads).toBe(before);
    expect(data.read(parsePath('message.content.data.a'))).toBe(1);
    expect(data.read(parsePath('message.content.data'))).toBe(data.read(parsePath('message.content.data')));
    expect(reads).toBe(before + 1);
  });

  it('takes data that is there already', () => {
    const data = new FlowData({ message: messageView(source({ body: '{"a":1}', data: { a: 2 } })) });
    expect(data.read(parsePath('message.content.data.a'))).toBe(2);
  });

  it.each(['Content-Type', 'content-type'])('reads the body as its header %s says', (name) => {
    const view = messageView({
      ...source({ body: 'a=%31' }),
      metadata: { headers: { [name]: 'application/x-www-form-urlencoded' } },
    });
    expect(new FlowData({ message: view }).read(parsePath('message.content.data.a'))).toBe('1');
  });

  it('survives a body nested a million deep', () => {
    const data = new FlowData({
      message: messageView(source({ body: '['.repeat(1_000_000) + ']'.repeat(1_000_000) })),
    });
    expect(data.read(parsePath('message.content.data.0.0.1'))).toBe(undefined);
  });
});

describe('checkName', () => {
  it.each(['a', '_a', 'level_2', 'x-y', 'constructor', 'a'.repeat(64)])('takes %s', (name) => {
    expect(checkVariableName(name)).toBe(name);
    const data = new FlowData({});
    data.write(name, 5);
    expect(data.read(parsePath(name))).toBe(5);
    expect(({} as Record<string, unknown>)[name]).not.toBe(5);
  });
  it.each([
    '',
    '1a',
    'a.b',
    'a b',
    '-a',
    'a'.repeat(65),
    '日本',
    'a\n',
    '__proto__',
    'message',
    'event',
    'scope',
    'scopeSeverities',
    'space',
    'trigger',
  ])('refuses %s', (name) => {
    expect(() => checkVariableName(name)).toThrow(FlowError);
  });
});
