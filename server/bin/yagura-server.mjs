#!/usr/bin/env node
// Runs the built program. npm links commands on installation, before anything is built, and only to files that exist.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  process.stderr.write('yagura-server is not built yet: run "npm run build" first\n');
  process.exitCode = 1;
}
