// Writes docs/security.md: each security requirement with the tests that show it. `--check` fails when a test is gone or the page is old.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { titlesOf } from './security/find-tests.mjs';
import { requirements } from './security/requirements.mjs';

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/security.md');
const problems = [];
const sources = new Map();

/** Whether a file has a test, a group or a row of a table with this title that is run. */
function isThere(file, title) {
  if (!sources.has(file)) {
    try {
      sources.set(file, titlesOf(readFileSync(join(root, file), 'utf8')));
    } catch {
      sources.set(file, new Set());
    }
  }
  return sources.get(file).has(title);
}

function line([requirement, promise, ...shown]) {
  if (shown.length === 0) problems.push(`${requirement} is shown by no test`);
  const places = shown.map(([file, title]) => {
    if (!isThere(file, title)) problems.push(`${requirement}: ${file} has no test "${title}" that is run`);
    return `[${title.replaceAll('|', '\\|')}](../${file})`;
  });
  return `| ${requirement} | ${promise} | ${places.join('; ')} |`;
}

const text = [
  '# Security',
  '',
  'What the product holds itself to, and which test shows it. Numbers are those of the OWASP Application Security Verification Standard 5.0,',
  'level 2. Written by `npm run security` from `tools/security/requirements.mjs`; `npm run check` fails when a test of this list is gone or skipped.',
  '',
  ...requirements.flatMap(({ theme, rows, text = [] }) => [
    `## ${theme}`,
    '',
    '| | Requirement | Shown by |',
    '|---|---|---|',
    ...rows.map(line),
    '',
    ...text,
    ...(text.length > 0 ? [''] : []),
  ]),
].join('\n');

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) problems.push('docs/security.md is old: run `npm run security`');
} else if (problems.length === 0) writeFileSync(page, text);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
