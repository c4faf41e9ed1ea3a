// How soon a page is there and answers, by the browser's own measures: largest contentful paint, total blocking time and
// layout shift of home, a list and a form, on a processor four times slower than this one, as Lighthouse sets it for phones.
import { chromium } from 'playwright';
import { findBrowser } from '../find-browser.mjs';
import { signedIn } from './support/sign-in.mjs';
import { median } from './support/statistics.mjs';
import { callApi, startServer } from './testbed.mjs';

const rounds = 5;
const slower = 4;
/** What counts as good (web.dev/vitals); Lighthouse gives such values 90 points and more. */
const good = { paint: 2500, blocking: 200, shift: 0.1 };
const pages = { home: '/', list: '/apps/alerthub/scopes', form: '/apps/alerthub/scopes/new' };
const units = { paint: ' ms', blocking: ' ms', shift: '' };

export async function benchPaint({ say }) {
  const executablePath = findBrowser();
  if (!executablePath) return [{ name: 'paint', skipped: 'no Chromium found' }];
  say(
    `paint: medians of ${rounds} first visits on a phone's screen, the processor ${slower} times slower, nothing cached`,
  );
  const server = await startServer();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (let number = 1; number <= 30; number++)
      await callApi(server, 'POST', '/api/apps/alerthub/scopes', { displayName: `Switch ${number}` });
    const cookies = await signedIn(server);
    const figures = [];
    for (const [name, path] of Object.entries(pages)) {
      const visits = [];
      for (let round = 0; round < rounds; round++)
        visits.push(await visit(browser, cookies, server.origin + path));
      for (const measure of Object.keys(good)) {
        const ours = median(visits.map((one) => one[measure]));
        const aim = good[measure];
        figures.push({
          name: `paint ${name} ${measure}`,
          unit: units[measure],
          ours,
          peer: aim,
          peerName: 'good',
          ratio: ours / aim,
          aim: '<= 1',
          met: ours <= aim,
        });
      }
    }
    return figures;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Milliseconds to the largest paint, milliseconds that long tasks blocked, and the shift of the layout. */
async function visit(browser, cookies, url) {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, locale: 'en' });
  try {
    await context.addCookies(cookies);
    await context.addInitScript(() => {
      const seen = { paint: 0, blocking: 0, shift: 0 };
      globalThis.seenByBench = seen;
      const watch = (type, take) =>
        new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
      watch('largest-contentful-paint', (entry) => {
        seen.paint = entry.startTime;
      });
      // What a task takes beyond 50 ms keeps a person waiting.
      watch('longtask', (entry) => {
        seen.blocking += Math.max(0, entry.duration - 50);
      });
      watch('layout-shift', (entry) => {
        if (!entry.hadRecentInput) seen.shift += entry.value;
      });
    });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(1500);
    return await page.evaluate(() => globalThis.seenByBench);
  } finally {
    await context.close();
  }
}
