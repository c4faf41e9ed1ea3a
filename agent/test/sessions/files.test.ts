// Files of a host by Debian's sshd: within the root, resumable, bounded.
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasSshd, startRealSshd } from './real-sshd.ts';

const within = { timeout: 60_000 };

async function startFiles(options: { hasSftp?: boolean } = {}) {
  const sshd = await startRealSshd(options);
  afterTest(() => sshd.close());
  const outside = mkdtempSync(join(tmpdir(), 'yagura-files-'));
  afterTest(() => rmSync(outside, { recursive: true, force: true }));
  const root = join(outside, 'root');
  mkdirSync(join(root, 'sub'), { recursive: true });
  writeFileSync(join(outside, 'secret'), 'outside');
  const gateway = await startGatewayUnderTest();
  const credential = await gateway.credential(sshd.credential);
  const { port } = sshd;
  const fileTransfer = { rootDirectory: root, host: '127.0.0.1', port, credential };
  const sessionId = gateway.open({ port, credential, fileTransfer });
  const viewer = await gateway.attach(sessionId);
  await viewer.gets('state', { state: 'connected' });
  return { gateway, viewer, root, outside, sessionId, port, credential };
}

test.skipIf(!hasSshd)('a listing shows the root and nothing outside of it', within, async () => {
  const { gateway, viewer, root, outside, sessionId, port, credential } = await startFiles();
  for (let count = 0; count < 500; count++)
    writeFileSync(join(root, 'sub', `file-${count}-${'x'.repeat(60)}`), '');
  writeFileSync(join(root, '櫓 1.txt'), 'abc');
  symlinkSync(outside, join(root, 'up'));
  symlinkSync(join(root, 'sub'), join(root, 'within'));
  await viewer.control({ type: 'list-files', transfer: 1, path: '/' });
  await viewer.gets('transfer-done', { transfer: 1 });
  const found = viewer.controls.flatMap((one) =>
    one.type === 'files' && one.transfer === 1 ? one.items : [],
  );
  expect(found.map(({ name, kind, size }) => [name, kind, size]).sort()).toEqual([
    ['sub', 'directory', null],
    ['up', 'link', null],
    ['within', 'link', null],
    ['櫓 1.txt', 'file', 3],
  ]);
  await viewer.control({ type: 'list-files', transfer: 2, path: '/within' });
  await viewer.gets('transfer-done', { transfer: 2 });
  const pages = viewer.controls.filter((one) => one.type === 'files' && one.transfer === 2);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap((one) => (one.type === 'files' ? one.items : []))).toHaveLength(500);
  for (const [index, path] of ['/up', '/../', '/sub/../../secret', '/up/secret', 'sub'].entries()) {
    await viewer.control({ type: 'download', transfer: 10 + index, path, offset: 0 });
    await viewer.gets('transfer-failed', { transfer: 10 + index, code: 'NOT_ALLOWED' });
  }
  const requestId = '0190a0a0-0000-7000-8000-000000000001';
  gateway.server.send({ type: 'list-files', requestId, sessionId, path: '/sub' });
  expect((await gateway.server.next('files')).items).toHaveLength(500);
  gateway.server.send({ type: 'list-files', requestId, sessionId, path: '/none' });
  expect(await gateway.server.next('files-failed')).toMatchObject({ requestId, code: 'NOT_FOUND' });
  const without = gateway.open({ port, credential });
  await gateway.server.next('opened');
  gateway.server.send({ type: 'list-files', requestId, sessionId: without, path: '/' });
  expect(await gateway.server.next('files-failed')).toMatchObject({ code: 'NOT_ENABLED' });
});

