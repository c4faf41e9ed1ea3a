// How long a jump to the end of a recorded desktop takes in the browser: from the key to the last picture on the page.
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright';
import { tsImport } from 'tsx/esm/api';
import { findBrowser } from '../find-browser.mjs';
import { signedIn } from './support/sign-in.mjs';
import { median, spread } from './support/statistics.mjs';

const jumps = 5;
/** Updates of the desktop that are jumped over. */
const updates = 400;
const betweenUpdates = 20;
/** Milliseconds. */
const limit = 1000;
const name = `jump over ${updates} updates of a recorded desktop`;

/** `site` records the sessions that are opened now. */
export async function desktopSeekRow(site) {
  const load = (path) => tsImport(`../../${path}`, import.meta.url);
  const executablePath = findBrowser();
  const { hasXrdp, startRealXrdp } = await load('agent/test/sessions/real-xrdp.ts');
  if (!executablePath || !hasXrdp) return { name, skipped: 'no Chromium or xrdp found, or this is not root' };
  const { loadTranslator } = await load('core/src/i18n/load-translations.ts');
  const t = await loadTranslator('en');
  const xrdp = await startRealXrdp();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ locale: 'en' });
    await context.addCookies(await signedIn(site.server));
    // The policy of the page allows no code from text.
    await context.addInitScript(`globalThis.pictureOfBench = ${pictureOf}`);
    const page = await context.newPage();
    const path = await record(site, xrdp, page);
    await showLog(page, `${path}/logs`, t('recording.use-stored'));
    const last = await settled(page, 'End');
    const times = [];
    for (let jump = 0; jump < jumps; jump++) {
      await settled(page, 'Home', (picture) => picture !== last);
      times.push(await page.evaluate(jumpToEnd, last));
    }
    const ours = median(times);
    return {
      ...{ name, unit: ' ms', ours, peer: limit, peerName: 'limit', ratio: ours / limit },
      ...{ aim: '<= 1', met: ours <= limit, spread: spread(times, 0) },
    };
  } finally {
    await browser.close();
    await xrdp.close();
  }
}

/** Resolves with the address of the session. */
async function record(site, xrdp, page) {
  const sessionId = await site.open(await site.createDesktop(xrdp, { width: 1280, height: 720 }));
  await page.goto(`${site.server.origin}/apps/greac/connect/${sessionId}`);
  await page.waitForFunction(() => document.querySelector('canvas')?.width === 1280);
  await stillPicture(page);
  for (let update = 0; update < updates; update++) {
    xrdp.show(`\x1b[${(update % 40) + 1};1H\x1b[4${update % 8}m update ${update} \x1b[K`);
    await sleep(betweenUpdates);
  }
  await stillPicture(page);
  await site.close(sessionId);
  return `${site.server.origin}/apps/greac/sessions/${sessionId}`;
}

/** The gateway uploads the last part after the session has ended. */
async function showLog(page, url, useStored) {
  const button = page.getByRole('button', { name: useStored });
  for (let tries = 0; tries < 5; tries++) {
    await page.goto(url);
    for (let waits = 0; waits < 10; waits++) {
      // Until the page has its code, clicks are lost.
      if (await button.isVisible()) await button.click();
      const isShown = await page
        .locator('input[type=range]')
        .waitFor({ timeout: 500 })
        .then(() => true)
        .catch(() => false);
      if (isShown) return;
    }
  }
  throw new Error('the log of the desktop is not shown');
}

/** Goes to an end with a key; resolves with the picture there. */
async function settled(page, key, isWanted) {
  await page.locator('input[type=range]').press(key);
  return stillPicture(page, isWanted);
}

/** A number for the picture once nothing more is drawn. */
async function stillPicture(page, isWanted = (picture) => picture !== 0) {
  for (let before; ; ) {
    const current = await page.evaluate(() => globalThis.pictureOfBench());
    if (isWanted(current) && current === before) return current;
    before = current;
    await sleep(1000);
  }
}

/** Runs in the page; 0 without a picture. */
function pictureOf() {
  const canvas = document.querySelector('canvas');
  if (!canvas?.width) return 0;
  // The context that the client draws with: a copy of the picture would take longer than many an update.
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(data.buffer);
  let hash = 0;
  for (const pixel of pixels) hash = (Math.imul(hash, 31) + pixel) | 0;
  return hash;
}

/** Runs in the page; milliseconds until it shows the last picture. */
async function jumpToEnd(last) {
  const position = document.querySelector('input[type=range]');
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  const since = performance.now();
  setValue.call(position, position.max);
  position.dispatchEvent(new Event('input', { bubbles: true }));
  while (globalThis.pictureOfBench() !== last) await new Promise(requestAnimationFrame);
  return performance.now() - since;
}
