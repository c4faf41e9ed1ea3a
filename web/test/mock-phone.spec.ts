// The page of the mock phone: a call of the SIP line rings, is answered, heard and given a key, all in the browser.

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { freePort } from '@yagura/fixtures/testbed/free-port';
import { startProduct, test, visit, waitForHydration } from './product-fixture.ts';

// It has a server of its own.
test('a call rings in the page and is answered there', { tag: '@en' }, async ({ page, t, complaints }) => {
  const voice = await startVoice();
  const folder = await mkdtemp(join(tmpdir(), 'yagura-phone-'));
  const port = await freePort();
  const trunk = { name: 'phone', host: '127.0.0.1', port, callerId: '0500000000' };
  const trunks = join(folder, 'trunks.json');
  const settings = { local: { address: '127.0.0.1', port: 0 }, trunks: [trunk] };
  await writeFile(trunks, JSON.stringify(settings), { mode: 0o600 });
  const product = await startProduct({
    YAGURA_DEVELOPER_MODE: 'on',
    YAGURA_PIGEON_MOCK_PHONE: `127.0.0.1:${port}`,
    YAGURA_PIGEON_LINE: 'sip',
    YAGURA_PIGEON_SIP_TRUNKS: trunks,
    YAGURA_PIGEON_VOICE_URL: `http://127.0.0.1:${(voice.address() as AddressInfo).port}/`,
  });
  try {
    await visit(page, product, '/apps/devtool/phone');
    await waitForHydration(page);
    await expect(page.getByText(t('pigeon.phone.no-calls'))).toBeVisible();
    const { resultId } = await callApi(product, 'POST', '/api/apps/pigeon/chain/invoke', {
      params: {
        callflow: { contacts: [{ phones: [{ phoneNumber: '0312345678' }] }] },
        guidance: {
          messageTemplate: 'Down',
          reactions: { 1: { behavior: 'terminate', messageTemplate: '' } },
        },
      },
    });
    const call = page.getByRole('region', { name: t('pigeon.phone.call-of', { number: '0312345678' }) });
    await call.getByRole('button', { name: t('value.answer'), exact: true }).click();
    const keypad = call.getByRole('group', { name: t('pigeon.phone.keypad') });
    await expect(keypad.getByRole('button')).toHaveCount(12);
    await call.getByRole('button', { name: t('pigeon.phone.listen') }).click();
    await expect
      .poll(() => call.locator('audio').evaluate((audio: HTMLAudioElement) => audio.readyState))
      .toBeGreaterThan(0);
    await keypad.getByRole('button', { name: t('pigeon.phone.key', { key: '1' }) }).click();
    await expect(call).toContainText(t('pigeon.phone.pressed', { keys: '1' }));
    await expect(call).toContainText(t('value.callerHungUp'));
    await expect(keypad).toHaveCount(0);
    const result = await callApi(product, 'GET', `/api/apps/pigeon/results/${resultId}`);
    expect(result).toMatchObject({ status: 'succeeded', keyInput: '1' });
    expect(complaints).toEqual([]);
  } finally {
    await product.stop();
    voice.close();
    await rm(folder, { recursive: true });
  }
});

/** A voice that says half a second of a tone. */
async function startVoice(): Promise<Server> {
  const samples = 4000;
  const wav = Buffer.alloc(44 + 2 * samples);
  wav.write('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 0, 'latin1');
  wav.writeUInt32LE(8000, 24);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(2 * samples, 40);
  for (let at = 0; at < samples; at++)
    wav.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 500 * at) / 8000)), 44 + 2 * at);
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'audio/wav').end(wav),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
