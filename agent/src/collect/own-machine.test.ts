import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isOwnAddress, readOwnMachine } from './own-machine.ts';

test('the machine of the agent is read without a sign-in', async () => {
  const part = (await readOwnMachine(new AbortController().signal))!;
  expect(part.source).toBe('agent');
  expect(part.fields.extraFields).toMatchObject({
    kernel: { release: execFileSync('uname', ['-r'], { encoding: 'utf8' }).trim() },
  });
  // An ssh host key was not seen, and the machine ID does not leave the machine.
  const text = JSON.stringify(part);
  expect(text).not.toContain('sshHostKey');
  expect(text).not.toContain(readFileSync('/etc/machine-id', 'utf8').trim());
  expect(part.identities.filter((identity) => identity.startsWith('key:'))).toEqual([]);
});

test('an abort ends it', async () => {
  const controller = new AbortController();
  const reading = readOwnMachine(controller.signal);
  controller.abort(new Error('stop'));
  await expect(reading).rejects.toThrow('stop');
});

test('addresses of the machine are known', () => {
  expect([isOwnAddress('127.0.0.1'), isOwnAddress('192.0.2.1')]).toEqual([true, false]);
});
