// How soon a desktop is in the browser: for who connects, in turn with xfreerdp into noVNC, and for who comes later.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright';
import { tsImport } from 'tsx/esm/api';
import { findBrowser } from '../find-browser.mjs';
import { startNovnc, whyNoNovnc } from './peers/novnc.mjs';
import { signedIn } from './support/sign-in.mjs';
import { median, spread } from './support/statistics.mjs';

const turns = 7;
const lateTurns = 7;
const size = { width: 800, height: 600 };
/** Milliseconds. */
const lateLimit = 1000;
const load = (path) => tsImport(`../../${path}`, import.meta.url);

/** Hosts with a terminal in dark blue at the top left. */
const hosts = {
  'xrdp over TLS': async () => {
    const { hasXrdp, startRealXrdp } = await load('agent/test/sessions/real-xrdp.ts');
    if (!hasXrdp) return null;
    const desktop = await startRealXrdp();
    return { ...desktop, account: { username: 'bench', password: 'bench' }, security: 'tls' };
  },
  'freerdp-shadow with NLA': async () => {
    const { hasDesktop, startRealDesktop } = await load('agent/test/sessions/real-desktop.ts');
    return hasDesktop ? { ...(await startRealDesktop(size)), security: 'nla' } : null;
  },
};

export async function desktopFirstPictureRows(site) {
  const name = (host) => `first picture of a desktop, ${host}`;
  const missing = findBrowser() ? whyNoNovnc() : 'no Chromium found';
  return perHost(name, missing, async (host, desktop, browser) => {
    const destinationId = await site.createDesktop(desktop, size);
    const novnc = await startNovnc(size);
    try {
      const ours = [];
      const peer = [];
      for (let turn = 0; turn < turns; turn++) {
        ours.push(await connectHere(site, browser, destinationId));
        peer.push(await connectByNovnc(novnc, browser, desktop));
      }
      const ratio = median(ours) / median(peer);
      return {
        ...{
          name: name(host),
          unit: ' ms',
          ours: median(ours),
          peer: median(peer),
          peerName: 'xfreerdp to noVNC',
        },
        ...{ ratio, aim: '<= 1', met: ratio <= 1 },
        spread: `from the request to connect; ${spread(ours, 0)}, noVNC ${spread(peer, 0)}`,
      };
    } finally {
      await novnc.close();
    }
  });
}

export async function desktopLateViewerRows(site) {
  const name = (host) => `late viewer of a desktop, ${host}`;
  return perHost(name, findBrowser() ? undefined : 'no Chromium found', async (host, desktop, browser) => {
    const sessionId = await site.open(await site.createDesktop(desktop, size));
    const first = await openContext(site, browser, watchPicture);
    const page = await first.newPage();
    await page.goto(`${site.server.origin}/apps/greac/connect/${sessionId}`);
    await stillPicture(page);
    const times = [];
    let differing = 0;
    for (let turn = 0; turn < lateTurns; turn++) {
      const context = await openContext(site, browser, watchPicture);
      const late = await context.newPage();
      await late.goto(`${site.server.origin}/apps/greac/sessions/${sessionId}`, { waitUntil: 'networkidle' });
      await late.click(`a[href="/apps/greac/connect/${sessionId}?mode=watch"]`);
      differing = Math.max(differing, await differencesWhenStill(page, late));
      times.push(await late.evaluate(() => globalThis.pictureOfBench.changedAt - sessionStorage.clickedAt));
      await context.close();
    }
    await first.close();
    await site.close(sessionId);
    const ours = median(times);
    return {
      ...{ name: name(host), unit: ' ms', ours, peer: lateLimit, peerName: 'limit', ratio: ours / lateLimit },
      ...{ aim: '<= 1, no pixel differs', met: ours <= lateLimit && differing === 0 },
      spread: `from the click to the last change of the picture; ${spread(times, 0)}, ${differing} of ${size.width * size.height} pixels differ`,
    };
  });
}

async function perHost(name, missing, measure) {
  if (missing) return [{ name: name('all hosts'), skipped: missing }];
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const rows = [];
  try {
    for (const [host, start] of Object.entries(hosts)) {
      const desktop = await start();
      if (!desktop) {
        rows.push({ name: name(host), skipped: 'a program of the host is missing, or this is not root' });
        continue;
      }
      try {
        rows.push(await measure(host, desktop, browser));
      } finally {
        await desktop.close();
      }
    }
    return rows;
  } finally {
    await browser.close();
  }
}

/** A browser that has visited neither page before, but has the page open from which the user connects. */
async function openContext(site, browser, script) {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } });
  await context.addCookies(await signedIn(site.server));
  await context.addInitScript(script);
  return context;
}

