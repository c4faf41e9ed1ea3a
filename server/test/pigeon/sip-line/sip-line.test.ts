// Chains over real programs: the whole server, kamailio as the trunk, baresip as phones, espeak-ng as the voice.
import { randomUUID } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallEvent } from '@yagura/core/pigeon/call-event';
import { callApi as callServer } from '@yagura/fixtures/testbed/api';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { startServer } from '@yagura/fixtures/testbed/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallReport } from '../../../src/pigeon/call-report.ts';
import { type ApiCall, createApiCall } from '../../support/api-request.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { energy, toneStrength, writeTone } from './audio-files.ts';
import { infoScenario } from './info-scenario.ts';
import {
  hasPrograms,
  Phone,
  startKamailio,
  startSipp,
  type Trunk,
  trunkAccount,
  until,
} from './real-peers.ts';

interface Call {
  phoneNumber: string;
  status: string;
  reason: string | null;
  keyInput: string | null;
  readings: number;
  script: CallEvent[];
}

interface Result {
  status: string;
  reason: string | null;
  line: string;
  calls: Call[];
}

const [callee, other, destination, away] = ['0900000001', '0900000002', '0900000009', '0700000001'];
/** Takes requests and answers none. */
const silent = '0900000005';
/** Called over a trunk that demands encryption. */
const encrypted = '0600000001';
/** Over a trunk that transfers by REFER. */
const [referred, referredTo] = ['0500000001', '0500000009'];
/** What the callee and the destination say: tones that are easy to find in a recording. */
const [calleeHertz, destinationHertz] = [700, 1300];
/** Milliseconds for a test that starts two servers, which is slow while other tests keep the processors busy. */
const twoServerStartsTimeoutMs = 120_000;
/** Long enough that no reading ends during a test. */
const message = 'Server web one is down. '.repeat(12).trim();

