// Verifies that no console source writes raw markup, so that text from users, mails and terminals is rendered
// as text (ASVS 5.0, 3.2.2).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const writes =
  /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\bsrcdoc\b|srcDoc/;

it('no source of the console hands text to the browser as markup', () => {
  const app = join(import.meta.dirname, '..');
  const sources = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
    // Helpers of tests are no part of the console.
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|(?:^|\/)test\//.test(name),
  );
  expect(sources.length).toBeGreaterThan(200);
  const found = sources.filter((name) => writes.test(readFileSync(join(app, name), 'utf8')));
  expect(found).toEqual([]);
});
