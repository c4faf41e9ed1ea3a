#!/usr/bin/env node
// Runs the built program. npm links commands on installation, before anything is built, and only to files that exist.
import { existsSync } from 'node:fs';

const program = new URL('../dist/main.js', import.meta.url);
if (existsSync(program)) {
  try {
    await import(program.href);
  } catch (error) {
    // The modules themselves can't be read, so that nothing of the program reports it.
    const hint = /EMFILE/.test(error.message)
      ? '\nThis process may open too few files. It needs at least 1,024: raise "ulimit -n", or LimitNOFILE of the unit.'
      : '';
    process.stderr.write(`yagura-server could not start: ${error.message}${hint}\n`);
    process.exitCode = 1;
  }
} else {
  process.stderr.write('yagura-server is not built yet: run "npm run build" first\n');
  process.exitCode = 1;
}
