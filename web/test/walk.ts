// Every page of the site map in both languages: for a privileged person in a browser, for each role and a guest as documents.
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';
import { type RoleName, roleNames } from '@yagura/core/access/role-map';
import { type Language, languages } from '@yagura/core/words/language';
import { factsOf, type PageFacts } from './page-facts.ts';
import { guest, invited, type Person } from './person.ts';
import { type Stop, test } from './walk-demo.ts';
import { seen } from './who-sees.ts';

const severe = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Pages that anybody may see, signed in or not. */
const open = /^\/(403|404|error|\*)$/;
/** Pages of a sign-in in progress, or that end one, which lead on by themselves. */
const leadsOn = /^\/(authorize|signed-out|change-email|change-password|activate-invitation|link-account)$/;
/** Pages that are looked at side by side. */
const atOnce = 3;

test('the demo has something for every page', ({ demo }) => {
  expect(demo.gaps).toEqual([]);
});

/** With this set the languages share the pages, each its half: what a run of the whole suite has time for. */
const isShared = Boolean(process.env.YAGURA_WALK_SHARED);

for (const [turn, language] of languages.entries()) {
  test(`every page is whole in ${language}`, async ({ demo, browser, userAgent, timezoneId }) => {
    // Each language has another theme and width, so that every page is seen in both.
    const look =
      language === 'en'
        ? ({ colorScheme: 'light', viewport: { width: 1280, height: 800 } } as const)
        : ({ colorScheme: 'dark', viewport: { width: 320, height: 640 } } as const);
    const context = await browser.newContext({ userAgent, timezoneId, locale: language, ...look });
    const developer = { name: 'yagura.developer-mode', value: 'true', url: demo.origin };
    await context.addCookies([...(await demo.first.cookies()), developer]);
    const stops = demo.stops.filter((_, index) => !isShared || index % languages.length === turn);
    const wrong = await sideBySide(stops, async () => {
      const visit = await visitor(context, demo.origin, language);
      return (stop) => visit(stop);
    });
    await context.close();
    expect(wrong).toEqual([]);
  });
}

const folder = process.env.YAGURA_WALK_SHOTS;
/** Main pages, by their patterns. */
const main = [
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

/** Taken only for somebody who wants to look at them. */
const pictures = folder ? test : () => {};

pictures('pictures of the main pages', async ({ demo, browser, userAgent, timezoneId }) => {
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
        await context.addCookies(await demo.first.cookies());
        const page = await context.newPage();
        for (const { pattern, path } of demo.stops.filter(({ pattern }) => main.includes(pattern))) {
          await page.goto(demo.origin + path, { waitUntil: 'load' });
          const name = pattern.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '') || 'home';
          const file = join(folder!, `${name}-${language}-${colorScheme}-${width}.png`);
          await page.screenshot({ path: file });
          console.log(file);
        }
        await context.close();
      }
});

test('every page is right, forbidden or missing for each role', async ({ demo }) => {
  const wrong: string[] = [];
  for (const [number, role] of roleNames.entries()) {
    const user = await invited(demo, demo.first, role);
    const faults = await sideBySide(demo.stops, async () => (stop) => {
      // Pages and roles take turns with the languages: each of them is seen in both.
      const language = languages[(number + demo.stops.indexOf(stop)) % languages.length]!;
      return documentFor(user, role, stop, language);
    });
    wrong.push(...faults.map((fault) => `${role}, ${fault}`));
    await user.leave();
  }
  expect(wrong).toEqual([]);
});

test('a guest sees the open pages, and is sent to sign in by all others', async ({ demo }) => {
  const nobody = await guest(demo);
  const wrong = await sideBySide(demo.stops, async () => async ({ pattern, path }) => {
    const reply = await nobody.get(path, 'en', false);
    const sent = reply.status() === 302 && (reply.headers().location ?? '').includes('/oidc/');
    return sent === open.test(pattern) ? [`answered with ${reply.status()}`] : [];
  });
  await nobody.leave();
  expect(wrong).toEqual([]);
});

type Visit = (stop: Stop) => Promise<string[]>;

