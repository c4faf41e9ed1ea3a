import { describe, expect, it } from 'vitest';
import { maxExclusions } from '../inventory/scan-report.ts';
import { agentLimits, readAgentMessage, serverMessage } from './agent-protocol.ts';

const snapshotId = '01890000-0000-7000-8000-000000000001';
const requestId = '01890000-0000-7000-8000-000000000002';
const host = { addresses: [{ addr: '192.0.2.1' }] };
const refusal = { addr: '192.0.2.9', protocol: 'ssh', code: 'SIGN_IN_FAILED', credential: 'linux' };

describe('version 1', () => {
  it('fills in what an agent of version 1 does not send', () => {
    expect(readAgentMessage({ type: 'hello', version: '1.0' }, 1)).toEqual({
      message: { type: 'hello', version: '1.0', scanning: [], protocols: [1], capabilities: [] },
    });
    expect(readAgentMessage({ type: 'hosts', snapshotId, chunk: 0, hosts: [host] }, 1)).toMatchObject({
      message: { refusals: [], hosts: [{ routes: [], listening: [], evidence: [] }] },
    });
  });

  it.each([
    [
      'a type of version 2',
      { type: 'estimated', requestId, addresses: 1, packets: 1, seconds: 1, excluded: [] },
      'type',
    ],
    ['an empty chunk', { type: 'hosts', snapshotId, chunk: 0, hosts: [] }, 'hosts'],
    ['no object', 'hello', ''],
    [
      'an invalid address',
      { type: 'hosts', snapshotId, chunk: 0, hosts: [{ addresses: [{ addr: 'x' }] }] },
      'hosts.0.addresses.0.addr',
    ],
  ])('refuses %s and names the field', (_name, value, invalid) =>
    expect(readAgentMessage(value, 1)).toEqual({ invalid }),
  );

  it('does not take over the new fields of progress', () =>
    expect(
      readAgentMessage({ type: 'progress', snapshotId, probed: 1, toProbe: 2, found: 9, paused: true }, 1),
    ).toEqual({ message: { type: 'progress', snapshotId, probed: 1, toProbe: 2 } }));
});

describe('version 2', () => {
  it('names a type of a later version instead of refusing it', () => {
    expect(readAgentMessage({ type: 'weather', sunny: true }, 2)).toEqual({ unknownType: 'weather' });
    expect(readAgentMessage({ type: 7 }, 2)).toEqual({ invalid: 'type' });
    expect(readAgentMessage(['hello'], 2)).toEqual({ invalid: '' });
  });

  it('takes a chunk of refusals alone, but no empty chunk', () => {
    const chunk = { type: 'hosts', snapshotId, chunk: 3, hosts: [] };
    expect(readAgentMessage({ ...chunk, refusals: [refusal] }, 2)).toEqual({
      message: { ...chunk, refusals: [refusal] },
    });
    expect(readAgentMessage(chunk, 2)).toEqual({ invalid: 'hosts' });
  });

  it.each([
    ['addr', 'host.example'],
    ['protocol', 'SSH 2'],
    ['code', 'sign in failed'],
    ['credential', 'c'.repeat(256)],
  ])('refuses the %s %j of a refusal', (name, value) =>
    expect(
      readAgentMessage(
        { type: 'hosts', snapshotId, chunk: 0, hosts: [], refusals: [{ ...refusal, [name]: value }] },
        2,
      ),
    ).toEqual({ invalid: `refusals.0.${name}` }),
  );

  it('bounds the lists of a message', () => {
    const refusals = Array(agentLimits.refusalsPerMessage + 1).fill(refusal);
    expect(readAgentMessage({ type: 'hosts', snapshotId, chunk: 0, hosts: [], refusals }, 2)).toEqual({
      invalid: 'refusals',
    });
    const excluded = Array(maxExclusions + 1).fill({ network: '192.0.2.0/24', reason: 'X' });
    const estimated = { type: 'estimated', requestId, addresses: 1, packets: 1, seconds: 1, excluded };
    expect(readAgentMessage(estimated, 2)).toEqual({ invalid: 'excluded' });
  });

  it('reads what a host tells about its data', () => {
    const told = {
      ...host,
      neighbors: [{ ifname: 'eth0', protocol: 'lldp', remoteName: 'sw1', remoteIfname: 'Gi1/0/1', vlan: 10 }],
      routes: [{ destination: '0.0.0.0/0', gateway: '192.0.2.254', ifname: 'eth0', metric: 100 }],
      listening: [{ protocol: 'tcp', address: '0.0.0.0', port: 22, process: 'sshd' }],
      evidence: [{ group: 'routes', source: 'ssh', at: '2026-01-31T18:00:00+09:00', credential: 'linux' }],
      signatures: { sshHostKey: 'SHA256:AbC' },
    };
    const read = readAgentMessage({ type: 'hosts', snapshotId, chunk: 0, hosts: [told] }, 2);
    expect(read).toMatchObject({
      message: {
        hosts: [{ ...told, evidence: [{ ...told.evidence[0], at: '2026-01-31T09:00:00.000Z' }] }],
      },
    });
    // Unknown values of new fields are absent, not null.
    const [stored] = (read as { message: { hosts: { neighbors: object[] }[] } }).message.hosts;
    expect(Object.keys(stored!.neighbors[0]!)).not.toContain('macaddr');
  });

  it('writes a scan order without a pace as in version 1', () => {
    const order = {
      type: 'scan',
      snapshotId,
      settings: { seeds: ['192.0.2.0/24'], allowed: [], forbidden: [] },
    };
    expect(serverMessage.parse(order)).toEqual(order);
  });
});
