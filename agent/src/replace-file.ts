import { open, rename, rm } from 'node:fs/promises';

/** Written to another file, flushed and renamed, so that the file is never incomplete and never readable by others. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}
