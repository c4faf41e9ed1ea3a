import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AskedRequest, list, reply, StubSpace } from '../../test/stub-space.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { abortResult, parseParameters, startCall, startTestCall } from './call.ts';
import { recordGuidance, saveRecording, saveSpeech } from './guidance-audio.ts';
import { saveHeard } from './mock-phone.ts';
import { previewCalls } from './preview.ts';
import { showResult } from './show-result.ts';

const space = new StubSpace();
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'yagura-calls-'));
  await space.start();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await space.stop();
});

const id = (number: number) => `0190a0a0-0000-7000-8000-00000000000${number}`;
const [callflowId, guidanceId, contactId, resultId] = [id(1), id(2), id(3), id(4)];
const invoke = 'POST /api/apps/pigeon/chain/invoke';
const show = `GET /api/apps/pigeon/results/${resultId}`;
const call = {
  ...{
    callId: id(5),
    loop: 1,
    phoneNumber: '+81300000000',
    status: 'succeeded',
    transfer: false,
    keyInput: '1',
  },
  ...{ behavior: 'terminate', readings: 1, reason: null, startedAt: '2026-01-01T00:00:00.000Z' },
  ...{ answeredAt: null, endedAt: null, script: [], contact: { contactId, displayName: 'Ren\nKato' } },
};
const result = (status: string, more = {}) => ({
  ...{ resultId, status, reason: null, line: 'sip', calls: [call], createdAt: '2026-01-01T00:00:00.000Z' },
  ...{ callflow: { displayName: 'Night' }, guidance: { displayName: 'Down' }, ...more },
});

let shown: TestTerminal;
beforeEach(async () => {
  shown = await testTerminal({ env: space.env });
  space.reset({
    'GET /api/apps/pigeon/callflows': list([{ callflowId, displayName: 'Night' }]),
    'GET /api/apps/pigeon/guidances': list([{ guidanceId, displayName: 'Down' }]),
    'GET /api/apps/pigeon/contacts': list([{ contactId, displayName: 'Ren' }]),
    [invoke]: { status: 'requested', resultId, params: {} },
    [show]: result('succeeded'),
  });
});
const t = (key: Parameters<TestTerminal['terminal']['t']>[0], params = {}) => shown.terminal.t(key, params);

