/** Data folders for tests of the embedded engine, and the template that makes their first start quick. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedTemplateFile, ensureTemplate } from '../src/db/template.ts';

const memory = '/dev/shm';
const wantedRoom = 2 * 2 ** 30;

/** In memory where there is room for many: a disk's fsync is what most of a first start waits for. */
function placeForFolders(): string {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= wantedRoom ? memory : tmpdir();
}

/** A new empty folder and how to remove it. */
export function createDataFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(placeForFolders(), 'yagura-data-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The template's path; built once per installation, about 5 s. */
export function testTemplate(): Promise<string> {
  return ensureTemplate(cachedTemplateFile());
}
