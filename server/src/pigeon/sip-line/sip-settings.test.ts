import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSipSettings, SipSettingsError } from './sip-settings.ts';

const trunk = {
  name: 'main',
  host: 'sip.example.com',
  user: 'alice',
  password: 'hunter2-secret',
  callerId: '0501',
};

describe('the trunk file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'yagura-trunks-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(content: unknown, mode = 0o600): string {
    const file = join(folder, 'trunks.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    chmodSync(file, mode);
    return file;
  }

  function problemsOf(content: unknown, mode?: number): readonly string[] {
    try {
      readSipSettings(write(content, mode));
      return [];
    } catch (error) {
      expect(error).toBeInstanceOf(SipSettingsError);
      expect((error as Error).message).not.toContain('hunter2');
      return (error as SipSettingsError).problems;
    }
  }

  test('has defaults', () => {
    writeFileSync(join(folder, 'ca.pem'), 'CERTIFICATE');
    const settings = readSipSettings(write({ trunks: [{ ...trunk, transport: 'tls', caFile: 'ca.pem' }] }));
    expect(settings).toMatchObject({
      local: { address: '0.0.0.0', port: 5060 },
      trunks: [
        {
          name: 'main',
          domain: 'sip.example.com',
          registers: true,
          ca: 'CERTIFICATE',
          refer: false,
          srtp: 'never',
          limits: { callsPerSecond: 5, callsAtOnce: 30, callsPerDay: 1000 },
        },
      ],
    });
  });

  test('reports all errors at once, with their fields and without values', () => {
    expect(
      problemsOf({
        local: { address: 'hunter2' },
        rtpPorts: { first: 20_000, last: 20_000 },
        trunks: [
          { ...trunk, transport: 'sctp', host: 'a b' },
          { ...trunk, callerId: 'a@hunter2', limits: { callsPerDay: 0 } },
          { name: 'other', host: '127.0.0.1', callerId: '1', registers: true, hunter: 1 },
        ],
      }).map((problem) => problem.split(':')[0]),
    ).toEqual([
      'local.address',
      'rtpPorts',
      'trunks[0].transport',
      'trunks[0].host',
      'trunks[1].callerId',
      'trunks[1].limits.callsPerDay',
      'trunks[2]',
      'trunks[2].user',
    ]);
    expect(problemsOf({ trunks: [trunk, trunk] })).toEqual(['trunks[1].name: another trunk has this name']);
    expect(problemsOf({ trunks: [{ ...trunk, user: '', registers: true }] })[0]).toMatch(
      /^trunks\[0\]\.user/,
    );
    expect(problemsOf({ trunks: [{ ...trunk, caFile: 'none.pem' }] })).toEqual([
      'trunks[0].caFile: the file does not exist (ENOENT)',
    ]);
    expect(problemsOf({ trunks: [] })[0]).toMatch(/^trunks/);
    expect(problemsOf([])[0]).toMatch(/^the file/);
  });

  test('is not repeated when it is not JSON', () => {
    expect(problemsOf('{"password": "hunter2" x')).toEqual(['the file is not JSON']);
  });

  test.each([0o644, 0o620, 0o604])('is refused with mode %o', (mode) => {
    expect(problemsOf({ trunks: [trunk] }, mode)[0]).toContain('chmod 600');
  });

  test('can be read by its group', () => {
    expect(problemsOf({ trunks: [trunk] }, 0o640)).toEqual([]);
  });
});