describe('a call', () => {
  test('is started with ids and parameters, and its result is named', async () => {
    await startCall(shown.terminal, 'Night', { guidance: 'Down', param: ['host=web1', 'note=a=b'] });
    expect(space.bodies(invoke)).toEqual([
      { params: { callflowId, guidanceId, parameters: { host: 'web1', note: 'a=b' } } },
    ]);
    expect(shown.out()).toBe(`${resultId}\n`);
    expect(shown.err()).toContain(t('cli.call.begun', { id: resultId }));
    expect(space.calls).not.toContain(show);
  });

  test('as data has the result', async () => {
    await startCall(shown.terminal, 'Night', { guidance: 'Down', json: 'resultId,status' });
    expect(JSON.parse(shown.out())).toEqual({ resultId, status: 'succeeded' });
  });

  test('that is waited for tells each change once, and ends when the chain has', async () => {
    await startCall(shown.terminal, 'Night', { guidance: 'Down', wait: true, json: 'status' });
    const said = shown.err();
    expect(said).toContain(t('value.succeeded'));
    expect(said).toContain('  1: Ren Kato  +81300000000');
    expect(said).not.toContain(t('value.simulator'));
    expect(JSON.parse(shown.out())).toEqual({ status: 'succeeded' });
  });

  test('on the simulator says so', async () => {
    space.replies[show] = result('succeeded', { line: 'simulator' });
    await startCall(shown.terminal, 'Night', { guidance: 'Down', wait: true });
    expect(shown.err()).toContain(`(${t('value.simulator')})`);
  });

  test('that nobody took fails with its reason, after the result', async () => {
    space.replies[show] = result('failed', { reason: 'loopsExhausted' });
    await expect(
      startCall(shown.terminal, 'Night', { guidance: 'Down', wait: true, json: 'status' }),
    ).rejects.toMatchObject({
      messageKey: 'cli.call.unsuccessful',
      params: { reason: t('value.loopsExhausted') },
    });
    expect(JSON.parse(shown.out())).toEqual({ status: 'failed' });
  });

  test('whose time is over goes on without the command', async () => {
    space.replies[show] = result('processing');
    let now = 0;
    const terminal = { ...shown.terminal, now: () => (now += 1000) };
    await expect(
      startCall(terminal, 'Night', { guidance: 'Down', wait: true, timeout: '1' }),
    ).rejects.toMatchObject({ messageKey: 'cli.call.still' });
    expect(space.calls.filter((one) => one === show)).toHaveLength(1);
  });

  test('is waited for while the server is away, which is told once', async () => {
    const away = reply({ status: 503, problem: 'unavailable', headers: { 'retry-after': '60' } });
    const answers = [away, away];
    space.replies[show] = () => answers.shift() ?? result('succeeded');
    await startCall(shown.terminal, 'Night', { guidance: 'Down', wait: true, json: 'status' });
    expect(JSON.parse(shown.out())).toEqual({ status: 'succeeded' });
    expect(shown.err().split(t('problem.unavailable'))).toHaveLength(2);
  });

  test('tells every time the server is away', async () => {
    const away = reply({ status: 503, problem: 'unavailable', headers: { 'retry-after': '60' } });
    const answers = [away, result('processing'), away];
    space.replies[show] = () => answers.shift() ?? result('succeeded');
    await startCall(shown.terminal, 'Night', { guidance: 'Down', wait: true });
    expect(shown.err().split(t('problem.unavailable'))).toHaveLength(3);
  });

  test.each([
    [
      'the server refuses',
      { status: 'rejected', errorDescriptor: { title: 'No plan', detail: 'none' } },
      'chain-rejected',
    ],
    ['has no result', { status: 'requested', params: {} }, 'internal'],
  ])('that %s is an error', async (_what, answer, kind) => {
    space.replies[invoke] = answer;
    await expect(startCall(shown.terminal, 'Night', { guidance: 'Down' })).rejects.toMatchObject({ kind });
  });

  test.each([['=x'], ['x']])('is not started with the parameter %j', async (pair) => {
    await expect(
      startCall(shown.terminal, 'Night', { guidance: 'Down', param: [pair] }),
    ).rejects.toMatchObject({
      messageKey: 'cli.usage.pair',
    });
    expect(space.calls).toEqual([]);
    expect(() => parseParameters([pair])).toThrow();
    expect(parseParameters(['a='])).toEqual({ a: '' });
  });

  test.each([
    [undefined, 1],
    ['2', 2],
  ])('for a test rings phone %s of one contact and is waited for', async (phone, expected) => {
    await startTestCall(shown.terminal, { test: 'Ren', ...(phone ? { phone } : {}) });
    expect(space.bodies(invoke)).toMatchObject([
      {
        params: {
          callflow: { loopLimit: 1, contacts: [{ contactId, phone: expected }] },
          guidance: { reactions: { 1: { behavior: 'terminate' } } },
        },
      },
    ]);
    expect(space.calls).toContain(show);
  });

  test.each([
    ['requested', 'cli.call.aborting'],
    ['rejected', 'cli.call.over'],
  ] as const)('whose abort is %s tells so', async (status, key) => {
    space.replies['POST /api/apps/pigeon/chain/abort'] = { resultId, status };
    await abortResult(shown.terminal, resultId);
    expect(space.bodies('POST /api/apps/pigeon/chain/abort')).toEqual([{ resultId }]);
    expect(shown.err()).toBe(`${t(key)}\n`);
  });
});

describe('a preview', () => {
  const preview = 'POST /api/apps/pigeon/chain/preview';
  const previewed = {
    ...call,
    ...{ startsAt: 0, ringsAt: 2, answeredAt: 5, endsAt: 65, position: 1 },
  };
  beforeEach(() => {
    space.replies[preview] = {
      ...{ calls: [previewed, { ...previewed, contact: { contactId: null, displayName: '' }, loop: 2 }] },
      ...{ rejection: null, status: 'succeeded', reason: null, endsAt: 65, isCut: false },
    };
  });

  test('asks with what is assumed, and has a line for each call', async () => {
    await previewCalls(shown.terminal, 'Night', {
      ...{ guidance: 'Down', param: ['host=web1'], assume: 'missed', phone: ['1=answered', '12=busy'] },
    });
    expect(space.bodies(preview)).toEqual([
      {
        params: { callflowId, guidanceId, parameters: { host: 'web1' } },
        assume: 'missed',
        phones: [
          { position: 1, assume: 'answered' },
          { position: 12, assume: 'busy' },
        ],
      },
    ]);
    const rows = shown
      .out()
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      ['0:00', '1:05', 'Ren\\nKato', '+81300000000', '1'],
      ['0:00', '1:05', t('pigeon.unnamed'), '+81300000000', '2'],
    ]);
  });

  test('without assumptions sends none, and tells why a chain would be rejected', async () => {
    space.replies[preview] = {
      ...(space.replies[preview] as object),
      ...{ calls: [], rejection: 'quiet\nhours' },
    };
    await previewCalls(shown.terminal, 'Night', { guidance: 'Down' });
    expect(space.bodies(preview)).toEqual([
      { params: { callflowId, guidanceId, parameters: {} }, phones: [] },
    ]);
    expect(shown.out()).toBe('');
    expect(shown.err()).toContain('quiet hours\n');
  });

  test('is a table on a terminal, and whole as data', async () => {
    shown = await testTerminal({ env: space.env, live: true });
    await previewCalls(shown.terminal, 'Night', { guidance: 'Down' });
    const table = shown.out();
    expect(table).toContain(t('pigeon.ring-preview.outcome').toUpperCase());
    expect(table).toContain('Ren Kato');
    await previewCalls(shown.terminal, 'Night', { guidance: 'Down', json: 'status,isCut' });
    expect(JSON.parse(shown.out())).toEqual({ status: 'succeeded', isCut: false });
  });

  test.each(['0=busy', '01=busy', '1=', '=busy', '12345=busy'])('refuses the phone %j', async (phone) => {
    await expect(
      previewCalls(shown.terminal, 'Night', { guidance: 'Down', phone: [phone] }),
    ).rejects.toMatchObject({ messageKey: 'cli.usage.pair', params: { flag: '--phone' } });
  });
});

