// Tests the player of session logs in a real browser: encrypted logs as a gateway uploads them, opened with the key in
// the page.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { SessionAttachment } from '@yagura/core/greac/session';
import type { LogKind } from '@yagura/core/greac/session-parameters';
import { partDigestsBytes } from '@yagura/core/greac/stream/gateway-protocol';
import { send, type Transport } from '@yagura/core/http/transport';
import { setUpKroker } from '@yagura/fixtures/testbed/kroker-machine';
import { connectGateway } from '@yagura/fixtures/testbed/test-gateway';
import { openViewer } from '@yagura/fixtures/testbed/test-viewer';
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { type Product, test, visit } from '../product-fixture.ts';

const shotFolder = process.env.YAGURA_WALK_SHOTS;
const screen = (page: Page) => page.locator('.xterm-rows');

const events: [number, 'o' | 'm' | 'r', string][] = [
  [1, 'o', '\x1b[1;32maoi@web1\x1b[0m:~$ '],
  [9, 'm', 'Aoi'],
  [0, 'o', 'df -h\r\n/dev/sda1  100G  98G  櫓\r\n'],
  [30, 'o', '\x1b[31mdisk full\x1b[0m on /dev/sda1\r\n'],
  [20, 'o', '\x1b[2J\x1b[Hcleaned up\r\n'],
];
const video = [{ version: 3, term: { cols: 80, rows: 24 }, timestamp: 1_767_225_600 }, ...events]
  .map((line) => JSON.stringify(line))
  .join('\n');
const text = Array.from(
  { length: 30 },
  (_, line) => `2026-01-01T00:00:${String(line).padStart(2, '0')}.000Z\tline ${line} on web1\n`,
).join('');

interface RecordedSession {
  sessionId: string;
  identity: string;
}

