// Calls in Japanese to foreign phones over a trunk with encryption offered: what a phone hears is compared with what
// the page of the guidance plays.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallEvent } from '@yagura/core/pigeon/call-event';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWav } from '../../../src/pigeon/voice/wav.ts';
import { type ApiCall, createApiCall } from '../../support/api-request.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { hasJapaneseVoice, japaneseVoice } from '../japanese-voice.ts';
import { findSound, writeTone } from './audio-files.ts';
import { hasPrograms, Phone, startKamailio, type Trunk, trunkAccount, until } from './real-peers.ts';

const api = '/api/apps/pigeon';
const [encrypting, plain] = ['0900000001', '0900000002'];
const message = 'web01のディスク使用率が98%です';
const reaction = '対応をお願いします';

describe.runIf(hasPrograms() && hasJapaneseVoice())('calls in Japanese', () => {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-japanese-calls-'));
  let trunk: Trunk;
  let phones: Record<string, Phone>;
  let server: TestServer;
  let callApi: ApiCall;
  let guidanceId: string;

  beforeAll(async () => {
    const trunkPort = await freePort();
    const sound = writeTone(folder, 700, 60);
    const [first, second] = await Promise.all([
      Phone.start({ trunkPort, sound }),
      Phone.start({ trunkPort, sound, takesEncryption: false }),
    ]);
    phones = { [encrypting!]: first, [plain!]: second };
    trunk = await startKamailio(trunkPort, { [encrypting!]: first.port, [plain!]: second.port });
    const file = join(folder, 'trunks.json');
    const account = { ...trunkAccount, domain: 'trunk.test', callerId: '0501234567' };
    const trunks = [{ name: 'main', host: '127.0.0.1', port: trunkPort, ...account, srtp: 'offered' }];
    writeFileSync(file, JSON.stringify({ local: { address: '127.0.0.1', port: 0 }, trunks }));
    chmodSync(file, 0o600);
    const env = {
      YAGURA_PIGEON_LINE: 'sip',
      YAGURA_PIGEON_SIP_TRUNKS: file,
      ...(japaneseVoice ? { YAGURA_PIGEON_VOICE_JA: japaneseVoice } : {}),
    };
    server = (await startTestServer({ engine: 'embedded', env }))!;
    callApi = createApiCall(server.transportAs('privileged'));
    const reply = await callApi('POST', `${api}/guidances`, {
      displayName: 'ディスク',
      messageTemplate: message,
      reactions: { 1: { behavior: 'terminate', messageTemplate: reaction } },
    });
    guidanceId = (reply.data as { guidanceId: string }).guidanceId;
  });

  afterAll(async () => {
    await server?.stop();
    await Promise.all([trunk?.stop(), ...Object.values(phones ?? {}).map((phone) => phone.stop())]);
    rmSync(folder, { recursive: true });
  });

  /** What the page of a guidance plays. */
  async function preview(body: Record<string, unknown>): Promise<Int16Array> {
    const transport = server.transportAs('privileged');
    const reply = await transport.fetch(`${transport.origin}${api}/guidances/speech`, {
      method: 'POST',
      headers: { ...(await transport.headers?.()), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(200);
    return readWav(Buffer.from(await reply.arrayBuffer()), { maxSeconds: 60 }).samples;
  }

  interface Result {
    status: string;
    calls: { status: string; keyInput: string | null; script: CallEvent[] }[];
  }

  /** Calls a number, lets the message be read once and presses 1. */
  async function call(number: string): Promise<{ heard: Int16Array; script: CallEvent[] }> {
    const phone = phones[number]!;
    const params = { callflow: { contacts: [{ phones: [{ phoneNumber: number }] }] }, guidanceId };
    const { resultId } = (await callApi('POST', `${api}/chain/invoke`, { params })).data as {
      resultId: string;
    };
    let result: Result | undefined;
    const shows = (condition: (result: Result) => boolean) =>
      until(
        async () => {
          result = (await callApi('GET', `${api}/results/${resultId}`)).data as Result;
          return condition(result);
        },
        () => `the next step of ${JSON.stringify(result)}`,
        30_000,
      );
    await shows(({ calls }) => (calls[0]?.script.filter(({ kind }) => kind === 'reading').length ?? 0) === 2);
    phone.press('1');
    await shows(({ status }) => status === 'succeeded');
    expect(result!.calls).toMatchObject([{ status: 'succeeded', keyInput: '1' }]);
    // The recording is complete then.
    await phone.until('CALL_CLOSED');
    return { heard: phone.heard().at(-1)!, script: result!.calls[0]!.script };
  }

  test.each<[string, string, string]>([
    ['takes encryption', encrypting!, 'main, SRTP'],
    ['declines encryption', plain!, 'main'],
  ])(
    'a phone that %s hears what was previewed, in order and to its end',
    async (_name, number, answer) => {
      const texts = [{ guidanceId }, { text: '1番が押されました。' }, { text: reaction }];
      const [said, key, thanks, other] = await Promise.all(
        [...texts, { text: 'データベースの複製が停止しました。担当者は至急連絡してください' }].map(preview),
      );
      const { heard, script } = await call(number);
      expect(script.find(({ kind }) => kind === 'answered')).toMatchObject({ detail: answer });
      const found = [said!, key!, thanks!].map((sound) => findSound(heard, sound));
      for (const { likeness } of found) expect(likeness).toBeGreaterThan(0.9);
      const starts = found.map(({ at }) => at);
      expect(starts).toEqual(starts.toSorted((first, second) => first - second));
      expect(findSound(heard, other!).likeness).toBeLessThan(0.6);
    },
    60_000,
  );
});