/** Milliseconds from the click on Connect. */
async function connectHere(site, browser, destinationId) {
  const context = await openContext(site, browser, watchTerminal);
  try {
    const page = await context.newPage();
    await page.goto(`${site.server.origin}/apps/greac/destinations/${destinationId}`, {
      waitUntil: 'networkidle',
    });
    const since = Date.now();
    await page.click('form[action="/apps/greac/connect"] button');
    const shownAt = await shown(page);
    await site.close(new URL(page.url()).pathname.split('/').at(-1));
    return shownAt - since;
  } finally {
    await context.close();
  }
}

/** Milliseconds from the start of xfreerdp, at which noVNC is opened, too. Its files are in the cache of the browser. */
async function connectByNovnc(novnc, browser, desktop) {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } });
  let viewer;
  try {
    await context.addInitScript(watchTerminal);
    const page = await context.newPage();
    await page.goto(novnc.url, { waitUntil: 'networkidle' });
    await page.goto('about:blank');
    const since = Date.now();
    viewer = novnc.connect(desktop);
    await page.goto(novnc.url, { waitUntil: 'commit' });
    return (await shown(page)) - since;
  } finally {
    await context.close();
    if (viewer) {
      const exited = once(viewer, 'exit');
      viewer.kill('SIGKILL');
      await exited;
    }
  }
}

async function shown(page) {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const handle = await page.waitForFunction(() => globalThis.terminalShownAt, null, { timeout: 30_000 });
      return await handle.jsonValue();
    } catch (error) {
      // The page was replaced by another while it was asked.
      if (!/navigation|context was destroyed/.test(error.message)) throw error;
    }
  }
  throw new Error('the desktop is not shown');
}

async function stillPicture(page) {
  for (;;) {
    const changedAt = await page.evaluate(() => globalThis.pictureOfBench?.changedAt).catch(() => undefined);
    if (changedAt && Date.now() - changedAt > 1500) return;
    await sleep(100);
  }
}

/** Both pages are compared at the same moment: the host may draw the same content with other pixels. */
async function differencesWhenStill(...pages) {
  for (let tries = 0; ; tries++) {
    for (const page of pages) await stillPicture(page);
    const [one, other] = await Promise.all(pages.map((page) => page.evaluate(allPixels)));
    const count = differences(one, other);
    // A busy host may pause while it draws.
    if (count === 0 || tries === 5) return count;
  }
}

function differences(one, other) {
  if (one.length !== other.length) return Math.max(one.length, other.length);
  return one.reduce((sum, pixel, index) => sum + (pixel === other[index] ? 0 : 1), 0);
}

/** Runs in each page: notes when all of the terminal is drawn. */
function watchTerminal() {
  const [columns, rows] = [40, 30];
  const copy = new OffscreenCanvas(columns, rows).getContext('2d', { willReadFrequently: true });
  copy.imageSmoothingEnabled = false;
  const isBlue = (data, at) => data[at] < 60 && data[at + 1] < 60 && data[at + 2] > 80;
  const look = () => {
    const canvas = document.querySelector('canvas');
    if (canvas?.width && canvas.height) {
      copy.drawImage(canvas, 0, 0, columns, rows);
      // Below the text that is there from the start, within the terminal.
      const { data } = copy.getImageData(0, 0, columns, rows);
      let drawn = 0;
      for (let y = 5; y < 25; y++)
        for (let x = 2; x < 35; x++) if (isBlue(data, (y * columns + x) * 4)) drawn++;
      // The pointer may be in between.
      const isDrawn = drawn > 20 * 33 - 5;
      if (isDrawn) {
        globalThis.terminalShownAt = Date.now();
        return;
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Runs in each page: notes when something was clicked, and when the picture was drawn. Reading the pixels of each frame
 * would slow down what is measured.
 */
function watchPicture() {
  addEventListener('click', () => sessionStorage.setItem('clickedAt', Date.now()), true);
  const seen = { changedAt: 0 };
  globalThis.pictureOfBench = seen;
  const { prototype } = CanvasRenderingContext2D;
  for (const name of ['putImageData', 'drawImage']) {
    const draw = prototype[name];
    prototype[name] = function (...given) {
      draw.apply(this, given);
      // Smaller ones are pointers.
      if (this.canvas.width > 300) seen.changedAt = Date.now();
    };
  }
}

/** Runs in the page. */
function allPixels() {
  const canvas = document.querySelector('canvas');
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
  copy.drawImage(canvas, 0, 0);
  return Array.from(new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer));
}
