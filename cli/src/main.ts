#!/usr/bin/env node
// The entry: answers for its version at once and loads the rest only when it is wanted.
import { version } from './version.ts';

const [first] = process.argv.slice(2);
if (first === '--version' || first === '-V') process.stdout.write(`yagura ${version}\n`);
else {
  const { run } = await import('./run.ts');
  await run(process);
}
