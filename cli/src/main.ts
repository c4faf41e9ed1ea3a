#!/usr/bin/env node
// Entry point: prints the version directly and loads everything else on demand.
import { version } from './version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') process.stdout.write(`yagura ${version}\n`);
else {
  const { run } = await import('./run.ts');
  await run(process);
}
