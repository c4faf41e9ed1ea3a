// Files of a host below the destination's root directory, by SFTP. Links are followed only within the root.
import { posix } from 'node:path';
import type { RemoteFile } from '@yagura/core/greac/stream/viewer-protocol';
import type { Attributes, FileEntryWithStats, SFTPWrapper } from 'ssh2';
import { FileError } from './file-error.ts';

/** Files of one listing. */
export const maxListed = 2000;
/** Characters of a name; longer ones exist on no usual file system. */
const maxName = 1024;
const maxFileBytes = 3 * 1024 ** 3;
const partSuffix = '.yagura-part';
const kindMask = 0o170000;
const kinds = new Map<number, RemoteFile['kind']>([
  [0o040000, 'directory'],
  [0o100000, 'file'],
  [0o120000, 'link'],
]);
/** Bytes that OpenSSH sends for one request; with larger requests, there are fewer packets in both directions. */
const maxRequestBytes = 254 * 1024;
/** Bytes that every server sends for one request. */
const minRequestBytes = 31 * 1024;
/** Bytes that are requested without having been read. */
const windowBytes = 2 * 1024 * 1024;
const endOfFile = 1;
/** All that OpenSSH says of a full disk, among others. */
const failure = 4;

/** In the flags of a file system (statvfs@openssh.com). */
const readOnlyFlag = 1;

type Handle = Buffer;
type FileSystem = Record<'f_frsize' | 'f_bavail' | 'f_files' | 'f_favail' | 'f_flag', number>;

export class RemoteFiles {
  private readonly sftp: SFTPWrapper;
  private root = '';
  /** Fail the requests that are not answered: after the channel has closed, the library answers none. */
  private readonly pending = new Set<(error: FileError) => void>();
  private isClosed = false;

  private constructor(sftp: SFTPWrapper) {
    this.sftp = sftp;
    sftp.once('close', () => {
      this.isClosed = true;
      for (const fail of this.pending) fail(new FileError('CONNECTION_FAILED'));
    });
  }

  static async open(sftp: SFTPWrapper, rootDirectory: string): Promise<RemoteFiles> {
    const files = new RemoteFiles(sftp);
    files.root = await files.call<string>((done) => sftp.realpath(rootDirectory, done));
    return files;
  }

  async list(path: string): Promise<{ items: RemoteFile[]; isTruncated: boolean }> {
    const { sftp } = this;
    const folder = await this.resolve(path);
    const handle = await this.call<Handle>((done) => sftp.opendir(folder, done));
    const items: RemoteFile[] = [];
    try {
      for (;;) {
        const entries = await this.call<FileEntryWithStats[] | undefined>((done) =>
          sftp.readdir(handle, done),
        ).catch((error: { code?: unknown }) => {
          if (error.code === endOfFile) return undefined;
          throw error;
        });
        if (!entries || entries.length === 0) return { items, isTruncated: false };
        for (const { filename, attrs } of entries) {
          if (filename.length > maxName) continue;
          if (filename === '.' || filename === '..') continue;
          if (items.length === maxListed) return { items, isTruncated: true };
          items.push({ name: filename, ...describe(attrs) });
        }
      }
    } finally {
      await this.closeHandle(handle);
    }
  }

  /** Content of a file from `offset` in order, read ahead by a window of requests; each piece is used again after its turn. */
  async openDownload(path: string, offset: number): Promise<Download> {
    const { sftp } = this;
    const file = await this.resolve(path);
    const stats = await this.call<Attributes>((done) => sftp.stat(file, done as never));
    if (describe(stats).kind !== 'file') throw new FileError('NOT_A_FILE');
    if (stats.size > maxFileBytes) throw new FileError('TOO_LARGE');
    const handle = await this.call<Handle>((done) => sftp.open(file, 'r', done));
    const from = Math.min(offset, stats.size);
    return {
      offset: from,
      size: stats.size,
      content: this.readInOrder(handle, from, stats.size),
      close: () => this.closeHandle(handle),
    };
  }

  /** Writes to a file of its own, which takes the place of the target when it is complete. */
  async openUpload(path: string, offset: number, size: number): Promise<Upload> {
    if (size > maxFileBytes) throw new FileError('TOO_LARGE');
    const { sftp } = this;
    const name = posix.basename(path);
    if (name === '' || name === '.' || name === '..') throw new FileError('NOT_ALLOWED');
    const folder = await this.resolve(posix.dirname(path));
    const target = posix.join(folder, name);
    const part = target + partSuffix;
    if ((await this.kindOf(target)) === 'directory') throw new FileError('EXISTS_AS_DIRECTORY');
    const existing = await this.lstat(part);
    if (existing && describe(existing).kind !== 'file') throw new FileError('NOT_ALLOWED');
    const from = Math.min(offset, existing?.size ?? 0, size);
    const handle = await this.call<Handle>((done) => sftp.open(part, from > 0 ? 'r+' : 'w', done)).catch(
      async (error) => {
        // Some file systems do not count files.
        const isFull = ({ f_bavail, f_files, f_favail }: FileSystem) =>
          f_bavail === 0 || (f_files > 0 && f_favail === 0);
        throw await this.writeErrorOf(error, folder, isFull);
      },
    );
    let isDiskFull = false;
    return {
      offset: from,
      write: (position, bytes) =>
        this.call<void>((done) =>
          sftp.write(handle, Buffer.from(bytes), 0, bytes.length, position, done),
        ).catch(async (error) => {
          const isFull = (found: FileSystem) => found.f_bavail * found.f_frsize < bytes.length;
          const reason = await this.writeErrorOf(error, folder, isFull);
          isDiskFull ||= reason instanceof FileError && reason.code === 'NO_SPACE';
          throw reason;
        }),
      finish: async () => {
        await this.call<void>((done) => sftp.fsetstat(handle, { size } as never, done));
        await this.call<void>((done) => sftp.close(handle, done));
        await this.replace(part, target);
      },
      close: async () => {
        await this.closeHandle(handle);
        // Nobody may come to continue it, and it would keep the disk full.
        if (isDiskFull) await this.call<void>((done) => sftp.unlink(part, done)).catch(() => undefined);
      },
    };
  }

