import { constants, existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type DiskFile, nodeDisk, writeAll } from './disk.ts';

/** A file that takes at most `maxBytes` bytes of each write. */
function createFile(maxBytes: number) {
  const content = Buffer.alloc(16);
  let writes = 0;
  const file = {
    async writev(parts: readonly Buffer[], position: number) {
      writes += 1;
      if (writes > 20) throw new Error('writes for ever');
      return Buffer.concat(parts).copy(content, position, 0, maxBytes);
    },
  } as DiskFile;
  return { file, content };
}

it.each([1, 2, 4, 100])(
  'writes all bytes at their position when the system takes %s at once',
  async (maxBytes) => {
    const { file, content } = createFile(maxBytes);
    await writeAll(file, [Buffer.from('abc'), Buffer.from('de')], 3);
    expect(content.toString('latin1')).toBe('\0\0\0abcde'.padEnd(16, '\0'));
  },
);

it('fails when the system takes nothing', async () => {
  const { file } = createFile(0);
  await expect(writeAll(file, [Buffer.from('abc')], 0)).rejects.toThrow('took 0 of 3 bytes');
});

it.skipIf(!existsSync('/dev/full')).each([1, 2])(
  'fails when the disk is full, with %i parts',
  async (parts) => {
    const file = await nodeDisk.open('/dev/full', constants.O_WRONLY);
    const written = writeAll(file, Array(parts).fill(Buffer.from('abc')), 0);
    await expect(written).rejects.toMatchObject({ code: 'ENOSPC' });
    await file.close();
  },
);