/** A closed session with both logs and, unless told otherwise, their ends; `damage` changes their encrypted bytes after they were signed. */
async function recordSession(
  { origin, token }: Product,
  { damage = (bytes: Uint8Array): Uint8Array => bytes, hasEnd = true } = {},
): Promise<RecordedSession> {
  const headers = () => ({ 'x-authorization': `Token ${token}` });
  const transport: Transport = { fetch, origin, headers };
  const post = async <T = Record<string, string>>(path: string, body: unknown = {}) =>
    (await send<T>(transport, { method: 'POST', path, body })).data;
  const identity = await generateIdentity();
  const publicKey = await identityToRecipient(identity);
  const { keyId } = await post('/api/apps/greac/log-keys/refresh', { publicKey });
  const displayName = `log ${randomUUID().slice(0, 8)}`;
  const machine = await setUpKroker(transport, { displayName });
  const gateway = await connectGateway({ origin, machine });
  const destination = { displayName, protocol: 'ssh', host: '192.0.2.1', krokerId: machine.krokerId };
  const { destinationId } = await post('/api/apps/greac/destinations', destination);
  const session = await post('/api/apps/greac/sessions', { destinationId, remarks: '' });
  const sessionId = session.sessionId!;
  const path = `/api/apps/greac/sessions/${sessionId}`;
  const viewer = await openViewer({
    ...{ origin, sessionId, attachment: await post<SessionAttachment>(`${path}/attach`) },
  });
  await gateway.next('open');
  for (const [kind, log] of [
    ['text', text],
    ['video', video],
  ] satisfies [LogKind, string][]) {
    const encrypter = new Encrypter();
    encrypter.addRecipient(publicKey);
    const bytes = await encrypter.encrypt(log);
    gateway.sendChunk({ sessionId, keyId: keyId!, kind, part: 1, chunk: 0 }, damage(bytes));
    await gateway.next('stored');
    gateway.sendSeal({
      ...{ sessionId, kind, part: 1, chunks: 1, bytes: bytes.length },
      digest: createHash('sha256').update(bytes).digest('base64url'),
      ...{ startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:01:00.000Z' },
    });
    await gateway.next('stored');
    if (!hasEnd) continue;
    gateway.sendEnd({
      ...{ sessionId, kind, parts: 1, bytes: bytes.length, reason: 'ended' },
      digest: createHash('sha256')
        .update(partDigestsBytes([createHash('sha256').update(bytes).digest('base64url')]))
        .digest('base64url'),
      endedAt: '2026-01-01T00:01:00.000Z',
    });
    await gateway.next('log-end-stored');
  }
  viewer.close();
  await post(`${path}/close`);
  await gateway.close();
  return { sessionId, identity };
}

const keyFile = (content: string) => ({
  ...{ name: 'key.txt', mimeType: 'text/plain' },
  buffer: Buffer.from(`# created: 2026-01-01\n${content}\n`),
});

async function shoot(page: Page, name: string): Promise<void> {
  if (!shotFolder) return;
  await mkdir(shotFolder, { recursive: true });
  for (const [width, height] of [
    [1440, 900],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(shotFolder, `${name}-${width}-${colorScheme}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

test('a log is decrypted in the page, played, sought and searched', async ({
  page,
  product,
  language,
  complaints,
  t,
}) => {
  const { sessionId, identity } = await recordSession(product);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await visit(page, product, `/apps/greac/sessions/${sessionId}/logs`);
  await expect(page.getByText(t('recording.log-complete', { count: 1 }))).toBeVisible();
  const file = page.getByLabel(t('recording.key-file'));
  await file.setInputFiles(keyFile('no key'));
  await expect(page.getByRole('alert')).toHaveText(t('recording.no-key-in-file'));
  await file.setInputFiles(keyFile(await generateIdentity()));
  await expect(page.getByText(t('recording.wrong-key', { part: 1 }))).toBeVisible();
  await page.getByRole('button', { name: t('verb.back'), exact: true }).click();
  await file.setInputFiles(keyFile(identity));

  await expect(page.getByText('line 29 on web1')).toBeVisible();
  await page.getByRole('searchbox').fill('LINE 2');
  await expect(page.getByText(t('recording.matches', { count: 11 }))).toBeVisible();
  await page.getByRole('button', { name: t('greac.video-log') }).click();

  const position = page.getByLabel(t('recording.position'));
  await position.fill('150');
  await expect(screen(page)).toContainText('98G 櫓');
  await expect(screen(page)).not.toContainText('disk full');
  await page.getByRole('searchbox').fill('disk full');
  await expect(page.getByText(t('recording.matches', { count: 1 }))).toBeVisible();
  await page.getByRole('button', { name: 'disk full' }).click();
  await expect(screen(page)).toContainText('disk full on');
  await shoot(page, `log-player-${language}`);
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(violations).toEqual([]);
  // Back, and to the end at 16 times the speed.
  await page.getByRole('button', { name: t('recording.previous-marker') }).click();
  await expect(screen(page)).not.toContainText('disk full');
  await page.getByLabel(t('recording.speed')).selectOption('16');
  await page.getByRole('button', { name: t('recording.play'), exact: true }).click();
  await expect(screen(page)).toContainText('cleaned up');
  await expect(screen(page)).not.toContainText('98G');
  await expect(page.getByRole('button', { name: t('recording.play'), exact: true })).toBeVisible();
  for (const request of sent) expect(request).not.toContain(identity.slice(20));
  expect(complaints).toEqual([]);
});

test('an altered log says so, and shows what can be read', { tag: '@ja' }, async ({
  page,
  product,
  language,
  t,
}) => {
  const { sessionId, identity } = await recordSession(product, {
    damage: (bytes) => bytes.map((byte, index) => (index === bytes.length - 3 ? byte ^ 1 : byte)),
  });
  await visit(page, product, `/apps/greac/sessions/${sessionId}/logs`);
  await expect(page.getByText(t('recording.log-altered-parts', { parts: '1' }))).toBeVisible();
  await expect(page.getByText(t('recording.complete'))).toBeHidden();
  await page.getByLabel(t('recording.key-file')).setInputFiles(keyFile(identity));
  // The only block of the log is the altered one: nothing of it is shown as if it were genuine.
  await expect(page.getByText(t('recording.damaged', { part: 1 }))).toBeVisible();
  await expect(page.getByText('line 0 on web1')).toBeHidden();
  await shoot(page, `log-altered-${language}`);
});

test('a log without its end is cut, and is shown', { tag: '@ja' }, async ({ page, product, language, t }) => {
  const { sessionId, identity } = await recordSession(product, { hasEnd: false });
  await visit(page, product, `/apps/greac/sessions/${sessionId}/logs`);
  await expect(page.getByText(t('recording.log-cut-end'))).toBeVisible();
  await page.getByLabel(t('recording.key-file')).setInputFiles(keyFile(identity));
  await expect(page.getByText('line 29 on web1')).toBeVisible();
  await shoot(page, `log-cut-${language}`);
});

test('a message leads to the host that it names, and the session back to the message', {
  tag: '@ja',
}, async ({ page, product, language, t }) => {
  const headers = { 'x-authorization': `Token ${product.token}` };
  const transport: Transport = { fetch, origin: product.origin, headers: () => headers };
  const post = async (path: string, body: unknown) =>
    (await send<Record<string, string>>(transport, { method: 'POST', path, body })).data;
  const host = `DB-${randomUUID().slice(0, 8)}.example.com`;
  await post('/api/apps/greac/destinations', { displayName: host, host });
  const slot = await post('/api/apps/alerthub/receive-slots', { displayName: host });
  const subject = `disk full on https://${host.toLowerCase()}:8443/`;
  const sent = await fetch(slot.primary!, { method: 'POST', body: JSON.stringify({ subject }) });
  expect(sent.status).toBe(202);
  const query = new URLSearchParams({ filter: `receiveSlotId eq "${slot.receiveSlotId}"` });
  const path = `/api/apps/alerthub/message/list?${query}`;
  const received = async () =>
    (await send<{ items: { messageId: string }[] }>(transport, { method: 'GET', path })).data.items[0]
      ?.messageId;
  await expect.poll(received).toBeDefined();
  const messageId = await received();
  await visit(page, product, `/apps/alerthub/messages/${messageId}`);
  const link = page.getByRole('link', { name: t('alerthub.connect', { name: host }) });
  await expect(link).toBeVisible();
  await shoot(page, `message-connect-${language}`);
  await link.click();
  await page.getByRole('button', { name: t('greac.connect'), exact: true }).click();
  await page.waitForURL(/\/apps\/greac\/connect\//);
  const sessionId = page.url().split('/').at(-1)!;
  await page.goto(`${product.origin}/apps/greac/sessions/${sessionId}`);
  await page.locator(`a[href="/apps/alerthub/messages/${messageId}"]`).click();
  await expect(page.getByText(subject).first()).toBeVisible();
});
