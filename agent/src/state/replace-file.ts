// Writes a file of the state folder as a whole.
import { open, rename } from 'node:fs/promises';

/** Written to another file, flushed and renamed, so that the file is never incomplete. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, path);
}
