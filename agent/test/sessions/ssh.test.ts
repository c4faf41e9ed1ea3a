// Sessions on Debian's sshd: screens of several viewers, control, host keys, policy.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasSshd, startRealSshd } from './real-sshd.ts';
import type { TestViewer } from './test-viewer.ts';

const within = { timeout: 60_000 };
const hasVim = existsSync('/usr/bin/vi');

async function startSite(options: Parameters<typeof startGatewayUnderTest>[0] = {}) {
  const sshd = await startRealSshd();
  afterTest(() => sshd.close());
  const gateway = await startGatewayUnderTest(options);
  return { sshd, gateway, credential: await gateway.credential(sshd.credential) };
}

/** Both are read each time: what was typed is shown to each at its own time. */
async function showTheSame(one: TestViewer, other: TestViewer): Promise<boolean> {
  return (await one.screen()).join('\n') === (await other.screen()).join('\n');
}

test.skipIf(!hasSshd)(
  'two viewers share one full-screen program, hand over, and one comes back to the same screen',
  within,
  async () => {
    const { sshd, gateway, credential } = await startSite();
    const sessionId = gateway.open({ port: sshd.port, credential });
    const hana = await gateway.attach(sessionId);
    await hana.gets('state', { state: 'connected' });
    expect(await gateway.server.next('opened')).toMatchObject({ sessionId, hostKey: sshd.hostKey });
    await hana.control({ type: 'resize', columns: 100, rows: 30 });
    await hana.type('stty size; printf "\\346\\253\\223\\n"\r');
    await hana.sees(/30 100\s+櫓/);
    await hana.type('less -+X /etc/ssh/sshd_config\r');
    await hana.sees(/OpenBSD|sshd_config/);

    const ken = await gateway.attach(sessionId, { mode: 'watch', displayName: 'Ken' });
    await ken.gets('snapshot', { columns: 100, rows: 30 });
    await expect.poll(() => showTheSame(ken, hana)).toBe(true);
    // A watcher types nothing.
    await ken.type('q');
    await hana.type(' ');
    await expect.poll(() => showTheSame(ken, hana)).toBe(true);
    await ken.control({ type: 'request-control' });
    await hana.gets('viewers', {
      viewers: [
        { viewerId: hana.viewerId, displayName: 'Hana', mode: 'control', wantsControl: false },
        { viewerId: ken.viewerId, displayName: 'Ken', mode: 'watch', wantsControl: true },
      ],
    });
    await hana.control({ type: 'give-control', to: ken.viewerId });
    await expect
      .poll(async () => (await ken.gets('viewers')).viewers.map(({ mode }) => mode))
      .toEqual(['watch', 'control']);
    await ken.type('q');
    await ken.type('echo back-$((6*7))\r');
    await hana.sees('back-42');

    hana.leave(sessionId);
    const back = await gateway.attach(sessionId);
    await back.sees('back-42');
    expect(await back.screen()).toEqual(await ken.screen());
    await ken.type('exit\r');
    expect(await gateway.server.next('ended')).toMatchObject({ sessionId, reason: 'ended' });
    await back.gets('state', { state: 'ended' });
    await back.isEnded('end');
    // What was typed and shown cannot be read on the way.
    const wire = Buffer.concat(gateway.server.wire).toString('latin1');
    for (const text of ['back-42', 'sshd_config', 'phrase']) expect(wire).not.toContain(text);
    expect(JSON.stringify(gateway.lines)).not.toContain('phrase');
  },
);

