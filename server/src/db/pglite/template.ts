/**
 * Template of the embedded engine: an initialized, empty data folder as a gzip file, which reduces the first
 * start from five seconds to one.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** PGlite version that the engine worker was written for; part of the template's file name. */
export const engineVersion = '0.5.16';

/** File name of the template; it contains the engine version, so that no other version uses it. */
export const templateName = `engine-template-${engineVersion}.tar.gz`;

/** Builds the template (about 5 s) unless it exists; safe to run concurrently. Returns the path. */
export async function ensureTemplate(file: string): Promise<string> {
  if (existsSync(file)) return file;
  const bytes = await buildTemplate();
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${randomUUID()}.partial`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
  return file;
}

/**
 * Finds the template: the given file, or the one beside this module (production build); undefined if there is
 * none.
 */
export function findTemplate(given?: string): string | undefined {
  const candidates = [given, fileURLToPath(new URL(`./${templateName}`, import.meta.url))];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/**
 * Path of the template in tests and development: node_modules/.cache/yagura of the workspace that contains
 * `from`.
 */
export function cachedTemplateFile(from: string = process.cwd()): string {
  let folder = from;
  while (!existsSync(join(folder, 'node_modules', '@electric-sql')) && dirname(folder) !== folder)
    folder = dirname(folder);
  return join(folder, 'node_modules', '.cache', 'yagura', templateName);
}

function buildTemplate(): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./engine-worker.mjs', import.meta.url), {
      workerData: { task: 'template' },
    });
    worker.on('message', (message: { type: string; bytes?: Uint8Array; reason?: string }) => {
      if (message.bytes) resolve(message.bytes);
      else reject(new Error(`The engine template cannot be built: ${message.reason}`));
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The engine template cannot be built: the worker ended')));
  });
}
