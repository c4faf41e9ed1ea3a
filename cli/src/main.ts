#!/usr/bin/env node
// Entry point: prints the version directly and loads everything else on demand.
import { version } from './version.ts';

const [first] = process.argv.slice(2);
const start = async () => (await import('./run.ts')).run(process);
if (first === '--version' || first === '-V') {
  // Where it cannot be written, the complete program says why.
  process.stdout.once('error', start);
  process.stdout.write(`yagura ${version}\n`);
} else await start();
