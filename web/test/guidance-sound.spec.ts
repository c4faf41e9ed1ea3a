// The page of a guidance plays what a callee will hear, and a recorded file.
import { execFileSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { callApi } from '@yagura/fixtures/testbed/api';
import { test, visit, waitForHydration } from './product-fixture.ts';

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