test.skipIf(!hasSshd)(
  'a file is downloaded whole, from where it was interrupted, beside a live terminal',
  within,
  async () => {
    const { viewer, root } = await startFiles();
    const content = randomBytes(3_000_001);
    writeFileSync(join(root, 'big'), content);
    await viewer.control({ type: 'download', transfer: 1, path: '/big', offset: 0 });
    await viewer.type('echo typed-$((6*7))\r');
    await viewer.sees('typed-42');
    await viewer.gets('transfer-done', { transfer: 1 });
    expect(Buffer.concat(viewer.files.get(1)!).equals(content)).toBe(true);
    await viewer.control({ type: 'download', transfer: 2, path: '/big', offset: 2_900_000 });
    await viewer.gets('transfer-done', { transfer: 2 });
    expect(Buffer.concat(viewer.files.get(2)!).equals(content.subarray(2_900_000))).toBe(true);
    await viewer.control({ type: 'download', transfer: 3, path: '/sub', offset: 0 });
    await viewer.gets('transfer-failed', { transfer: 3, code: 'NOT_A_FILE' });
  },
);

test.skipIf(!hasSshd)(
  'an upload replaces a file when it is complete, and goes on after an interruption',
  within,
  async () => {
    const { gateway, viewer, root, outside, sessionId } = await startFiles();
    const content = randomBytes(500_000);
    const target = join(root, 'sub', 'new');
    writeFileSync(target, 'old');
    const size = content.length;
    const send = async (transfer: number, from: number, to: number) => {
      for (let start = from; start < to; start += 16_000) {
        await viewer.file(transfer, content.subarray(start, Math.min(to, start + 16_000)));
        await expect
          .poll(() => {
            const written = viewer.controls.findLast((one) => one.type === 'written');
            return start + 16_000 - (written?.type === 'written' ? written.bytes : from);
          })
          .toBeLessThan(256 * 1024);
      }
    };
    await viewer.control({ type: 'upload', transfer: 1, path: '/sub/new', offset: 0, size });
    await viewer.gets('transfer', { transfer: 1, offset: 0 });
    await send(1, 0, 200_000);
    await viewer.gets('written', { bytes: 160_000 });
    await viewer.control({ type: 'cancel', transfer: 1 });
    await viewer.gets('transfer-failed', { transfer: 1, code: 'CANCELED' });
    expect(readFileSync(target, 'utf8')).toBe('old');
    await viewer.control({ type: 'upload', transfer: 2, path: '/sub/new', offset: 160_000, size });
    await viewer.gets('transfer', { transfer: 2, offset: 160_000 });
    await send(2, 160_000, size);
    await viewer.gets('transfer-done', { transfer: 2 });
    expect(readFileSync(target).equals(content)).toBe(true);

    symlinkSync(join(outside, 'secret'), join(root, 'trap.yagura-part'));
    symlinkSync(outside, join(root, 'up'));
    for (const [index, [path, code]] of [
      ['/trap', 'NOT_ALLOWED'],
      ['/up/new', 'NOT_ALLOWED'],
      ['/../new', 'NOT_ALLOWED'],
      ['/sub', 'EXISTS_AS_DIRECTORY'],
      ['/none/new', 'NOT_FOUND'],
    ].entries()) {
      await viewer.control({ type: 'upload', transfer: 10 + index, path: path!, offset: 0, size: 1 });
      await viewer.gets('transfer-failed', { transfer: 10 + index, code: code! });
    }
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('outside');
    // More than was announced ends the transfer, not the stream.
    await viewer.control({ type: 'upload', transfer: 20, path: '/more', offset: 0, size: 1 });
    await viewer.gets('transfer', { transfer: 20 });
    await viewer.file(20, Buffer.alloc(2));
    await viewer.gets('transfer-failed', { transfer: 20, code: 'PROTOCOL' });
    const watcher = await gateway.attach(sessionId, { mode: 'watch' });
    await watcher.control({ type: 'upload', transfer: 1, path: '/watched', offset: 0, size: 0 });
    await watcher.gets('transfer-failed', { transfer: 1, code: 'NOT_IN_CONTROL' });
  },
);

test.skipIf(!hasSshd)('a host without SFTP is told apart from a lost connection', within, async () => {
  const { viewer } = await startFiles({ hasSftp: false });
  await viewer.control({ type: 'list-files', transfer: 1, path: '/' });
  await viewer.gets('transfer-failed', { transfer: 1, code: 'NO_SFTP' });
});
