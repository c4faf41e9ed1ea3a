/** Data folders for tests of the embedded engine, and the template that makes their first start quick. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedTemplateFile, ensureTemplate } from '../src/db/template.ts';

/** A new empty folder and how to remove it. */
export function createDataFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'yagura-data-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The template's path; built once per installation, about 5 s. */
export function testTemplate(): Promise<string> {
  return ensureTemplate(cachedTemplateFile());
}
