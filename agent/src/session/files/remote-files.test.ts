// Reading of files from ssh servers that send different amounts for one request.
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import ssh2, { type SFTPWrapper } from 'ssh2';
import { afterEach, expect, test } from 'vitest';
import { generateHostKey } from '../../../test/ssh-host.ts';
import { RemoteFiles } from './remote-files.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const openSsh = 'OpenSSH_9.2';
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A host with one file, `/file`, whose server has this name and sends at most `maxBytes` for one request. */
async function startHost(content: Buffer, { ident, maxBytes }: { ident: string; maxBytes: number }) {
  /** Bytes of each request. */
  const requested: number[] = [];
  const attrs = { mode: 0o100644, uid: 0, gid: 0, size: content.length, atime: 0, mtime: 0 };
  const server = new ssh2.Server({ hostKeys: [generateHostKey()], ident }, (client) => {
    client.on('authentication', (auth) => auth.accept());
    client.on('session', (accept) => {
      accept().on('sftp', (acceptSftp) => {
        const sftp = acceptSftp();
        sftp.on('REALPATH', (id, path) => sftp.name(id, [{ filename: path, longname: path, attrs }]));
        sftp.on('STAT', (id) => sftp.attrs(id, attrs));
        sftp.on('OPEN', (id) => sftp.handle(id, Buffer.of(1)));
        sftp.on('CLOSE', (id) => sftp.status(id, STATUS_CODE.OK));
        sftp.on('READ', (id, _, offset, length) => {
          requested.push(length);
          const bytes = content.subarray(offset, offset + Math.min(length, maxBytes));
          if (bytes.length > 0) sftp.data(id, bytes);
          else sftp.status(id, STATUS_CODE.EOF);
        });
      });
    });
    client.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new ssh2.Client();
  closing.push(() => {
    client.destroy();
    server.close();
  });
  client.connect({ host: '127.0.0.1', port, username: 'ops', password: 'any' });
  await once(client, 'ready');
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) =>
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened))),
  );
  return { files: await RemoteFiles.open(sftp, '/'), requested };
}

async function download(files: RemoteFiles, offset = 0): Promise<Buffer> {
  const { content, close } = await files.openDownload('/file', offset);
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(Buffer.from(piece));
  await close();
  return Buffer.concat(pieces);
}

const content = randomBytes(3_000_001);

test('a server of OpenSSH is asked for much at once', async () => {
  const { files, requested } = await startHost(content, { ident: openSsh, maxBytes: 256 * 1024 });
  expect((await download(files)).equals(content)).toBe(true);
  expect(requested.length).toBe(Math.ceil(content.length / (254 * 1024)));
  expect((await download(files, 2_000_000)).equals(content.subarray(2_000_000))).toBe(true);
});

test.each([
  ['that sends less than it was asked for', { ident: openSsh, maxBytes: 64 * 1024 }],
  ['that may not be asked for much', { ident: 'other_1.0', maxBytes: 256 * 1024 }],
])('a server %s is asked for less from then on', async (_, server) => {
  const { files, requested } = await startHost(content, server);
  expect((await download(files)).equals(content)).toBe(true);
  expect(requested.slice(-20).every((bytes) => bytes <= 31 * 1024)).toBe(true);
});

test('no more than 2 MiB are requested ahead', async () => {
  const { files, requested } = await startHost(content, { ident: openSsh, maxBytes: 256 * 1024 });
  const { content: pieces } = await files.openDownload('/file', 0);
  const first = await pieces.next();
  const ahead = requested.reduce((sum, bytes) => sum + bytes, 0);
  expect(first.value?.length).toBe(254 * 1024);
  expect(ahead).toBeLessThanOrEqual(2 * 1024 * 1024);
  await pieces.return(undefined);
});

const roomy = { f_frsize: 4096, f_bavail: 1000, f_files: 200, f_favail: 100, f_flag: 0 };

type Done = (error: unknown, value?: unknown) => void;

/** A host that takes nothing, and only says that it failed, as OpenSSH does. */
function failingHost(fileSystem: typeof roomy | undefined, options: { failsAtOpen?: boolean } = {}) {
  const failure = Object.assign(new Error('Failure'), { code: STATUS_CODE.FAILURE });
  const removed: string[] = [];
  const sftp = Object.assign(new EventEmitter(), {
    realpath: (path: string, done: Done) => done(undefined, path),
    lstat: (_: string, done: Done) => done(failure),
    open: (_path: string, _flags: string, done: Done) =>
      options.failsAtOpen ? done(failure) : done(undefined, Buffer.of(1)),
    close: (_: Buffer, done: Done) => done(undefined),
    write: (...given: unknown[]) => (given.at(-1) as Done)(failure),
    unlink(path: string, done: Done) {
      removed.push(path);
      done(undefined);
    },
    ext_openssh_statvfs(_: string, done: Done) {
      if (!fileSystem) throw new Error('Server does not support this extended request');
      done(undefined, fileSystem);
    },
  });
  const openUpload = async () =>
    (await RemoteFiles.open(sftp as unknown as SFTPWrapper, '/')).openUpload('/file', 0, 10_000);
  return { sftp, removed, openUpload };
}

const { FAILURE } = STATUS_CODE;
test.each([
  ['a full disk', { ...roomy, f_bavail: 2 }, 'NO_SPACE', FAILURE],
  ['a disk without any space', { ...roomy, f_bavail: 0 }, 'NO_SPACE', 'NO_SPACE'],
  ['a disk that takes no more files', { ...roomy, f_favail: 0 }, FAILURE, 'NO_SPACE'],
  ['a disk that does not count files', { ...roomy, f_files: 0, f_favail: 0 }, FAILURE, FAILURE],
  ['a disk that is read-only', { ...roomy, f_flag: 1 }, 'READ_ONLY', 'READ_ONLY'],
  ['a disk with room', roomy, FAILURE, FAILURE],
  ['a host that says nothing of its disk', undefined, FAILURE, FAILURE],
])('an upload to %s fails with its reason', async (_, fileSystem, atWrite, atOpen) => {
  const { openUpload, removed } = failingHost(fileSystem);
  const upload = await openUpload();
  const writes = [0, 5_000].map((position) => upload.write(position, Buffer.alloc(10_000)));
  for (const write of writes) await expect(write).rejects.toMatchObject({ code: atWrite });
  await upload.close();
  // What is there would keep the disk full.
  expect(removed).toEqual(atWrite === 'NO_SPACE' ? ['/file.yagura-part'] : []);
  await expect(failingHost(fileSystem, { failsAtOpen: true }).openUpload()).rejects.toMatchObject({
    code: atOpen,
  });
});

test('what waits for an answer, or asks later, fails once the channel is closed', async () => {
  const { sftp, openUpload } = failingHost(roomy);
  const upload = await openUpload();
  // As the library does it.
  let cleanUp = () => {};
  sftp.write = (...given: unknown[]) => {
    cleanUp = () => (given.at(-1) as Done)(new Error('No response from server'));
  };
  const write = upload.write(0, Buffer.alloc(10));
  cleanUp();
  sftp.emit('close');
  await expect(write).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  await expect(upload.write(10, Buffer.alloc(10))).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  await upload.close();
});
