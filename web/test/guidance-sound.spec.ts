// The page of a guidance plays what a callee will hear, and a recorded file; the page of the phone line calls a number.
import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { startProduct, test, visit, waitForHydration } from './product-fixture.ts';

/** One second of a tone, 16-bit mono. */
function toneFile(): Buffer {
  const rate = 8000;
  const bytes = Buffer.alloc(44 + 2 * rate);
  bytes.write('RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 0, 'latin1');
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(2 * rate, 40);
  for (let at = 0; at < rate; at++)
    bytes.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 500 * at) / rate)), 44 + 2 * at);
  return bytes;
}

function hasVoice(): boolean {
  try {
    execFileSync('espeak-ng', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/** A trunk that is reachable and whose numbers are all busy. */
async function startBusyTrunk(): Promise<Socket> {
  const trunk = createSocket('udp4').bind(0, '127.0.0.1');
  trunk.on('message', (bytes, { address, port }) => {
    const [request = '', ...lines] = bytes.toString('latin1').split('\r\n');
    if (request.startsWith('ACK ')) return;
    const status = request.startsWith('INVITE ') ? '486 Busy Here' : '200 OK';
    const copied = lines
      .filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
      .map((line) => (/^To:/i.test(line) && !line.includes('tag=') ? `${line};tag=1` : line));
    const reply = [`SIP/2.0 ${status}`, ...copied, 'Content-Length: 0', '', ''].join('\r\n');
    trunk.send(reply, port, address);
  });
  await once(trunk, 'listening');
  return trunk;
}

test('the page of the phone line shows its state and places a test call', { tag: '@en' }, async ({
  page,
  t,
  complaints,
}) => {
  test.skip(!hasVoice() && !process.env.CI, 'espeak-ng is not installed');
  const trunk = await startBusyTrunk();
  const file = test.info().outputPath('trunks.json');
  const { port } = trunk.address();
  const local = { address: '127.0.0.1', port: 0 };
  const trunks = [{ name: 'carrier', host: '127.0.0.1', port, callerId: '0501234567' }];
  await writeFile(file, JSON.stringify({ local, trunks }));
  await chmod(file, 0o600);
  const product = await startProduct({ YAGURA_PIGEON_LINE: 'sip', YAGURA_PIGEON_SIP_TRUNKS: file });
  try {
    await visit(page, product, '/apps/pigeon/settings/line');
    const item = page.getByRole('listitem').filter({ hasText: 'carrier' });
    await expect(item).toContainText(t('value.reachable'));
    await expect(item).toContainText('200 OK');
    await waitForHydration(page);
    const form = page.locator('form').filter({ has: page.getByLabel(t('label.phoneNumber')) });
    await form.getByRole('combobox').selectOption('en');
    await form.getByLabel(t('label.phoneNumber')).fill('call me');
    await form.getByRole('button', { name: t('pigeon.line.test-button') }).click();
    await expect(form).toContainText(t('rule.phone'));
    await form.getByLabel(t('label.phoneNumber')).fill('0312345678');
    await form.getByRole('button', { name: t('pigeon.line.test-button') }).click();
    await page.waitForURL('**/apps/pigeon/results/*');
    const main = page.getByRole('main');
    await expect(main).toContainText(t('pigeon.test-call'));
    await expect(main).toContainText(t('value.busy'));
    // The browser notes the refused form.
    expect(complaints.filter((text) => !text.includes('status of 400'))).toEqual([]);
  } finally {
    trunk.close();
    await product.stop();
  }
});

test('a guidance is heard before anybody is called', async ({ page, product, t, complaints }) => {
  test.skip(!hasVoice() && !process.env.CI, 'espeak-ng is not installed');
  const { guidanceId } = await callApi(product, 'POST', '/api/apps/pigeon/guidances', {
    displayName: `Sound ${test.info().project.name}`,
    messageTemplate: 'Host {{host}} is down',
    reactions: {},
  });
  await visit(page, product, `/apps/pigeon/guidances/${guidanceId}`);
  await waitForHydration(page);
  const preview = page.getByRole('region', { name: t('pigeon.preview') });
  await preview.getByRole('textbox').fill('web01.example.com');
  await expect(preview).toContainText('Host web 0 1 dot example dot com is down');
  await preview.getByRole('button', { name: t('pigeon.play') }).click();
  const seconds = (selector: string) =>
    page.locator(selector).evaluate((audio: HTMLAudioElement) => audio.duration);
  await expect.poll(() => seconds('audio[src^="blob:"]')).toBeGreaterThan(2);

  const recording = page.getByRole('region', { name: t('pigeon.recording') });
  const file = { name: 'alarm.wav', mimeType: 'audio/wav', buffer: toneFile() };
  await recording.locator('input[type=file]').setInputFiles(file);
  await recording.getByRole('button', { name: t('pigeon.recording-upload') }).click();
  await expect(recording).toContainText('alarm.wav');
  const recorded = 'audio[src*="/recording"]';
  await page.locator(recorded).evaluate((audio: HTMLAudioElement) => {
    audio.preload = 'auto';
    audio.load();
  });
  await expect.poll(() => seconds(recorded)).toBe(1);
  await recording.getByRole('button', { name: t('pigeon.recording-delete') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('pigeon.recording-delete') })
    .click();
  await expect(page.locator(recorded)).toHaveCount(0);
  expect(complaints).toEqual([]);
});