test.skipIf(!hasSshd || !hasVim)(
  'three terminals show the same vim, also after one comes late',
  within,
  async () => {
    const { sshd, gateway, credential } = await startSite();
    const sessionId = gateway.open({ port: sshd.port, credential });
    const hana = await gateway.attach(sessionId);
    await hana.gets('state', { state: 'connected' });
    const ken = await gateway.attach(sessionId, { mode: 'watch', displayName: 'Ken' });
    await hana.control({ type: 'resize', columns: 90, rows: 25 });
    await hana.type(`vi -u NONE -N -n ${sshd.folder}/notes\r`);
    await hana.sees(/^~$/m);
    await hana.type(`i${Array.from({ length: 40 }, (_, line) => `line ${line}`).join('\r')}\x1b`);
    await hana.sees(/^line 39$/m);
    // A part of the screen scrolls, a line is inserted, and text is replaced.
    await hana.type('ggO櫓 first\x1b:%s/line 1/LINE ONE /\r10\x05:set number\r');
    await hana.sees(/^ +\d+ LINE ONE 9$/m);
    const late = await gateway.attach(sessionId, { mode: 'watch', displayName: 'Aoi' });
    await late.gets('snapshot', { columns: 90, rows: 25 });
    for (const other of [ken, late]) await expect.poll(() => showTheSame(other, hana)).toBe(true);
    await hana.type('ddp5\x19iend-of-test\x1b');
    await hana.sees('end-of-test');
    for (const other of [ken, late]) await expect.poll(() => showTheSame(other, hana)).toBe(true);
    await hana.type(':q!\r');
    // Vim takes what is typed before it has left.
    await expect.poll(async () => (await hana.screen()).join('\n'), within).not.toContain('end-of-test');
    await hana.type('echo left-$((6*7))\r');
    for (const viewer of [hana, ken, late]) await viewer.sees('left-42');
    for (const other of [ken, late]) await expect.poll(() => showTheSame(other, hana)).toBe(true);
  },
);

test.skipIf(!hasSshd)(
  'an unknown host key is shown to the first viewer, and a changed one is refused',
  within,
  async () => {
    const { sshd, gateway, credential } = await startSite();
    const hostKey = { policy: 'ask' as const, pins: [] };
    const declined = gateway.open({ port: sshd.port, credential, hostKey });
    const viewer = await gateway.attach(declined);
    const question = await viewer.gets('host-key');
    expect(question).toMatchObject({ algorithm: 'ssh-ed25519', fingerprint: sshd.hostKey });
    await viewer.control({ type: 'host-key-decision', fingerprint: sshd.hostKey, accept: false });
    expect(await gateway.server.next('failed')).toMatchObject({
      code: 'HOST_KEY_UNKNOWN',
      params: { reason: 'NOT_ACCEPTED', found: sshd.hostKey },
    });

    const accepted = gateway.open({ port: sshd.port, credential, hostKey });
    const second = await gateway.attach(accepted);
    await second.gets('host-key');
    await second.control({ type: 'host-key-decision', fingerprint: sshd.hostKey, accept: true });
    await second.gets('state', { state: 'connected' });

    // The gateway has kept it: nobody is asked again.
    const known = gateway.open({ port: sshd.port, credential, hostKey: { policy: 'refuse', pins: [] } });
    await (await gateway.attach(known)).gets('state', { state: 'connected' });

    await sshd.close();
    const other = await startRealSshd({ port: sshd.port });
    afterTest(() => other.close());
    gateway.open({ port: sshd.port, credential, hostKey: { policy: 'accept', pins: [] } });
    expect(await gateway.server.next('failed')).toMatchObject({
      code: 'HOST_KEY_CHANGED',
      params: { expected: sshd.hostKey, found: other.hostKey },
    });
  },
);

