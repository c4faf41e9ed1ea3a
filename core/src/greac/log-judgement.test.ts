import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { judgeLog, type LogJudgement } from './log-judgement.ts';
import type { LogVerdict, SessionLogParts } from './session.ts';
import { partDigestsBytes } from './stream/gateway-protocol.ts';

const signed = { signature: 'signature', signingKey: 'key' };
const endedAt = '2026-01-01T00:10:00.000Z';
const digestOf = (text: string | Uint8Array) => createHash('sha256').update(text).digest('base64url');

function part(number: number, verdict: LogVerdict = 'complete'): SessionLogParts['items'][number] {
  const digest = digestOf(`part ${number}`);
  const seal = { chunks: 1, bytes: 10, digest, startedAt: endedAt, endedAt, ...signed };
  const isSealed = verdict !== 'open' && verdict !== 'cut';
  return {
    ...{ kind: 'text', part: number, keyId: null, chunks: 1, bytes: 10, verdict, createdAt: endedAt },
    seal: isSealed ? seal : null,
  };
}

function log(count: number): SessionLogParts {
  const items = Array.from({ length: count }, (_, index) => part(index + 1));
  const digest = digestOf(partDigestsBytes(items.map(({ seal }) => seal!.digest)));
  const end = { kind: 'text', parts: count, bytes: 10 * count, digest, reason: 'ended', endedAt } as const;
  return { items, ends: [{ ...end, ...signed, isSigned: true }], isOpen: false };
}

/** The log of three parts after a change, as `verdict fault parts`. */
async function judged(change: (log: SessionLogParts) => void): Promise<string> {
  const changed = log(3);
  change(changed);
  const { verdict, fault, parts }: LogJudgement = await judgeLog('text', changed);
  return `${verdict} ${fault} ${parts}`;
}

test.each<[string, string, (log: SessionLogParts) => void]>([
  ['complete null 1,2,3', 'as it was recorded', () => undefined],
  ['complete null 1,2,3', 'listed in another order', ({ items }) => items.reverse()],
  ['cut parts 1', 'without the first part', ({ items }) => items.shift()],
  ['cut parts 2', 'without a part in between', ({ items }) => items.splice(1, 1)],
  ['cut parts 3', 'without the last part', ({ items }) => items.pop()],
  ['cut parts 1,2,3', 'without any part', ({ items }) => items.splice(0)],
  ['cut parts 2', 'with a part that is cut', ({ items }) => items.splice(1, 1, part(2, 'cut'))],
  ['cut end ', 'without its end', ({ ends }) => ends.pop()],
  ['altered parts 2', 'with an altered part', ({ items }) => items.splice(1, 1, part(2, 'altered'))],
  ['altered parts 4', 'with a part after the last', ({ items }) => items.push(part(4))],
  [
    'altered end ',
    'with parts that were exchanged',
    ({ items: [first, second] }) => {
      [first!.seal, second!.seal] = [second!.seal, first!.seal];
    },
  ],
  [
    'altered end ',
    'with the end of another log',
    (one) => Object.assign(one.ends[0]!, { ...log(4).ends[0], parts: 3 }),
  ],
  [
    'unverified parts 3',
    'with a seal that nobody signed',
    ({ items }) => items.splice(2, 1, part(3, 'unverified')),
  ],
  [
    'unverified end ',
    'with an end that nobody signed',
    ({ ends }) => Object.assign(ends[0]!, { isSigned: false }),
  ],
  [
    'unverified end ',
    'with an end of another key',
    ({ ends }) => Object.assign(ends[0]!, { signingKey: 'other' }),
  ],
])('%s: a log %s', async (expected, _what, change) => {
  expect(await judged(change)).toBe(expected);
});

test('a log of an open session is not finished, but what it lacks is', async () => {
  const open = (items: SessionLogParts['items']) =>
    judgeLog('text', { items, ends: log(1).ends.slice(1), isOpen: true });
  expect(await open([part(1), part(2, 'open')])).toEqual({ verdict: 'open', fault: null, parts: [1, 2] });
  expect(await open([part(1)])).toMatchObject({ verdict: 'open' });
  expect(await open([part(2)])).toEqual({ verdict: 'cut', fault: 'parts', parts: [1] });
});

test('the logs of a session are judged separately', async () => {
  const text = log(1);
  const video = text.items.map((item) => ({ ...item, kind: 'video' as const }));
  const both = { ...text, items: [...text.items, ...video] };
  expect(await judgeLog('text', both)).toMatchObject({ verdict: 'complete' });
  expect(await judgeLog('video', both)).toMatchObject({ verdict: 'cut', fault: 'end' });
});
