/** The engine's template: an initialised, empty data folder as one gzip file, from which a first start takes a second instead of five. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The version of PGlite that the engine worker was written for; the template's name carries it. */
export const engineVersion = '0.5.16';

/** The file name of a template; another engine version never takes a template that is not its own. */
export const templateName = `engine-template-${engineVersion}.tar.gz`;

/** Builds the template at a path unless it is there, about 5 s; several builders at once do no harm. Gives the path. */
export async function ensureTemplate(file: string): Promise<string> {
  if (existsSync(file)) return file;
  const bytes = await buildTemplate();
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${randomUUID()}.partial`;
  writeFileSync(partial, bytes);
  renameSync(partial, file);
  return file;
}

/** The template to start from: the given file, else the one beside this module (a production build); undefined when there is none. */
export function findTemplate(given?: string): string | undefined {
  const candidates = [given, fileURLToPath(new URL(`./${templateName}`, import.meta.url))];
  return candidates.find((file) => file !== undefined && existsSync(file));
}

/** Where tests and development keep the template: node_modules/.cache/yagura of the workspace around `from`. */
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
