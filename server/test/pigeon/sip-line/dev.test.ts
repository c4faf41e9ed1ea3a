import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { systemClock } from '../../../src/common/clock.ts';
import { SipLine } from '../../../src/pigeon/sip-line/sip-line.ts';
import { parseSipSettings } from '../../../src/pigeon/sip-line/sip-settings.ts';
import { energy, Phone, startKamailio, trunkAccount, writeTone } from './real-peers.ts';

test('dev', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dev-'));
  const phone = await Phone.start(['0900000001'], { sound: writeTone(folder, 700, 30) });
  const trunk = await startKamailio({ '0900000001': phone.port });
  const t0 = Date.now();
  const settings = parseSipSettings(
    { local: { address: '127.0.0.1', port: 0 }, trunks: [{ name: 'main', host: '127.0.0.1', port: trunk.port, domain: 'trunk.test', ...trunkAccount, callerId: '0501' }] },
    () => '',
  );
  const line = new SipLine({
    settings,
    clock: systemClock,
    log: (l) => console.log(JSON.stringify(l).slice(0, 300)),
    database: { query: async (s: string, v: string[]) => ({ rows: String(s).includes('insert') ? JSON.parse(v[0]!).map((x: { name: string }) => ({ trunk: x.name })) : [] }) } as never,
    speech: {
      languages: () => new Set(['en']) as never,
      recording: async () => null,
      render: async (_s, text) => {
        const wav = execFileSync('espeak-ng', ['--stdout', text]);
        const out = new Int16Array(Math.floor((wav.length - 44) / 2 / 2.75625));
        for (let i = 0; i < out.length; i++) out[i] = wav.readInt16LE(44 + 2 * Math.floor(i * 2.75625));
        return out;
      },
    },
  });
  await line.start();
  await new Promise((r) => setTimeout(r, 2500));
  console.log(await line.status());
  await new Promise<void>((resolve) => {
    line.dial(
      { callId: 'c1', resultId: 'r', spaceId: 's', phoneNumber: '0900000001', language: 'en', message: 'Server web one is down. Press one.', reactions: { 1: { behavior: 'terminate', message: 'Thank you' } }, noReplyMessage: 'bye', transferTo: null },
      (report) => {
        console.log(Date.now() - t0, JSON.stringify(report));
        if (report.kind === 'answered') setTimeout(() => phone.press('7'), 1000);
        if (report.kind === 'answered') setTimeout(() => phone.press('1'), 3500);
        if (report.kind === 'ended') resolve();
      },
    );
  });
  console.log(phone.events.map((e) => e.type), phone.heard().map((h) => [h.length / 8000, energy(h)]));
  const t1 = Date.now();
  await line.close();
  console.log('closed in', Date.now() - t1);
  await trunk.stop();
  await phone.stop();
}, 40_000);
