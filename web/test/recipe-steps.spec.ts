// Counts what it takes from a list of receive slots to the first alert on the screen, for every recipe, in the
// console and on the command line.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import type { Sender, SenderMessage } from '@yagura/fixtures/senders/sender-message';
import { senders } from '@yagura/fixtures/senders/senders';
import { type Product, test, visit } from './product-fixture.ts';

const run = promisify(execFile);
const commandLine = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));
/** List of slots, list of recipes, form, and the page that waits for the first message. */
const maxScreens = 4;
/** The names of the slot and of the scope. */
const maxFields = 2;

/** Each recipe is counted in one of the languages. */
const sendersIn = (language: string) =>
  senders.filter((_, index) => index % 2 === (language === 'ja' ? 1 : 0));

test('every recipe leads from the list of slots to the first alert', async ({
  page,
  product,
  t,
  language,
}) => {
  test.setTimeout(300_000);
  const screens = new Set<string>();
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) screens.add(new URL(frame.url()).pathname);
  });
  await visit(page, product, '/apps/alerthub/receive-slots');
  for (const sender of sendersIn(language))
    await test.step(sender.recipe, async () => {
      const name = `${sender.recipe} ${language}`;
      let fields = 0;
      const fill = async (locator: ReturnType<Page['locator']>, text: string) => {
        if ((await locator.inputValue()) === text) return;
        await locator.fill(text);
        fields++;
      };
      await visit(page, product, '/apps/alerthub/receive-slots');
      screens.clear();
      screens.add(new URL(page.url()).pathname);
      const start = Date.now();
      await page.getByRole('link', { name: t('recipe.from') }).click();
      await page.locator(`main a[href$="/recipes/${sender.recipe}"]`).click();
      await fill(page.locator('[name=displayName]'), name);
      await fill(page.getByLabel(t('label.newScopeName')), name);
      await page.getByRole('button', { name: t('verb.create'), exact: true }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
      const { first, severity } = firstAlert(sender);
      await send(product, await page.locator('pre').innerText(), first);
      await expect(page.getByText(t('recipe.arrived'))).toBeVisible();
      await expect(page.getByRole('cell', { name: severity, exact: true })).toBeVisible();
      const seconds = (Date.now() - start) / 1000;
      report(
        sender.recipe,
        `${screens.size} screens, ${fields} fields, ${seconds.toFixed(1)} s in the console`,
      );
      expect(screens.size).toBeLessThanOrEqual(maxScreens);
      expect(fields).toBeLessThanOrEqual(maxFields);
    });
});

test('every recipe is one command', { tag: '@en' }, async ({ product, language }) => {
  test.setTimeout(300_000);
  const folder = await mkdtemp(join(tmpdir(), 'yagura-recipes-'));
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH: process.env.PATH,
    YAGURA_URL: product.origin,
    YAGURA_TOKEN: product.token,
    YAGURA_CONFIG_DIR: folder,
  };
  const yagura = async (...argv: string[]) =>
    (await run(process.execPath, [commandLine, ...argv], { env })).stdout;
  try {
    for (const sender of sendersIn(language)) {
      const name = `${sender.recipe} cli`;
      const start = Date.now();
      const flags = ['--recipe', sender.recipe, '--display-name', name, '--scope', name];
      const snippet = await yagura('alerthub', 'receive-slots', 'create', ...flags);
      const { first, severity } = firstAlert(sender);
      await send(product, snippet, first);
      const severities = () => yagura('alerthub', 'severities', 'list', '--scope', name, '--columns', 'name');
      await expect.poll(severities).toContain(severity);
      report(sender.recipe, `one command, ${((Date.now() - start) / 1000).toFixed(1)} s`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** The first message after which something is not normal, and the name of that severity. */
function firstAlert({ messages }: Sender): { first: SenderMessage; severity: string } {
  const first = messages.find(({ expected }) => Object.keys(expected).length > 0)!;
  return { first, severity: Object.keys(first.expected)[0]! };
}

/** Sends a message to the address in what the recipe says to enter at the sender. */
async function send(product: Product, snippet: string, { body, contentType }: SenderMessage): Promise<void> {
  const url = /https?:\/\/[^\s'"]+\/receive\/webhook\/[^\s'"\\]+/.exec(snippet)?.[0];
  const reply = await (url === undefined
    ? sendMail(product, snippet, body as { subject: string; text: string })
    : fetch(url, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': contentType ?? 'application/json' },
      }));
  expect(reply.ok, await reply.text()).toBe(true);
}

/** Mails arrive by HTTP here, as from a mail service. */
function sendMail(product: Product, snippet: string, { subject, text }: { subject: string; text: string }) {
  const address = /[\w.+-]+@[\w.-]+/.exec(snippet)![0];
  const mail = `From: monitor@example.com\r\nTo: ${address}\r\nSubject: ${subject}\r\n\r\n${text}`;
  return fetch(`${product.origin}/receive/mail/${encodeURIComponent(address)}`, {
    method: 'POST',
    body: mail,
    headers: { 'content-type': 'message/rfc822' },
  });
}

function report(recipe: string, counted: string): void {
  console.info(`${recipe}: ${counted}`);
}