/** Goes to all stops with a few visitors at a time; gives what was wrong, each with its path. */
async function sideBySide(stops: readonly Stop[], enter: () => Promise<Visit>): Promise<string[]> {
  const left = stops.filter(({ pattern }) => !leadsOn.test(pattern));
  const wrong: string[] = [];
  const walkOn = async () => {
    const visit = await enter();
    for (let stop = left.shift(); stop; stop = left.shift()) {
      const { path } = stop;
      wrong.push(...(await visit(stop)).map((fault) => `${path}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, walkOn));
  return wrong.sort();
}

async function documentFor(user: Person, role: RoleName, stop: Stop, language: Language): Promise<string[]> {
  let reply = await user.get(stop.path, language, false);
  let to = reply.headers().location ?? '';
  // A page may put what it needs to know into its address.
  if (to.startsWith(`${stop.path}?`)) {
    reply = await user.get(to, language, false);
    to = reply.headers().location ?? '';
  }
  const came = /^\/40[34](\?|$)/.exec(to) ? (to.startsWith('/403') ? 'forbidden' : 'missing') : 'page';
  const expected = seen(stop.pattern, role);
  if (came !== expected) return [`${expected} was expected, it is ${came}`];
  if (came !== 'page') return [];
  if (reply.status() !== statusOf(stop)) return [`answered with ${reply.status()} ${to}`];
  return faultsOf(factsOf(await reply.text()), stop, language);
}

function statusOf({ pattern }: Stop): number {
  if (pattern === '/403') return 403;
  return /^\/(404|\*)$/.test(pattern) ? 404 : 200;
}

/** What is wrong with the words of a page. */
function faultsOf(facts: PageFacts, stop: Stop, language: Language): string[] {
  const faults = facts.missingWords.map((key) => `the word ${key} is missing`);
  if (facts.language !== language) faults.push(`the language is ${facts.language}`);
  if (facts.heading === '') faults.push('there is no heading');
  if (!/^\S.* · Yagura$/.test(facts.title)) faults.push(`the title is "${facts.title}"`);
  if (!stop.around.includes('shell/default-layout.tsx') || stop.pattern === '/') return faults;
  const last = facts.crumbs.at(-1);
  if (last === undefined) faults.push('there are no breadcrumbs');
  else if (!facts.title.startsWith(last))
    faults.push(`"${last}" ends the breadcrumbs, "${facts.title}" is the title`);
  if (facts.crumbs.some((crumb) => crumb === '')) faults.push('a breadcrumb is empty');
  return faults;
}

/** A tab that looks at one page after the other. */
async function visitor(context: BrowserContext, origin: string, language: Language): Promise<Visit> {
  const page = await context.newPage();
  let complaints: string[] = [];
  let asked: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => asked.push(...questionOf(request)));
  const look: Visit = async (stop) => {
    complaints = [];
    asked = [];
    const reply = await page.goto(origin + stop.path, { waitUntil: 'load' });
    const status = statusOf(stop);
    if (reply?.status() !== status) return [`answered with ${reply?.status()}, not ${status}`];
    const faults = faultsOf(factsOf(await page.content()), stop, language);
    faults.push(...(await tooWide(page)), ...(await inaccessible(page)));
    const own = `status of ${status}`;
    for (const line of complaints.filter((line) => status === 200 || !line.includes(own)))
      faults.push(`the console says ${line.slice(0, 300)}`);
    const twice = asked.filter((question, at) => asked.indexOf(question) !== at);
    for (const question of new Set(twice)) faults.push(`${askedTwice}: ${question}`);
    return faults;
  };
  return async (stop) => {
    const faults = await look(stop);
    // What changes while a page is looked at is asked for again, and rightly; a fault is what asks twice each time.
    return faults.some((fault) => fault.startsWith(askedTwice)) ? look(stop) : faults;
  };
}

const askedTwice = 'asked twice';

/** The router asks again and again which screens lie behind the links in sight; its replies are kept by the browser. */
function questionOf(request: Request): string[] {
  const counts = ['fetch', 'xhr', 'document'].includes(request.resourceType());
  if (!counts || request.url().includes('/__manifest?')) return [];
  return [`${request.method()} ${request.url()}`];
}

/** What stands out of the page sideways; tables and drawings scroll in boxes of their own (WCAG 1.4.10). */
async function tooWide(page: Page): Promise<string[]> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  const { width: seen } = page.viewportSize()!;
  return width > seen ? [`it is ${width} pixels wide on a screen of ${seen}`] : [];
}

async function inaccessible(page: Page): Promise<string[]> {
  // The other mode, for frames of other origins, opens a page of its own for every analysis.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await axe
    .options({ runOnly: { type: 'tag', values: severe }, resultTypes: ['violations'] })
    .analyze();
  return violations.map(({ id, nodes }) => {
    const places = nodes.slice(0, 5).map(({ html }) => html.slice(0, 160));
    return `axe ${id} at ${nodes.length}: ${places.join(' | ')}`;
  });
}
