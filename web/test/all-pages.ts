// Visits every page in both languages: as a privileged user in a browser, as each role and as a guest through
// documents.
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';
import { type RoleName, roleNames } from '@yagura/core/access/role-map';
import { type Language, languages } from '@yagura/core/i18n/language';
import { type PageStop, test } from './all-pages-fixture.ts';
import { createGuest, type HttpUser, inviteUser } from './http-user.ts';
import { expectedAccess } from './page-access.ts';
import { type ParsedPage, parsePage } from './parse-page.ts';

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Pages that are open to guests. */
const openPages = /^\/(403|404|error|\*)$/;
/** Pages that start, continue or end a sign-in and redirect by themselves. */
const redirectedPages =
  /^\/(authorize|signed-out|change-email|change-password|activate-invitation|link-account)$/;
/** Number of pages visited concurrently. */
const maxConcurrent = 3;

test('the demo has something for every page', ({ demo }) => {
  expect(demo.gaps).toEqual([]);
});

/** If set, each language visits half of the pages, which keeps the full test suite short. */
const isSharedServer = Boolean(process.env.YAGURA_WALK_SHARED);

for (const [turn, language] of languages.entries()) {
  test(`every page is whole in ${language}`, async ({ demo, browser, userAgent, timezoneId }) => {
    // Each language has its own theme and width, so that both themes and widths are covered.
    const look =
      language === 'en'
        ? ({ colorScheme: 'light', viewport: { width: 1280, height: 800 } } as const)
        : ({ colorScheme: 'dark', viewport: { width: 320, height: 640 } } as const);
    const context = await browser.newContext({ userAgent, timezoneId, locale: language, ...look });
    const developer = { name: 'yagura.developer-mode', value: 'true', url: demo.origin };
    await context.addCookies([...(await demo.administrator.cookies()), developer]);
    const stops = demo.stops.filter((_, index) => !isSharedServer || index % languages.length === turn);
    const wrong = await visitConcurrently(stops, async () => {
      const visit = await createVisitor(context, demo.origin, language);
      return (stop) => visit(stop);
    });
    await context.close();
    expect(wrong).toEqual([]);
  });
}

const screenshotFolder = process.env.YAGURA_WALK_SHOTS;
/** Patterns of the main pages. */
const screenshotPaths = [
  '/',
  '/preference/space',
  '/preference/users',
  '/apps/alerthub/messages',
  '/apps/alerthub/messages/:messageId/why',
  '/apps/alerthub/scopes',
  '/apps/alerthub/scopes/:scopeId',
  '/apps/alerthub/scopes/:scopeId/mute-schedules',
  '/apps/alerthub/rules/:ruleId',
  '/apps/alerthub/rules/new',
  '/apps/alerthub/actions/new',
  '/apps/alerthub/runbooks/:runbookId/flow',
  '/apps/alerthub/receive-slots/:receiveSlotId',
  '/apps/sonar/networks/:networkId',
  '/apps/sonar/networks/:networkId/managed-nodes',
  '/apps/sonar/networks/:networkId/managed-nodes/:managedNodeId',
  '/apps/greac/destinations/:destinationId',
  '/apps/greac/sessions',
  '/apps/pigeon/callflows/:callflowId',
  '/apps/pigeon/results/:resultId',
];

/** Taken on request only. */
const screenshotTest = screenshotFolder ? test : () => {};

screenshotTest('pictures of the main pages', async ({ demo, browser, userAgent, timezoneId }) => {
  for (const language of languages)
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1440]) {
        const viewport = { width, height: 900 };
        const context = await browser.newContext({
          userAgent,
          timezoneId,
          locale: language,
          colorScheme,
          viewport,
        });
        await context.addCookies(await demo.administrator.cookies());
        const page = await context.newPage();
        for (const { pattern, path } of demo.stops.filter(({ pattern }) =>
          screenshotPaths.includes(pattern),
        )) {
          await page.goto(demo.origin + path, { waitUntil: 'load' });
          const name = pattern.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home';
          const file = join(screenshotFolder!, `${name}-${language}-${colorScheme}-${width}.png`);
          await page.screenshot({ path: file });
          console.log(file);
        }
        await context.close();
      }
});

test('every page is right, forbidden or missing for each role', async ({ demo }) => {
  const wrong: string[] = [];
  for (const [number, role] of roleNames.entries()) {
    const user = await inviteUser(demo, demo.administrator, role);
    const problems = await visitConcurrently(demo.stops, async () => (stop) => {
      // Pages and roles alternate between the languages, so that each is seen in both.
      const language = languages[(number + demo.stops.indexOf(stop)) % languages.length]!;
      return checkDocument(user, role, stop, language);
    });
    wrong.push(...problems.map((problem) => `${role}, ${problem}`));
    await user.close();
  }
  expect(wrong).toEqual([]);
});

test('a guest sees the open pages, and is sent to sign in by all others', async ({ demo }) => {
  const nobody = await createGuest(demo);
  const wrong = await visitConcurrently(demo.stops, async () => async ({ pattern, path }) => {
    const reply = await nobody.get(path, 'en', false);
    const sent = reply.status() === 302 && (reply.headers().location ?? '').includes('/oidc/');
    return sent === openPages.test(pattern) ? [`answered with ${reply.status()}`] : [];
  });
  await nobody.close();
  expect(wrong).toEqual([]);
});