  /** The real path of something below the root. */
  private async resolve(path: string): Promise<string> {
    if (!path.startsWith('/') || path.includes('\0') || path.split('/').includes('..'))
      throw new FileError('NOT_ALLOWED');
    const real = await this.call<string>((done) => this.sftp.realpath(posix.join(this.root, path), done));
    const isWithin = this.root === '/' || real === this.root || real.startsWith(`${this.root}/`);
    if (!isWithin) throw new FileError('NOT_ALLOWED');
    return real;
  }

  private async lstat(path: string): Promise<Attributes | undefined> {
    return this.call<Attributes>((done) => this.sftp.lstat(path, done as never)).catch(() => undefined);
  }

  private async kindOf(path: string): Promise<RemoteFile['kind'] | undefined> {
    const stats = await this.lstat(path);
    return stats && describe(stats).kind;
  }

  /** OpenSSH only says that it failed; what there is of the file system may say why. */
  private async writeErrorOf(
    error: unknown,
    folder: string,
    isFull: (found: FileSystem) => boolean,
  ): Promise<unknown> {
    if ((error as { code?: unknown }).code !== failure) return error;
    const found = await this.call<FileSystem>((done) =>
      this.sftp.ext_openssh_statvfs(folder, done as never),
    ).catch(() => undefined);
    if (!found) return error;
    if (found.f_flag & readOnlyFlag) return new FileError('READ_ONLY');
    return isFull(found) ? new FileError('NO_SPACE') : error;
  }

  /** By the extension of OpenSSH where it exists: the plain rename of SFTP does not replace files. */
  private async replace(from: string, to: string): Promise<void> {
    const { sftp } = this;
    try {
      await this.call<void>((done) => sftp.ext_openssh_rename(from, to, done));
    } catch {
      await this.call<void>((done) => sftp.unlink(to, done)).catch(() => undefined);
      await this.call<void>((done) => sftp.rename(from, to, done));
    }
  }

  private async *readInOrder(handle: Handle, from: number, size: number): AsyncGenerator<Uint8Array> {
    const ahead: Promise<Buffer>[] = [];
    /** Buffers whose content was taken. */
    let free: Buffer[] = [];
    let requestBytes = maxRequestBytes;
    let next = from;
    let taken = from;
    const requestLess = () => {
      if (requestBytes === minRequestBytes) return;
      requestBytes = minRequestBytes;
      free = [];
    };
    while (taken < size) {
      while (next < size && next - taken + requestBytes <= windowBytes) {
        const length = Math.min(requestBytes, size - next);
        const buffer = free.pop() ?? Buffer.alloc(length);
        const reading = this.readFully(handle, next, buffer.subarray(0, length), requestLess);
        // It is awaited in its turn.
        reading.catch(() => undefined);
        ahead.push(reading);
        next += length;
      }
      const bytes = await ahead.shift()!;
      yield bytes;
      taken += bytes.length;
      if (bytes.length === requestBytes) free.push(bytes);
    }
  }

  /** Calls `requestLess` if the server, or the library because of the server, sends less for one request. */
  private async readFully(
    handle: Handle,
    position: number,
    buffer: Buffer,
    requestLess: () => void,
  ): Promise<Buffer> {
    for (let done = 0; done < buffer.length; ) {
      const asked = position + done;
      const { count, last } = await this.call<{ count: number; last: number }>((read) =>
        this.sftp.read(handle, buffer, done, buffer.length - done, asked, (error, count, _, last) =>
          read(error, { count, last }),
        ),
      );
      // The file has become shorter.
      if (count === 0) throw new FileError('FAILED');
      done += count;
      if (done < buffer.length || last > asked) requestLess();
    }
    return buffer;
  }

  private call<T>(begin: (done: (error: Error | null | undefined, value: T) => void) => unknown): Promise<T> {
    if (this.isClosed) return Promise.reject(new FileError('CONNECTION_FAILED'));
    return new Promise((resolve, reject) => {
      this.pending.add(reject);
      try {
        begin((error, value) => {
          this.pending.delete(reject);
          // The library gives an error without a status to what waits while the channel closes.
          if (error) reject('code' in error ? error : new FileError('CONNECTION_FAILED'));
          else resolve(value);
        });
      } catch (error) {
        this.pending.delete(reject);
        throw error;
      }
    });
  }

  private closeHandle(handle: Handle): Promise<void> {
    return this.call<void>((done) => this.sftp.close(handle, done)).catch(() => undefined);
  }
}

export interface Download {
  offset: number;
  size: number;
  content: AsyncGenerator<Uint8Array>;
  close(): Promise<void>;
}

export interface Upload {
  /** Where it goes on. */
  offset: number;
  write(position: number, bytes: Uint8Array): Promise<void>;
  /** Cuts what an earlier attempt wrote beyond the end, and puts the file in its place. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

function describe({
  mode,
  size,
  mtime,
}: Pick<Attributes, 'mode' | 'size' | 'mtime'>): Omit<RemoteFile, 'name'> {
  const kind = kinds.get(mode & kindMask) ?? 'other';
  return {
    kind,
    size: kind === 'file' && Number.isFinite(size) ? size : null,
    modifiedAt: Number.isFinite(mtime) ? new Date(mtime * 1000).toISOString() : null,
  };
}
