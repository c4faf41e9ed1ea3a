// Product under test: the built server with an empty data folder on a free port, and a local receiver for its
// webhooks.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as base, type Page } from '@playwright/test';
import { loadTranslator } from '@yagura/core/i18n/load-translations';
import type { Language, Translate } from '@yagura/core/i18n/translator';

export interface Product {
  origin: string;
  email: string;
  password: string;
  /** API token of the same user. */
  token: string;
}

/** A request sent by the product. */
export interface DeliveredRequest {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Sink {
  url: string;
  received: DeliveredRequest[];
}

interface WorkerFixtures {
  product: Product;
  sink: Sink;
}

interface TestFixtures {
  language: Language;
  t: Translate;
  /** Unexpected messages in the browser console. */
  complaints: string[];
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameters of a fixture from its pattern
    async ({}, use) => {
      const { stop, ...product } = await startProduct();
      await use(product);
      await stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  sink: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const received: DeliveredRequest[] = [];
      const server = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        received.push({ method: request.method ?? '', headers: request.headers, body });
        response.end('ok');
      });
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
      const { port } = server.address() as AddressInfo;
      await use({ url: `http://127.0.0.1:${port}/hook`, received });
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
  language: async ({ locale }, use) => use(locale?.startsWith('ja') ? 'ja' : 'en'),
  t: async ({ language }, use) => use(await loadTranslator(language)),
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    const note = (complaint: string) => {
      // Leaving a page aborts its requests for current data, and a test may block service workers.
      if (!/^AbortError|^Service Worker registration blocked/.test(complaint)) complaints.push(complaint);
    };
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) note(message.text());
    });
    page.on('pageerror', (error) => note(String(error)));
    await use(complaints);
  },
});

/** Opens a path and signs in if required. */
export async function visit(page: Page, product: Product, path: string): Promise<void> {
  await page.goto(product.origin + path);
  if (!page.url().startsWith(`${product.origin}/oidc/`)) return;
  await page.locator('input[type=email]').fill(product.email);
  await page.locator('input[type=password]').fill(product.password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL(`${product.origin}${path}`);
}

/** What React keeps at the document. */
interface ReactContainer {
  stateNode: { current: { memoizedState: { isDehydrated: boolean } } };
}

/** Resolves when the page is hydrated. */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const key = Object.keys(document).find((name) => name.startsWith('__reactContainer$'));
    const root = key && (document as unknown as Record<string, ReactContainer>)[key];
    // Elements are known to React before the page is committed; a form is then still submitted by the browser.
    return root && !root.stateNode.current.memoizedState.isDehydrated;
  });
  // Event handlers are attached afterwards, before the page is idle. A headless browser that has no frame to draw may
  // not call back at all without a timeout.
  for (const _ of [1, 2])
    await page.evaluate(
      () => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 1000 })),
    );
}

/** Starts the built server with an empty data folder; `more` are additional environment variables. */
export async function startProduct(
  more: Record<string, string> = {},
): Promise<Product & { stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'yagura-journey-'));
  const token = randomBytes(24).toString('hex');
  const { child, origin, password } = await start(folder, { ...more, YAGURA_BOOTSTRAP_TOKEN: token });
  return {
    origin,
    email: 'admin@yagura.local',
    password,
    token,
    async stop() {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function start(
  folder: string,
  more: Record<string, string>,
): Promise<{ child: ChildProcess; origin: string; password: string }> {
  const main = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, '--port', more.PORT ?? '0', '--data', folder], {
    env: { ...process.env, YAGURA_OUTBOUND_ALLOW: '127.0.0.0/8', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr!.on('data', (chunk) => {
    log += chunk;
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${log}`)));
    child.stdout!.on('data', (chunk) => {
      said += chunk;
      const origin = /Yagura is ready at (\S+)/.exec(said)?.[1];
      const password = /Sign in as \S+ with the password (\S+)/.exec(said)?.[1];
      if (origin && password) resolve({ child, origin, password });
    });
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