test.skipIf(!hasSshd)('what the site does not allow is not contacted', within, async () => {
  const { sshd, gateway, credential } = await startSite({
    sessions: { allowed: ['127.0.0.1'], ports: [], maxSessions: 1 },
  });
  const codeOf = async (order: Parameters<typeof gateway.open>[0]) => {
    const sessionId = gateway.open(order);
    const failed = await gateway.server.next('failed');
    expect(failed.sessionId).toBe(sessionId);
    return failed.code;
  };
  const { port } = sshd;
  const sealed = (hosts: object) => gateway.credential({ ...sshd.credential, hosts } as never);
  const elsewhere = await sealed({ networks: ['10.0.0.0/8', '*.example.com'], ports: [] });
  const otherPort = await sealed({ networks: ['127.0.0.0/8'], ports: [22] });
  const foreign = (await startGatewayUnderTest()).credential(sshd.credential);
  expect({
    forbidden: await codeOf({ port, credential, host: '127.0.0.2' }),
    address: await codeOf({ port, credential, host: '::1' }),
    name: await codeOf({ port, credential, host: 'no-such-host.invalid' }),
    elsewhere: await codeOf({ port, credential: elsewhere }),
    otherPort: await codeOf({ port, credential: otherPort }),
    foreign: await codeOf({ port, credential: await foreign }),
    damaged: await codeOf({ port, credential: `${credential.slice(0, -4)}AAAA` }),
    none: await codeOf({ port, credential: null }),
    closedPort: await codeOf({ port: 1, credential }),
    desktop: await codeOf({ port, credential, protocol: 'rdp' }),
    wrongKey: await codeOf({
      port,
      credential: await gateway.credential({ ...sshd.credential, username: 'nobody' }),
    }),
  }).toEqual({
    ...{ forbidden: 'NOT_ALLOWED', address: 'NOT_ALLOWED', name: 'UNREACHABLE' },
    ...{ elsewhere: 'CREDENTIAL_NOT_FOR_HOST', otherPort: 'CREDENTIAL_NOT_FOR_HOST' },
    ...{ foreign: 'CREDENTIAL_UNREADABLE', damaged: 'CREDENTIAL_UNREADABLE', none: 'SIGN_IN_FAILED' },
    ...{ closedPort: 'REFUSED', desktop: 'SIGN_IN_FAILED', wrongKey: 'SIGN_IN_FAILED' },
  });
  gateway.open({ port, credential: await sealed({ networks: ['127.0.0.1'], ports: [port] }) });
  await gateway.server.next('opened');
  expect(await codeOf({ port, credential })).toBe('CONNECTION_LIMIT_REACHED');
});

test.skipIf(!hasSshd)('a stream secret is good once, for its session, and not for long', within, async () => {
  const { sshd, gateway, credential } = await startSite();
  const sessionId = gateway.open({ port: sshd.port, credential });
  const first = await gateway.attach(sessionId);
  await first.gets('state', { state: 'connected' });
  const codeOf = async (options: Parameters<typeof gateway.attach>[1], id = sessionId) => {
    await gateway.attach(id, options);
    return (await gateway.server.next('detached')).code;
  };
  expect(await codeOf({ again: first })).toBe('PROTOCOL');
  expect(await codeOf({ boundTo: randomUUID() })).toBe('FORBIDDEN');
  expect(await codeOf({ secondsLeft: -1 })).toBe('FORBIDDEN');
  expect(await codeOf({ secondsLeft: 3600 })).toBe('FORBIDDEN');
  expect(await codeOf({}, randomUUID())).toBe('SESSION_CLOSED');
  // What was altered on the way ends that stream, and only that one.
  const second = await gateway.attach(sessionId, { mode: 'watch' });
  await second.gets('state', { state: 'connected' });
  second.sendData(new Uint8Array(40));
  await second.isEnded('PROTOCOL');
  const greedy = await gateway.attach(sessionId, { mode: 'watch' });
  await greedy.gets('state', { state: 'connected' });
  for (let sent = 0; sent <= 256 * 1024; sent += 16_384) greedy.sendData(new Uint8Array(16_384));
  await expect.poll(() => greedy.ended).toMatch(/PROTOCOL|CREDIT_EXCEEDED/);
  await first.type('echo still-$((6*7))\r');
  await first.sees('still-42');
});

test.skipIf(!hasSshd)('a session outlives a lost link', within, async () => {
  const { sshd, gateway, credential } = await startSite();
  const sessionId = gateway.open({ port: sshd.port, credential });
  const viewer = await gateway.attach(sessionId);
  await viewer.gets('state', { state: 'connected' });
  await viewer.type('echo kept-$((6*7))\r');
  await viewer.sees('kept-42');
  gateway.server.drop();
  expect(await gateway.server.next('hello')).toMatchObject({ sessions: [{ sessionId, state: 'connected' }] });
  await (await gateway.attach(sessionId)).sees('kept-42');
  gateway.server.send({ type: 'close', sessionId });
});