describe('a result', () => {
  const indented = (text: string) => `\n  ${text}`;

  test('on a terminal has its calls below it, as scripts', async () => {
    shown = await testTerminal({ env: space.env, live: true });
    await showResult(shown.terminal, resultId, {});
    const sheet = shown.out();
    expect(sheet).toContain(`\n\n${t('pigeon.timeline')}\n  1: Ren Kato`);
    expect(sheet.split('Ren Kato')).toHaveLength(2);
    space.replies[show] = result('waiting', { calls: [] });
    await showResult(shown.terminal, resultId, {});
    expect(shown.out()).toContain(indented(t('pigeon.no-calls')));
  });

  test('in a pipe or as data has them in their field', async () => {
    await showResult(shown.terminal, resultId, {});
    const text = shown.out();
    expect(text).not.toContain(t('pigeon.timeline'));
    expect(text).toContain('calls\t');
    await showResult(shown.terminal, resultId, { output: 'json' });
    expect(JSON.parse(shown.out()).calls).toEqual([call]);
    await showResult(shown.terminal, resultId, { output: 'table' });
    expect(shown.out()).toContain(t('pigeon.timeline'));
  });
});

describe('what a guidance sounds like', () => {
  const wav = reply({ body: 'RIFF', headers: { 'content-type': 'audio/wav' } });

  test('is saved: the speech with its parameters, and the recording', async () => {
    space.replies['POST /api/apps/pigeon/guidances/speech'] = wav;
    await saveSpeech(shown.terminal, 'Down', { to: join(folder, 's.wav'), param: ['host=web1'] });
    expect(space.bodies('POST /api/apps/pigeon/guidances/speech')).toEqual([
      { guidanceId, parameters: { host: 'web1' } },
    ]);
    expect(readFileSync(join(folder, 's.wav'), 'utf8')).toBe('RIFF');
    space.replies[`GET /api/apps/pigeon/guidances/${guidanceId}/recording`] = wav;
    await saveRecording(shown.terminal, 'Down', { to: join(folder, 'r.wav') });
    expect(readFileSync(join(folder, 'r.wav'), 'utf8')).toBe('RIFF');
    space.replies['POST /api/apps/pigeon/mock-phone/heard'] = wav;
    await saveHeard(shown.terminal, id(6), { to: join(folder, 'h.wav') });
    expect(space.bodies('POST /api/apps/pigeon/mock-phone/heard')).toEqual([{ mockCallId: id(6) }]);
    expect(readFileSync(join(folder, 'h.wav'), 'utf8')).toBe('RIFF');
  });

  test('is recorded from a file, whose name is sent', async () => {
    const source = join(folder, 'up.wav');
    writeFileSync(source, 'RIFFup');
    const path = `POST /api/apps/pigeon/guidances/${guidanceId}/recording`;
    space.replies[path] = { fileName: 'up.wav', seconds: 3 };
    await recordGuidance(shown.terminal, 'Down', source);
    const sent = space.asked.find((one: AskedRequest) => one.call === path)!.body;
    expect(sent).toContain('filename="up.wav"');
    expect(sent).toContain('RIFFup');
    expect(shown.err()).toBe(`${t('cli.guidance.recorded', { file: 'up.wav', seconds: 3 })}\n`);
    space.reset();
    await expect(recordGuidance(shown.terminal, 'Down', join(folder, 'gone.wav'))).rejects.toMatchObject({
      messageKey: 'cli.usage.file',
    });
    expect(space.calls).toEqual([]);
  });
});
