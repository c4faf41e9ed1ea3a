// Voices over HTTP: chains that wait for their speech, what a guidance sounds like, and recorded files.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ManualClock } from '../../src/common/clock.ts';
import { resample } from '../../src/pigeon/voice/resample.ts';
import { VoiceFailed } from '../../src/pigeon/voice/speech-renderer.ts';
import { createVoiceCache } from '../../src/pigeon/voice/voice-cache.ts';
import { readWav, writeWav } from '../../src/pigeon/voice/wav.ts';
import { type ApiCall, createApiCall } from '../support/api-request.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

type Body = Record<string, unknown>;
interface Spoken {
  text: string;
  language: string;
  sampleRate: number;
}

const api = '/api/apps/pigeon';
const token = 'token-of-the-voice';

/** A tone of 20 ms for each character, after half a second of silence. */
function toneFor(text: string): Buffer {
  const rate = 16_000;
  const samples = Int16Array.from({ length: rate / 2 + (rate / 50) * text.length }, (_, at) =>
    at < rate / 2 ? 0 : 5000 * Math.sin((2 * Math.PI * 500 * at) / rate),
  );
  return writeWav({ rate, samples });
}

async function startVoice() {
  const requests: Spoken[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const voice = {
    requests,
    headers,
    url: '',
    answer: (spoken: Spoken): { status?: number; body: Buffer } => ({ body: toneFor(spoken.text) }),
    /** Replies wait for this. */
    gate: Promise.resolve(),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const spoken = JSON.parse(Buffer.concat(chunks).toString()) as Spoken;
    requests.push(spoken);
    headers.push(request.headers);
    await voice.gate;
    const { status = 200, body } = voice.answer(spoken);
    response.writeHead(status, { 'content-type': 'audio/wav', connection: 'close' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  voice.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/speak`;
  return voice;
}

describe('voices', () => {
  let server: TestServer;
  let clock: ManualClock;
  let voice: Awaited<ReturnType<typeof startVoice>>;
  let callApi: ApiCall;
  let callflowId: string;
  let count = 0;

  beforeAll(async () => {
    clock = new ManualClock();
    voice = await startVoice();
    const env = {
      YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8',
      YAGURA_PIGEON_VOICE_URL: voice.url,
      YAGURA_PIGEON_VOICE_TOKEN: token,
    };
    server = (await startTestServer({ clock, env }))!;
    callApi = createApiCall(server.transportAs('privileged'));
    const { contactId } = await create('contacts', { phones: [{ phoneNumber: '0300000001' }] });
    callflowId = (await create('callflows', { contacts: [{ contactId }] })).callflowId!;
  });
  afterAll(async () => {
    await server?.stop();
    await voice?.stop();
  });

  async function create(kind: string, body: Body): Promise<Record<string, string>> {
    const reply = await callApi('POST', `${api}/${kind}`, { displayName: `made ${++count}`, ...body });
    expect(reply.status, reply.text).toBe(201);
    return reply.data as Record<string, string>;
  }
  const guidance = async (messageTemplate: string, reactions: Body = {}) =>
    (await create('guidances', { messageTemplate, reactions })).guidanceId!;
  const invoke = async (guidanceId: string, parameters: Body = {}) =>
    (await callApi('POST', `${api}/chain/invoke`, { params: { callflowId, guidanceId, parameters } }))
      .data as { status: string; resultId: string; errorDescriptor: { detail: string } };
  const statusOf = async (resultId: string) =>
    ((await callApi('GET', `${api}/results/${resultId}`)).data as { status: string }).status;

  /** The configured line as one that plays audio. */
  async function withAudio(work: () => Promise<void>) {
    const line = server.services.pigeon.line!;
    line.needsSpeech = true;
    try {
      await work();
    } finally {
      line.needsSpeech = false;
    }
  }

  const request = async (method: string, path: string, init: RequestInit = {}) => {
    const transport = server.transportAs('privileged');
    const headers = { ...(await transport.headers?.()), ...(init.headers as Record<string, string>) };
    return transport.fetch(transport.origin + path, { method, ...init, headers });
  };
  const speak = (body: Body) =>
    request('POST', `${api}/guidances/speech`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const audioOf = async (reply: Response) => {
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('audio/wav');
    return readWav(Buffer.from(await reply.arrayBuffer()), { maxSeconds: 600 });
  };

  test('a chain waits for its texts, which are rendered once, and then starts', async () => {
    const guidanceId = await guidance('{{host}}でCPU使用率が98%です', {
      1: { behavior: 'terminate', messageTemplate: '対応をお願いします' },
    });
    await withAudio(async () => {
      let open = () => {};
      voice.gate = new Promise((resolve) => {
        open = resolve;
      });
      const { status, resultId } = await invoke(guidanceId, { host: 'web01' });
      expect(status).toBe('requested');
      clock.advance(10_000);
      expect(await statusOf(resultId)).toBe('waiting');
      open();
      await server.settled();
      expect(await statusOf(resultId)).not.toBe('waiting');
      const texts = voice.requests.map(({ text }) => text);
      expect(texts).toContain('ウェブゼロイチでシーピーユー使用率が98パーセントです');
      expect(texts).toContain('対応をお願いします');
      expect(texts).toContain('1番が押されました。');
      expect(texts).toContain('応答がありませんでした。通話を終了します。');
      expect(new Set(texts).size).toBe(texts.length);
      expect(voice.requests[0]).toMatchObject({ language: 'ja', sampleRate: 8000 });
      expect(voice.headers[0]!.authorization).toBe(`Bearer ${token}`);
      await server.services.pigeon.abort(server.services.spaceId, resultId);
      await invoke(guidanceId, { host: 'web01' });
      await server.settled();
      expect(voice.requests).toHaveLength(texts.length);
    });
  });

  test('a voice that never answers delays a chain, but does not stop it', async () => {
    const guidanceId = await guidance('The voice is slow today');
    await withAudio(async () => {
      let open = () => {};
      voice.gate = new Promise((resolve) => {
        open = resolve;
      });
      const { resultId } = await invoke(guidanceId);
      clock.advance(119_000);
      expect(await statusOf(resultId)).toBe('waiting');
      clock.advance(2000);
      await expect.poll(() => statusOf(resultId)).not.toBe('waiting');
      open();
      await server.settled();
      await server.services.pigeon.abort(server.services.spaceId, resultId);
    });
  });

  test('a chain with nothing to say, or without a voice for its language, is rejected and says so', async () => {
    const empty = await guidance('{{missing}}');
    expect(await invoke(empty)).toMatchObject({
      status: 'rejected',
      errorDescriptor: { detail: 'The message has nothing that can be said' },
    });
    expect((await invoke(empty, { missing: '👍 !!!' })).status).toBe('rejected');
    expect((await invoke(empty, { missing: 'Это слышно' })).status).toBe('requested');
    const { speech } = server.services;
    const languages = speech.languages;
    speech.languages = () => new Set(['en' as const]);
    try {
      await withAudio(async () => {
        expect(await invoke(empty, { missing: 'Это слышно' })).toMatchObject({ status: 'rejected' });
        expect(await invoke(empty, { missing: '異常です' })).toMatchObject({
          status: 'rejected',
          errorDescriptor: {
            detail: 'There is no voice for Japanese on this server, so no calls can be made in it',
          },
        });
        const mixed = await guidance('English', { 1: { behavior: 'terminate', messageTemplate: '了解' } });
        expect((await invoke(mixed)).status).toBe('rejected');
      });
      expect((await invoke(empty, { missing: '異常です' })).status).toBe('requested');
      const reply = await speak({ text: '異常です' });
      expect(reply.status).toBe(409);
      expect(await reply.json()).toMatchObject({ detail: expect.stringContaining('Japanese') });
      expect((await callApi('GET', `${api}/guidances/voices`)).data).toEqual({ languages: ['en'] });
    } finally {
      speech.languages = languages;
    }
  });

  test('a text and a guidance can be heard before anybody is called', async () => {
    const guidanceId = await guidance('Host {{host}} is down');
    const short = await audioOf(await speak({ guidanceId, parameters: { host: 'a' } }));
    const long = await audioOf(await speak({ guidanceId, parameters: { host: 'web01.example.com' } }));
    expect(short.rate).toBe(8000);
    // 20 ms for each character of the spoken text, and 50 ms of silence at each end.
    const expected = (8000 / 50) * 'Host A is down'.length + 800;
    expect(Math.abs(short.samples.length - expected)).toBeLessThan(500);
    expect(long.samples.length).toBeGreaterThan(2 * short.samples.length);
    expect(
      Math.sqrt(short.samples.reduce((sum, sample) => sum + sample ** 2, 0) / short.samples.length),
    ).toBeGreaterThan(2000);
    expect(voice.requests.at(-1)!.text).toBe('Host web 0 1 dot example dot com is down');
  });

  test.each([
    [{}, 'guidanceId'],
    [{ text: '' }, 'text'],
    [{ text: '{{#if' }, 'text'],
    [{ text: 'a', guidanceId: '00000000-0000-4000-8000-000000000000' }, 'guidanceId'],
    [{ guidanceId: '00000000-0000-4000-8000-000000000000' }, 'guidanceId'],
    [{ text: 'x'.repeat(4001) }, 'text'],
    [{ text: 'a', language: 'fr' }, 'language'],
  ])('speech of %j names the field %s', async (body, name) => {
    const reply = await speak(body);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ invalidParams: [{ name }] });
  });

  test.each([
    ['an error', { status: 500, body: Buffer.from('secret reply') }],
    ['no WAV file', { body: Buffer.from('<html>secret reply</html>') }],
    ['silence', { body: writeWav({ rate: 8000, samples: new Int16Array(8000) }) }],
  ])('a voice that answers with %s has failed', async (name, answer) => {
    const before = voice.answer;
    voice.answer = () => answer;
    const reply = await speak({ text: `A voice with ${name}` });
    voice.answer = before;
    expect(reply.status).toBe(503);
    expect(await reply.text()).not.toContain('secret');
    // A failure is not remembered.
    await audioOf(await speak({ text: `A voice with ${name}` }));
  });

  describe('a recorded file', () => {
    const tone = (rate: number, seconds: number) =>
      Int16Array.from(
        { length: rate * seconds },
        (_, at) => 8000 * Math.sin((2 * Math.PI * 700 * at) / rate),
      );
    const upload = (guidanceId: string, bytes: Uint8Array, field = 'file') => {
      const form = new FormData();
      form.set(field, new Blob([new Uint8Array(bytes)]), 'alarm.wav');
      return request('POST', `${api}/guidances/${guidanceId}/recording`, { body: form });
    };
    const shown = async (guidanceId: string) =>
      (await callApi('GET', `${api}/guidances/${guidanceId}`)).data as Body;

    test('is stored as it will be played, replaced, played and deleted', async () => {
      const guidanceId = await guidance('Text of the recording');
      expect((await shown(guidanceId)).recording).toBeNull();
      const samples = tone(44_100, 2);
      const first = await upload(guidanceId, writeWav({ rate: 44_100, samples }));
      expect(first.status).toBe(200);
      const recording = (await first.json()) as Body;
      expect(recording).toMatchObject({ fileName: 'alarm.wav', seconds: 2 });
      expect((await shown(guidanceId)).recording).toEqual(recording);
      const heard = await audioOf(await request('GET', `${api}/guidances/${guidanceId}/recording`));
      const expected = await resample({ rate: 44_100, samples });
      expect(heard.samples.length).toBe(expected.length);
      // µ-law keeps some 38 dB.
      const noise = heard.samples.reduce((sum, sample, at) => sum + (sample - expected[at]!) ** 2, 0);
      expect(noise / expected.reduce((sum, sample) => sum + sample ** 2, 0)).toBeLessThan(0.001);
      const spoken = await audioOf(await speak({ guidanceId }));
      expect(spoken.samples).toEqual(heard.samples);

      // An edit of the guidance keeps it.
      const { displayName } = await shown(guidanceId);
      const edited = { displayName, messageTemplate: 'Edited', reactions: {}, recording: null };
      expect((await callApi('PUT', `${api}/guidances/${guidanceId}`, edited)).status).toBe(200);
      expect((await shown(guidanceId)).recording).toEqual(recording);

      await upload(guidanceId, writeWav({ rate: 8000, samples: tone(8000, 1) }));
      const replaced = (await shown(guidanceId)).recording as { recordingId: string };
      const count = 'select count(*)::int as count from guidance_recording where guidance_id = $1';
      expect((await server.services.database.query(count, [guidanceId])).rows).toEqual([{ count: 1 }]);
      const { speech } = server.services;
      expect(await speech.recording(server.services.spaceId, recording.recordingId as string)).toBeNull();
      expect(await speech.recording(server.services.spaceId, replaced.recordingId)).toHaveLength(8000);
      const elsewhere = '00000000-0000-4000-8000-000000000000';
      expect(await speech.recording(elsewhere, replaced.recordingId)).toBeNull();

      const removed = await callApi('DELETE', `${api}/guidances/${guidanceId}/recording`);
      expect(removed.status).toBe(200);
      expect((await shown(guidanceId)).recording).toBeNull();
      expect((await callApi('DELETE', `${api}/guidances/${guidanceId}/recording`)).status).toBe(404);
      expect((await server.services.database.query(count, [guidanceId])).rows).toEqual([{ count: 0 }]);
    });

    test('is played by a chain instead of the message, except in a drill', async () => {
      const guidanceId = await guidance('{{nothing}}');
      const recording = (await (
        await upload(guidanceId, writeWav({ rate: 8000, samples: tone(8000, 1) }))
      ).json()) as Body;
      const { resultId } = await invoke(guidanceId);
      const { rows } = await server.services.database.query<{ plan: Body }>(
        'select plan from pigeon_chain where result_id = $1',
        [resultId],
      );
      expect(rows[0]!.plan).toMatchObject({ recordingId: recording.recordingId });
      await callApi('DELETE', `${api}/guidances/${guidanceId}`);
      const left = 'select 1 from guidance_recording where guidance_id = $1';
      expect((await server.services.database.query(left, [guidanceId])).rows).toEqual([]);
    });

    test('that is not one is refused with its field', async () => {
      const guidanceId = await guidance('Refused');
      const invalid = async (bytes: Uint8Array, field?: string) => {
        const reply = await upload(guidanceId, bytes, field);
        return { status: reply.status, body: await reply.json() };
      };
      const wav = writeWav({ rate: 8000, samples: tone(8000, 1) });
      for (const bytes of [Buffer.from('MP3'), new Uint8Array(0), wav.subarray(0, 44)])
        expect(await invalid(bytes)).toMatchObject({
          status: 400,
          body: { invalidParams: [{ name: 'file' }] },
        });
      expect(await invalid(wav, 'other')).toMatchObject({
        status: 400,
        body: { invalidParams: [{ name: 'file' }] },
      });
      expect((await invalid(Buffer.alloc(5 * 1024 * 1024 + 1))).status).toBe(413);
      // Within 5 MB, but longer than ten minutes.
      const long = writeWav({ rate: 4000, samples: new Int16Array(601 * 4000) });
      expect((await invalid(long)).status).toBe(400);
      expect((await callApi('POST', `${api}/guidances/${guidanceId}/recording`, {})).status).toBe(415);
      const nobody = '00000000-0000-4000-8000-000000000000';
      expect((await upload(nobody, wav)).status).toBe(404);
      expect((await shown(guidanceId)).recording).toBeNull();
    });
  });

  test('the cache is bounded, keeps what is used, and belongs to a space', async () => {
    const { spaceId, database } = server.services;
    await database.query('delete from voice_cache');
    const other = '00000000-0000-4000-8000-000000000000';
    const hour = 3_600_000;
    let now = clock.now();
    const cache = createVoiceCache(database, { now: () => now }, 300);
    const keys = async () =>
      (await database.query<{ key: string }>('select key from voice_cache order by key')).rows.map(
        ({ key }) => key,
      );
    for (const key of ['a', 'b', 'c']) {
      await cache.write(spaceId, key, Buffer.alloc(100, key));
      now += 2 * hour;
    }
    expect(Buffer.from((await cache.read(spaceId, 'a'))!)).toEqual(Buffer.alloc(100, 'a'));
    expect(await cache.read(other, 'a')).toBeUndefined();
    now += hour;
    await cache.write(other, 'd', Buffer.alloc(100));
    expect(await keys()).toEqual(['a', 'c', 'd']);
    now += 31 * 24 * hour;
    await cache.write(spaceId, 'e', Buffer.alloc(1));
    expect(await keys()).toEqual(['e']);
  });

  test('speech of another space is rendered anew', async () => {
    const { speech } = server.services;
    const before = voice.requests.length;
    const other = '00000000-0000-4000-8000-000000000000';
    const [first, again] = await Promise.all([
      speech.render(server.services.spaceId, 'One text', 'en'),
      speech.render(server.services.spaceId, 'One text', 'en'),
    ]);
    expect(again).toEqual(first);
    expect(voice.requests.length).toBe(before + 1);
    await speech.render(other, 'One text', 'en');
    expect(voice.requests.length).toBe(before + 2);
    expect(await speech.render(server.services.spaceId, '...', 'en')).toHaveLength(0);
    await server.services.database.query('delete from voice_cache where space_id = $1', [other]);
  });

  test('a message of 3,000 characters is spoken within the length of a call', async () => {
    const audio = await server.services.speech.render(
      server.services.spaceId,
      '漢字です。'.repeat(600),
      'ja',
    );
    expect(audio.length).toBeGreaterThan(8000 * 50);
    const endless = () => ({ body: writeWav({ rate: 8000, samples: tone8k }) });
    const tone8k = Int16Array.from({ length: 700 * 8000 }, (_, at) => (at % 16 < 8 ? 5000 : -5000));
    const before = voice.answer;
    voice.answer = endless;
    const cut = await server.services.speech.render(server.services.spaceId, 'Endless', 'en');
    voice.answer = before;
    expect(cut).toHaveLength(600 * 8000);
    voice.answer = () => ({ status: 404, body: Buffer.alloc(0) });
    await expect(server.services.speech.render(server.services.spaceId, 'Failing', 'en')).rejects.toThrow(
      VoiceFailed,
    );
    voice.answer = before;
  });
});
