// Commands on the state folder, in the process of the test.
import { join } from 'node:path';
import { createInterpolator } from '@yagura/core/i18n/interpolator';
import { loadTranslations } from '@yagura/core/i18n/load-translations';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AgentFiles, writeAgentFiles } from '../../test/write-agent-files.ts';
import { KnownHosts } from '../state/known-hosts.ts';
import { lockStateFolder } from '../state/state-lock.ts';
import { forgetHosts, listHosts } from './hosts.ts';
import { run } from './run.ts';
import type { Terminal } from './terminal.ts';

let files: AgentFiles;
let terminal: Terminal;
let printed: string[];
let notes: string[];
beforeEach(async () => {
  files = writeAgentFiles('url = "http://127.0.0.1:1"\n', `kst_${'t'.repeat(43)}`);
  printed = [];
  notes = [];
  terminal = {
    print: (line) => void printed.push(line),
    note: (line) => void notes.push(line),
    ask: async () => '',
    ...{ env: process.env, language: 'en', columns: 80, signal: new AbortController().signal },
    t: createInterpolator('en', await loadTranslations('en')),
  };
});
afterEach(() => files.remove());
const options = () => ({ settings: files.settings });

test('keys of hosts are listed and forgotten', async () => {
  await listHosts(terminal, options());
  expect(printed).toEqual([]);
  const known = new KnownHosts(join(files.folder, 'state'));
  const key = { type: 'ssh-ed25519', fingerprint: 'SHA256:abc' };
  await known.accept({ protocol: 'ssh', address: '10.0.0.5', port: 22 }, key);
  await known.accept({ protocol: 'winrm', address: '10.0.0.5', port: 5986 }, key);
  await known.accept({ protocol: 'ssh', address: '10.0.0.6', port: 22 }, key);
  await expect(forgetHosts(terminal, ['10.0.0.5', '10.0.0.7'], options())).rejects.toMatchObject({
    ...{ messageKey: 'agent.hosts.unknown', params: { addresses: '10.0.0.7' }, exitCode: 1 },
  });
  expect(notes).toEqual([
    'Forgotten: 10.0.0.5, ssh port 22, SHA256:abc',
    'Forgotten: 10.0.0.5, winrm port 5986, SHA256:abc',
  ]);
  await listHosts(terminal, options());
  expect(printed).toEqual(['10.0.0.6\tssh\t22\tssh-ed25519\tSHA256:abc']);
  await listHosts(terminal, { ...options(), json: true });
  expect(JSON.parse(printed[1]!)).toMatchObject([{ address: '10.0.0.6', port: 22 }]);
});

test('an address that is none is refused before anything is forgotten', async () => {
  await expect(forgetHosts(terminal, ['10.0.0.5', '../x'], options())).rejects.toMatchObject({
    ...{ messageKey: 'agent.hosts.address', params: { address: '../x' }, exitCode: 2 },
  });
});

test('a second agent on the same state folder does not start', async () => {
  const folder = join(files.folder, 'state');
  const lock = await lockStateFolder(folder);
  await expect(run(terminal, options())).rejects.toMatchObject({
    ...{ messageKey: 'agent.state.locked', params: { folder, pid: process.pid }, exitCode: 1 },
  });
  await lock.release();
});
