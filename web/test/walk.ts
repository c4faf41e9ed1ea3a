// Every page of the site map on the demo's data, for a privileged person and a guest: right status, heading, words, no complaint, accessible.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { type LabServer, startServer } from '@yagura/fixtures/lab/server';
import { buildNamed } from '@yagura/fixtures/world/named';
import { test as base } from './product.ts';
import { fillPattern, placeFinder, type Site, sites } from './site.ts';

const severe = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Pages that anybody may see, signed in or not. */
const open =
  /^\/(authorize|signed-out|403|404|error|\*|change-email|change-password|activate-invitation|link-account)$/;
/** Pages of a sign-in in progress, or that end one, which lead on by themselves. */
const leadOn = /^\/(authorize|signed-out|change-email|change-password|activate-invitation|link-account)$/;

interface Demo extends LabServer {
  /** Paths of all pages, filled. */
  pages: { site: Site; path: string }[];
  /** Pages that the demo has nothing for. */
  gaps: string[];
}

const test = base.extend<object, { demo: Demo }>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters of a fixture from its pattern
    async ({}, use) => {
      const server = await startServer({ env: { YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8' } });
      await buildNamed(server, 'demo');
      const place = placeFinder({
        fetch,
        origin: server.origin,
        headers: () => ({ 'x-authorization': `Token ${server.token}` }),
      });
      const pages: Demo['pages'] = [];
      const gaps: string[] = [];
      for (const site of sites()) {
        try {
          pages.push({ site, path: fillPattern(site.pattern, await place(site.pattern)) });
        } catch (error) {
          gaps.push(String(error));
        }
      }
      await use({ ...server, pages, gaps });
      await server.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

async function signIn(page: Page, demo: Demo, email: string, password: string): Promise<void> {
  await page.goto(`${demo.origin}/preference/profile`);
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${demo.origin}/preference/profile`);
}

test('the demo has something for every page', ({ demo }) => {
  expect(demo.gaps).toEqual([]);
});

test('every page is whole for a privileged person', async ({ page, demo, language, complaints }) => {
  test.setTimeout(600_000);
  await signIn(page, demo, demo.adminEmail, demo.adminPassword);
  await page.context().addCookies([{ name: 'yagura.developer-mode', value: 'true', url: demo.origin }]);
  const wrong: string[] = [];
  for (const { site, path } of demo.pages.filter(({ site: { pattern } }) => !leadOn.test(pattern))) {
    const asked: string[] = [];
    const onRequest = (request: { method(): string; url(): string; resourceType(): string }) => {
      // The router asks again and again which screens lie behind the links in sight; its replies are kept by the browser.
      if (request.url().includes('/__manifest?')) return;
      if (['fetch', 'xhr', 'document'].includes(request.resourceType()))
        asked.push(`${request.method()} ${request.url()}`);
    };
    page.on('request', onRequest);
    complaints.length = 0;
    const reply = await page.goto(demo.origin + path, { waitUntil: 'load' });
    const say = (text: string) => wrong.push(`${language} ${path}: ${text}`);
    const expected = /^\/(404|\*)$/.test(site.pattern) ? 404 : site.pattern === '/403' ? 403 : 200;
    if (reply?.status() !== expected) say(`status ${reply?.status()}`);
    await page
      .locator('h1')
      .first()
      .waitFor({ timeout: 10_000 })
      .catch(() => say('no heading'));
    if ((await page.title()).trim().length < 3) say('no title');
    if ((await page.locator('html').getAttribute('lang')) !== language) say('wrong language');
    const text = await page.locator('body').innerText();
    const rawWord =
      /\b(?:label|web|verb|value|shell|ui|page|rule|problem|alerthub|sonar|greac|pigeon|space)\.[a-z]+[a-zA-Z-]*\b/.exec(
        text,
      );
    if (rawWord && !/\.(example|local|com|test)/.test(rawWord[0])) say(`a word is missing: ${rawWord[0]}`);
    if (site.around.includes('shell/default-layout.tsx') && site.pattern !== '/') {
      if ((await page.locator('nav[aria-label] ol li').count()) === 0) say('no breadcrumbs');
    }
    const { violations } = await new AxeBuilder({ page }).withTags(severe).analyze();
    for (const { id, nodes } of violations)
      say(`axe ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
    const ours =
      expected === 200 ? complaints : complaints.filter((line) => !line.includes(`status of ${expected}`));
    for (const complaint of ours) say(`console: ${complaint.slice(0, 300)}`);
    const twice = asked.filter((request, at) => asked.indexOf(request) !== at);
    for (const request of new Set(twice)) say(`asked twice: ${request}`);
    page.off('request', onRequest);
  }
  expect(wrong).toEqual([]);
});

test('a guest is sent to sign in, and back to the wanted page', async ({ page, demo }) => {
  for (const { site, path } of demo.pages.filter(({ site: { pattern } }) => !open.test(pattern))) {
    const reply = await page.request.get(demo.origin + path, { maxRedirects: 0 });
    expect(reply.status(), path).toBe(302);
    expect(reply.headers().location, site.pattern).toContain('/oidc/');
  }
});