type VisitPage = (stop: PageStop) => Promise<string[]>;

/** Visits all stops with a few visitors concurrently; returns the faults, each with its path. */
async function visitConcurrently(
  stops: readonly PageStop[],
  enter: () => Promise<VisitPage>,
): Promise<string[]> {
  const left = stops.filter(({ pattern }) => !redirectedPages.test(pattern));
  const wrong: string[] = [];
  const walkOn = async () => {
    const visit = await enter();
    for (let stop = left.shift(); stop; stop = left.shift()) {
      const { path } = stop;
      wrong.push(...(await visit(stop)).map((problem) => `${path}: ${problem}`));
    }
  };
  await Promise.all(Array.from({ length: maxConcurrent }, walkOn));
  return wrong.sort();
}

async function checkDocument(
  user: HttpUser,
  role: RoleName,
  stop: PageStop,
  language: Language,
): Promise<string[]> {
  let reply = await user.get(stop.path, language, false);
  let to = reply.headers().location ?? '';
  // A page may add parameters to its URL.
  if (to.startsWith(`${stop.path}?`)) {
    reply = await user.get(to, language, false);
    to = reply.headers().location ?? '';
  }
  const came = /^\/40[34](\?|$)/.exec(to) ? (to.startsWith('/403') ? 'forbidden' : 'missing') : 'page';
  const expected = expectedAccess(stop.pattern, role);
  if (came !== expected) return [`${expected} was expected, it is ${came}`];
  if (came !== 'page') return [];
  if (reply.status() !== expectedStatus(stop)) return [`answered with ${reply.status()} ${to}`];
  return checkPage(parsePage(await reply.text()), stop, language);
}

function expectedStatus({ pattern }: PageStop): number {
  if (pattern === '/403') return 403;
  return /^\/(404|\*)$/.test(pattern) ? 404 : 200;
}

/** Returns the faults in a page's text. */
function checkPage(parsed: ParsedPage, stop: PageStop, language: Language): string[] {
  const problems = parsed.missingTranslations.map((key) => `the word ${key} is missing`);
  if (parsed.language !== language) problems.push(`the language is ${parsed.language}`);
  if (parsed.heading === '') problems.push('there is no heading');
  if (!/^\S.* · Yagura$/.test(parsed.title)) problems.push(`the title is "${parsed.title}"`);
  if (!stop.layouts.includes('shell/layout/default-layout.tsx') || stop.pattern === '/') return problems;
  const last = parsed.crumbs.at(-1);
  if (last === undefined) problems.push('there are no breadcrumbs');
  else if (!parsed.title.startsWith(last))
    problems.push(`"${last}" ends the breadcrumbs, "${parsed.title}" is the title`);
  if (parsed.crumbs.some((crumb) => crumb === '')) problems.push('a breadcrumb is empty');
  return problems;
}

/** Returns a tab that visits one page after another. */
async function createVisitor(
  context: BrowserContext,
  origin: string,
  language: Language,
): Promise<VisitPage> {
  const page = await context.newPage();
  let complaints: string[] = [];
  let asked: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => asked.push(...requestKey(request)));
  const look: VisitPage = async (stop) => {
    complaints = [];
    asked = [];
    const reply = await page.goto(origin + stop.path, { waitUntil: 'load' });
    const status = expectedStatus(stop);
    if (reply?.status() !== status) return [`answered with ${reply?.status()}, not ${status}`];
    const problems = checkPage(parsePage(await page.content()), stop, language);
    problems.push(...(await checkWidth(page)), ...(await checkAccessibility(page)));
    const own = `status of ${status}`;
    for (const line of complaints.filter((line) => status === 200 || !line.includes(own)))
      problems.push(`the console says ${line.slice(0, 300)}`);
    const twice = asked.filter((question, at) => asked.indexOf(question) !== at);
    for (const question of new Set(twice)) problems.push(`${duplicateRequest}: ${question}`);
    return problems;
  };
  return async (stop) => {
    const problems = await look(stop);
    // A change during the visit causes a legitimate second request; repeated duplicates are a fault.
    return problems.some((problem) => problem.startsWith(duplicateRequest)) ? look(stop) : problems;
  };
}

const duplicateRequest = 'asked twice';

function requestKey(request: Request): string[] {
  const counts = ['fetch', 'xhr', 'document'].includes(request.resourceType());
  if (!counts) return [];
  // A session whose gateway is away is attached again after a second.
  if (request.url().endsWith('/attach')) return [];
  return [`${request.method()} ${request.url()}`];
}

/**
 * Returns what overflows the page horizontally; tables and drawings have their own scroll containers (WCAG
 * 1.4.10).
 */
async function checkWidth(page: Page): Promise<string[]> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const { width: seen } = page.viewportSize()!;
  return width > seen ? [`it is ${width} pixels wide on a screen of ${seen}`] : [];
}

async function checkAccessibility(page: Page): Promise<string[]> {
  // The other mode, for frames of other origins, opens a new page for every analysis.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await axe
    .options({ runOnly: { type: 'tag', values: axeTags }, resultTypes: ['violations'] })
    .analyze();
  return violations.map(({ id, nodes }) => {
    const places = nodes.slice(0, 5).map(({ html }) => html.slice(0, 160));
    return `axe ${id} at ${nodes.length}: ${places.join(' | ')}`;
  });
}