describe.runIf(hasPrograms())('the sip line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-sip-line-'));
  let trunk: Trunk;
  let phone: Phone;
  let second: Phone;
  let server: TestServer;
  let callApi: ApiCall;
  let sippPort: number;
  let silentPhone: Socket;
  /** Calls that reached the silent phone. */
  const silentCalls = new Set<string>();
  const trunksFile = join(folder, 'trunks.json');

  beforeAll(async () => {
    const trunkPort = await freePort();
    [phone, second] = await Promise.all([
      Phone.start({ trunkPort, sound: writeTone(folder, calleeHertz!, 60) }),
      Phone.start({ trunkPort, sound: writeTone(folder, destinationHertz!, 60) }),
    ]);
    silentPhone = createSocket('udp4').bind(0, '127.0.0.1');
    silentPhone.on('message', (bytes) => {
      const [, callId] = /^Call-ID: *(\S+)/im.exec(bytes.toString('latin1')) ?? [];
      if (bytes.toString('latin1').startsWith('INVITE ') && callId) silentCalls.add(callId);
    });
    await once(silentPhone, 'listening');
    trunk = await startKamailio(trunkPort, {
      [callee!]: phone.port,
      [other!]: phone.port,
      [away!]: phone.port,
      [destination!]: second.port,
      [silent]: silentPhone.address().port,
      [encrypted]: phone.port,
      [referred!]: phone.port,
      [referredTo!]: second.port,
    });
    sippPort = await freePort();
    const account = { ...trunkAccount, domain: 'trunk.test', callerId: '0501234567' };
    const trunks = [
      {
        name: 'dead',
        transport: 'tcp',
        host: '127.0.0.1',
        port: await freePort(),
        registers: false,
        ...account,
        numbers: { allowed: ['^07'] },
      },
      {
        name: 'main',
        host: '127.0.0.1',
        port: trunk.port,
        ...account,
        numbers: { rewrite: [{ match: '^0066(.*)', replace: '$1' }], denied: ['^0990', '^0[568]'] },
      },
      {
        name: 'secret',
        host: '127.0.0.1',
        port: trunk.port,
        ...account,
        srtp: 'required',
        numbers: { allowed: ['^06'] },
      },
      {
        name: 'referring',
        host: '127.0.0.1',
        port: trunk.port,
        ...account,
        refer: true,
        numbers: { allowed: ['^05'] },
      },
      {
        name: 'load',
        host: '127.0.0.1',
        port: sippPort,
        callerId: 'yagura',
        numbers: { allowed: ['^08'] },
        limits: { callsPerSecond: 100, callsAtOnce: 50 },
      },
    ];
    writeFileSync(trunksFile, JSON.stringify({ local: { address: '127.0.0.1', port: 0 }, trunks }));
    chmodSync(trunksFile, 0o600);
    server = (await startTestServer({
      engine: 'embedded',
      env: { YAGURA_PIGEON_LINE: 'sip', YAGURA_PIGEON_SIP_TRUNKS: trunksFile },
    }))!;
    callApi = createApiCall(server.transportAs('privileged'));
  });

  afterAll(async () => {
    await server?.stop();
    silentPhone?.close();
    await Promise.all([trunk?.stop(), phone?.stop(), second?.stop()]);
    rmSync(folder, { recursive: true });
  });

  /** Starts a chain that calls these numbers once; key 1 ends it, key 2 transfers to the given number. */
  async function startChain(numbers: string[], transferTo?: string): Promise<string> {
    const contact = async (phoneNumber: string) => {
      const reply = await callApi('POST', '/api/apps/pigeon/contacts', {
        displayName: `contact ${Math.random()}`.slice(0, 30),
        phones: [{ phoneNumber }],
      });
      expect(reply.status, reply.text).toBe(201);
      return { contactId: (reply.data as { contactId: string }).contactId };
    };
    const params = {
      callflow: {
        contacts: numbers.map((phoneNumber) => ({ phones: [{ phoneNumber }] })),
        ...(transferTo ? { transferTo: await contact(transferTo) } : {}),
      },
      guidance: {
        messageTemplate: message,
        reactions: {
          1: { behavior: 'terminate', messageTemplate: 'Thanks.' },
          ...(transferTo ? { 2: { behavior: 'transfer' } } : {}),
        },
      },
    };
    const reply = await callApi('POST', '/api/apps/pigeon/chain/invoke', { params });
    expect(reply.data).toMatchObject({ status: 'requested' });
    return (reply.data as { resultId: string }).resultId;
  }

  const show = async (resultId: string) =>
    (await callApi('GET', `/api/apps/pigeon/results/${resultId}`)).data as Result;

  async function ended(resultId: string): Promise<Result> {
    await until(
      async () => ['succeeded', 'aborted', 'failed'].includes((await show(resultId)).status),
      'the end of the chain',
      20_000,
    );
    return show(resultId);
  }

  const hasEvent = (resultId: string, kind: string, call = 0) =>
    until(
      async () => (await show(resultId)).calls[call]?.script.some((event) => event.kind === kind) ?? false,
      `${kind} in the script`,
      15_000,
    );

  const linesOf = ({ script }: Call) =>
    script.map(({ kind, text, key, source }) => [kind, text, key, source].filter(Boolean).join(' '));

  const established = () => phone.events.filter(({ type }) => type === 'CALL_ESTABLISHED').length;

  test('calls the next contact after a wrong number, stops reading for a key, says it back and tells so', async () => {
    const before = established();
    const resultId = await startChain(['0900000404', callee!]);
    await phone.until('CALL_ESTABLISHED', before + 1);
    await hasEvent(resultId, 'reading', 1);
    phone.press('7');
    await until(
      async () =>
        (await show(resultId)).calls[1]!.script.filter(({ kind }) => kind === 'reading').length === 3,
      'the message again after the key',
    );
    phone.press('1');
    const result = await ended(resultId);
    expect(result).toMatchObject({ status: 'succeeded', reason: 'terminated', line: 'sip' });
    expect(result.calls).toMatchObject([
      { phoneNumber: '0900000404', status: 'failed', reason: 'wrongNumber' },
      { phoneNumber: callee, status: 'succeeded', reason: null, keyInput: '1', readings: 1 },
    ]);
    expect(result.calls[0]!.script.at(-1)).toMatchObject({
      kind: 'ended',
      detail: expect.stringContaining('404'),
    });
    expect(linesOf(result.calls[1]!)).toEqual([
      'dialed',
      'ringing',
      'answered',
      `reading ${message}`,
      'key 7 rtpEvent',
      `readingStopped ${message}`,
      'reading You pressed 7.',
      `reading ${message}`,
      'key 1 rtpEvent',
      `readingStopped ${message}`,
      'reading You pressed 1.',
      'reading Thanks.',
      'ended',
    ]);
    expect(energy(phone.heard().at(-1)!)).toBeGreaterThan(300);
  });

  test('joins two phones that hear each other', async () => {
    const before = established();
    const resultId = await startChain([callee!], destination);
    await phone.until('CALL_ESTABLISHED', before + 1);
    await hasEvent(resultId, 'reading');
    phone.press('2');
    await phone.until('CALL_ESTABLISHED', before + 2);
    await hasEvent(resultId, 'transferred', 1);
    const lastSecond = (of: Phone) => (of.heard().at(-1) ?? new Int16Array()).slice(-8000);
    const hears = (of: Phone, hertz: number) =>
      lastSecond(of).length === 8000 && toneStrength(lastSecond(of), hertz) > 1000;
    await until(
      () => hears(phone, destinationHertz!) && hears(second, calleeHertz!),
      'a second in which each phone hears the other',
      20_000,
    );
    second.hangUp();
    const result = await ended(resultId);
    expect(result).toMatchObject({ status: 'succeeded', reason: 'transferred' });
    expect(linesOf(result.calls[1]!)).toEqual([
      'dialed',
      'ringing',
      'answered',
      'reading Connecting your call.',
      expect.stringMatching(/^transferring contact/),
      expect.stringMatching(/^transferred contact/),
      'ended',
    ]);
    expect(toneStrength(lastSecond(phone), calleeHertz!)).toBeLessThan(300);
    expect(toneStrength(lastSecond(second), destinationHertz!)).toBeLessThan(300);
  });

  test('leaves a transfer to the phone where the trunk takes REFER', async () => {
    const before = established();
    const resultId = await startChain([referred!], referredTo);
    await phone.until('CALL_ESTABLISHED', before + 1);
    await hasEvent(resultId, 'reading');
    phone.press('2');
    const result = await ended(resultId);
    expect(result).toMatchObject({ status: 'succeeded', reason: 'transferred' });
    expect(result.calls[1]!.script.at(-2)).toMatchObject({ kind: 'transferred', detail: 'REFER' });
    await phone.until('CALL_ESTABLISHED', before + 3);
    const heard = () => second.heard().at(-1)!;
    await until(
      () => toneStrength(heard().slice(-4000), calleeHertz!) > 1000,
      'the sound of the other phone',
    );
    second.hangUp();
  });

  test('uses the next trunk when the first is away, and says which are', async () => {
    const before = established();
    const resultId = await startChain([away!]);
    await phone.until('CALL_ESTABLISHED', before + 1);
    await hasEvent(resultId, 'reading');
    phone.press('1');
    const { status, calls } = await ended(resultId);
    expect(status).toBe('succeeded');
    expect(calls[0]!.script.find(({ kind }) => kind === 'answered')).toMatchObject({ detail: 'main' });
    const { data } = await callApi('GET', '/api/apps/pigeon/line');
    expect(data).toMatchObject({
      line: 'sip',
      trunks: [
        { name: 'dead', state: 'unreachable' },
        { name: 'main', state: 'registered', detail: '200 OK' },
        { name: 'secret', state: 'registered' },
        { name: 'referring', state: 'registered' },
        { name: 'load' },
      ],
      voices: expect.arrayContaining(['en']),
    });
    expect(JSON.stringify([data, server.logLines])).not.toContain(trunkAccount.password);
  });

  test('does not call a denied number or itself', async () => {
    const result = await ended(await startChain(['0990123456', '0501234567']));
    expect(result).toMatchObject({ status: 'failed', reason: 'loopsExhausted' });
    expect(result.calls.map(({ status, reason }) => [status, reason])).toEqual([
      ['failed', 'notAllowed'],
      ['failed', 'notAllowed'],
    ]);
  });

  test('places a test call, and goes on with the next contact when the server stops in a call', async () => {
    const before = established();
    const test = await callApi('POST', '/api/apps/pigeon/line/test-call', {
      phoneNumber: callee,
      language: 'en',
    });
    const { resultId: testId } = test.data as { resultId: string };
    await phone.until('CALL_ESTABLISHED', before + 1);
    await hasEvent(testId, 'reading');
    phone.press('1');
    expect(await ended(testId)).toMatchObject({ status: 'succeeded', reason: 'terminated' });

    const closed = phone.events.filter(({ type }) => type === 'CALL_CLOSED').length;
    const resultId = await startChain([callee!, other!]);
    await phone.until('CALL_ESTABLISHED', before + 2);
    await hasEvent(resultId, 'answered');
    await server.restart();
    await phone.until('CALL_CLOSED', closed + 1);
    await phone.until('CALL_ESTABLISHED', before + 3);
    await hasEvent(resultId, 'reading', 1);
    phone.press('1');
    const result = await ended(resultId);
    expect(result.calls).toMatchObject([
      { phoneNumber: callee, status: 'failed', reason: 'interrupted' },
      { phoneNumber: other, status: 'succeeded', keyInput: '1' },
    ]);
  });

  test('goes on with the next contact after the server was killed in a call and before a phone rang', {
    timeout: twoServerStartsTimeoutMs,
  }, async () => {
    const data = mkdtempSync(join(folder, 'killed-'));
    const options = {
      data,
      env: {
        ...{ YAGURA_PIGEON_LINE: 'sip', YAGURA_PIGEON_SIP_TRUNKS: trunksFile },
        ...{ YAGURA_BOOTSTRAP_TOKEN: randomUUID(), YAGURA_ADMIN_PASSWORD: `Lab-${randomUUID()}` },
      },
    };
    const count = (of: Phone, type: string) => of.events.filter((event) => event.type === type).length;
    const before = [phone, second].map((of) => count(of, 'CALL_ESTABLISHED'));
    let killed = await startServer(options);
    try {
      const start = async (...numbers: string[]) => {
        const params = {
          callflow: { contacts: numbers.map((phoneNumber) => ({ phones: [{ phoneNumber }] })) },
          guidance: { messageTemplate: message, reactions: { 1: { behavior: 'terminate' } } },
        };
        return (await callServer(killed, 'POST', '/api/apps/pigeon/chain/invoke', { params }))
          .resultId as string;
      };
      const resultOf = async (resultId: string) =>
        (await callServer(killed, 'GET', `/api/apps/pigeon/results/${resultId}`)) as unknown as Result;
      const inCall = await start(callee!, other!);
      const beforeRinging = await start('0900000404', silent, destination!);
      await until(() => silentCalls.size === 1, 'the call to the silent phone');
      const isReading = async (resultId: string, call: number) =>
        (await resultOf(resultId)).calls[call]?.script.some(({ kind }) => kind === 'reading') ?? false;
      await until(() => isReading(inCall, 0), 'the reading');
      await killed.kill();

      killed = await startServer(options);
      await Promise.all([phone, second].map((of, at) => of.until('CALL_ESTABLISHED', before[at]! + 2 - at)));
      await until(
        async () => (await isReading(inCall, 1)) && isReading(beforeRinging, 2),
        'the reading after the restart',
      );
      phone.press('1');
      second.press('1');
      const ids = [inCall, beforeRinging];
      await until(
        async () => (await Promise.all(ids.map(resultOf))).every(({ status }) => status === 'succeeded'),
        'the end of both chains',
      );
      const [first, then] = await Promise.all(ids.map(resultOf));
      expect(first!.calls).toMatchObject([
        { phoneNumber: callee, status: 'failed', reason: 'interrupted' },
        { phoneNumber: other, status: 'succeeded', keyInput: '1' },
      ]);
      expect(linesOf(first!.calls[0]!)).toEqual([
        ...['dialed', 'ringing', 'answered'],
        ...[`reading ${message}`, 'ended'],
      ]);
      expect(then!.calls).toMatchObject([
        { phoneNumber: '0900000404', status: 'failed', reason: 'wrongNumber' },
        { phoneNumber: silent, status: 'failed', reason: 'interrupted' },
        { phoneNumber: destination, status: 'succeeded', keyInput: '1' },
      ]);
      // Every call that a phone got is in the results.
      expect([phone, second].map((of, at) => count(of, 'CALL_ESTABLISHED') - before[at]!)).toEqual([2, 1]);
      expect(silentCalls.size).toBe(1);
    } finally {
      await killed.stop();
    }
  });

  test('speaks and hears encrypted where the trunk demands it', async () => {
    const before = established();
    const heard = phone.heard().length;
    const resultId = await startChain([encrypted]);
    await phone.until('CALL_ESTABLISHED', before + 1);
    await hasEvent(resultId, 'reading');
    await until(() => (phone.heard()[heard]?.length ?? 0) > 8000, 'a second of the call');
    phone.press('1');
    const { status, calls } = await ended(resultId);
    expect([status, calls[0]!.keyInput]).toEqual(['succeeded', '1']);
    expect(linesOf(calls[0]!)).toContain('key 1 rtpEvent');
    expect(energy(phone.heard()[heard]!)).toBeGreaterThan(300);
  });

  test('takes a key by SIP INFO', async () => {
    const sipp = await startSipp(sippPort, folder, infoScenario);
    try {
      const { status, calls } = await ended(await startChain(['0800000001']));
      expect([status, calls[0]!.keyInput]).toEqual(['succeeded', '1']);
      expect(linesOf(calls[0]!)).toContain('key 1 info');
    } finally {
      await sipp.stop();
    }
  });

  test('makes 50 calls at once', async () => {
    const sipp = await startSipp(sippPort, folder);
    try {
      const line = server.services.pigeon.line!;
      const spaceId = randomUUID();
      const reports = new Map<string, CallReport[]>();
      const count = (kind: CallReport['kind']) =>
        [...reports.values()].filter((list) => list.some((report) => report.kind === kind)).length;
      for (let number = 0; number < 50; number++) {
        const callId = `load-${number}`;
        const list: CallReport[] = [];
        reports.set(callId, list);
        line.dial(
          {
            ...{ callId, resultId: callId, spaceId, language: 'en' },
            ...{ phoneNumber: `08000000${10 + number}`, message, noReplyMessage: 'Bye.' },
            ...{ reactions: {}, transferTo: null },
          },
          (report) => list.push(report),
        );
      }
      await until(
        () => count('answered') === 50,
        () => `the answer of all calls: ${[...reports.values()].map((list) => list.at(-1)?.kind)}`,
        15_000,
      );
      expect(count('ended')).toBe(0);
      for (const callId of reports.keys()) line.hangUp({ callId, resultId: callId });
      await until(() => count('ended') === 50, 'the end of all calls', 10_000);
      expect(new Set([...reports.values()].map((list) => JSON.stringify(list.at(-1)!.kind)))).toEqual(
        new Set(['"ended"']),
      );
    } finally {
      await sipp.stop();
    }
  });
});
