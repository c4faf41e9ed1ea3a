// Desktops: the sign-in and the certificate at freerdp-shadow, and one connection for several viewers.
import { Decrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { FrameSplitter } from '../../src/session/rdp/frames.ts';
import { beginDesktop, framesOf, key } from './desktop-client.ts';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasDesktop, startRealDesktop } from './real-desktop.ts';
import { isSealValid } from './test-gateway-server.ts';

const within = { timeout: 60_000 };
const keys = { a: 0x1e, b: 0x30, c: 0x2e, d: 0x20 };

async function startSite(options: Parameters<typeof startRealDesktop>[0] = {}) {
  const desktop = await startRealDesktop(options);
  afterTest(() => desktop.close());
  const gateway = await startGatewayUnderTest();
  const { port, account } = desktop;
  const seal = (change: object = {}) =>
    gateway.credential({ credentialType: 'password', ...account, ...change } as never);
  const credential = await seal();
  const open = (order: object = {}) => gateway.open({ protocol: 'rdp', port, credential, ...order });
  return { desktop, gateway, seal, open };
}

test.skipIf(!hasDesktop)('the gateway signs in, and judges the certificate first', within, async () => {
  const { gateway, seal, open } = await startSite();
  const refused = async (order: object) => {
    const sessionId = open(order);
    const { code, params, ...failed } = await gateway.server.next('failed');
    expect(failed.sessionId).toBe(sessionId);
    return [code, params.reason];
  };
  const none = { policy: 'refuse', pins: [] };
  expect(await refused({ hostKey: none })).toEqual(['CERTIFICATE_UNKNOWN', undefined]);
  const asked = open({ hostKey: { policy: 'ask', pins: [] } });
  const viewer = await gateway.attach(asked);
  const { fingerprint } = await viewer.gets('host-key', { algorithm: 'rsa 2048' });
  await viewer.control({ type: 'host-key-decision', fingerprint, accept: true });
  await viewer.gets('state', { state: 'connected' });
  expect(await gateway.server.next('opened')).toMatchObject({ sessionId: asked, hostKey: fingerprint });
  // The gateway has kept it.
  const known = open({ hostKey: none });
  expect(await gateway.server.next('opened')).toMatchObject({ sessionId: known, hostKey: fingerprint });

  await gateway.stop();
  const other = { policy: 'accept', pins: ['SHA256:another'] };
  gateway.start();
  await gateway.server.next('hello');
  const pinned = open({ hostKey: other, parameters: { ignoreCert: true } });
  const opened = await gateway.server.next('opened');
  expect([opened.sessionId, opened.hostKey]).toEqual([pinned, undefined]);
  const parameters = { ignoreCert: true };
  expect({
    wrongPassword: await refused({ parameters, credential: await seal({ password: 'wrong' }) }),
    wrongUser: await refused({ parameters, credential: await seal({ username: 'SITE\\nobody' }) }),
    noAccount: await refused({ parameters, credential: null }),
    closedPort: await refused({ port: 1 }),
    otherHost: await refused({ credential: await seal({ hosts: { networks: ['10.0.0.0/8'], ports: [] } }) }),
  }).toEqual({
    wrongPassword: ['SIGN_IN_FAILED', undefined],
    wrongUser: ['SIGN_IN_FAILED', undefined],
    noAccount: ['SIGN_IN_FAILED', 'NO_CREDENTIAL'],
    closedPort: ['REFUSED', undefined],
    otherHost: ['CREDENTIAL_NOT_FOR_HOST', undefined],
  });
});

test.skipIf(!hasDesktop)('a changed certificate is refused before the account is sent', within, async () => {
  const { gateway, open } = await startSite();
  open({ hostKey: { policy: 'accept', pins: ['SHA256:another'] } });
  expect(await gateway.server.next('failed')).toMatchObject({
    ...{ code: 'CERTIFICATE_CHANGED', params: { expected: 'SHA256:another' } },
  });
});

test.skipIf(!hasDesktop)(
  'viewers share one connection: one types, a late one gets the picture, and all of it is recorded',
  within,
  async () => {
    const { desktop, gateway, open } = await startSite();
    const sessionId = open({ recording: await gateway.recording(true) });
    const hana = await gateway.attach(sessionId);
    await hana.gets('state', { state: 'connected' });
    await beginDesktop(hana);
    await hana.write(key(keys.a));
    await expect.poll(() => desktop.typed()).toBe('a');

    const ken = await gateway.attach(sessionId, { mode: 'watch', displayName: 'Ken' });
    await ken.gets('state', { state: 'connected' });
    // freerdp-shadow says that it takes no characters.
    for (const viewer of [hana, ken]) await viewer.gets('desktop', { takesText: false });
    await beginDesktop(ken);
    // The host has accepted one connection only, so its first answers are the same bytes.
    const beginning = (of: typeof ken) =>
      framesOf(of)
        .slice(0, 11)
        .map(({ frame }) => frame.toString('hex'));
    expect(beginning(ken)).toEqual(beginning(hana));
    await ken.write(key(keys.b));
    await hana.write(key(keys.c));
    await expect.poll(() => desktop.typed()).toBe('ac');

    // What breaks the protocol ends its own stream only.
    const rude = await gateway.attach(sessionId, { mode: 'watch', displayName: 'Rude' });
    await rude.gets('state', { state: 'connected' });
    await rude.type('GET / HTTP/1.1\r\n');
    await rude.isEnded('PROTOCOL');

    hana.leave(sessionId);
    await ken.control({ type: 'request-control' });
    await expect
      .poll(async () => (await ken.gets('viewers')).viewers.map(({ mode }) => mode))
      .toEqual(['control']);
    await ken.write(key(keys.d));
    await expect.poll(() => desktop.typed()).toBe('acd');
    gateway.server.send({ type: 'close', sessionId });
    await expect
      .poll(() => [...gateway.server.parts.values()].map((part) => part.sealed !== undefined), within)
      .toEqual([true]);

    const [[name, part]] = [...gateway.server.parts] as [[string, never]];
    expect(name).toBe(`${sessionId} video 1`);
    const hello = gateway.server.messages.find((message) => message.type === 'hello')!;
    expect(isSealValid(part, hello.signingKey)).toBe(true);
    const decrypter = new Decrypter();
    decrypter.addIdentity(gateway.logIdentity);
    const encrypted = Buffer.concat(gateway.server.parts.get(name)!.chunks);
    const [header, ...events] = new TextDecoder()
      .decode(await decrypter.decrypt(encrypted))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header).toMatchObject({ version: 1, format: 'rdp', opening: '' });
    const recorded = events
      .filter(([, code]) => code === 'o')
      .map(([, , data]) => Buffer.from(data, 'base64'));
    expect(recorded.slice(0, 11).map((frame) => frame.toString('hex'))).toEqual(beginning(ken));
    // The first picture, that for Ken, and that for who broke the protocol.
    const keyFrames = events.filter(([, code]) => code === 'k').map(([, , data]) => data as string);
    const stages = keyFrames.map((data) => data.split(' ')[0]);
    expect(stages.slice(0, 3)).toEqual(['begun', 'completed', 'begun']);
    expect(stages.lastIndexOf('completed')).toBeGreaterThan(2);
    const opening = new FrameSplitter().add(Buffer.from(keyFrames[2]!.split(' ')[1]!, 'base64'));
    expect(opening.slice(0, 11).map((frame) => frame.toString('hex'))).toEqual(beginning(ken));
    expect(events.filter(([, code]) => code === 'm').map(([, , who]) => who)).toEqual(['Hana', 'Ken']);
    const seen = [...gateway.server.wire, ...recorded, Buffer.from(JSON.stringify(gateway.lines))];
    for (const secret of ['right-secret', 'SITE'])
      for (const encoding of ['utf8', 'utf16le'] as const)
        expect(seen.some((bytes) => bytes.includes(Buffer.from(secret, encoding)))).toBe(false);
  },
);

test.skipIf(!hasDesktop)(
  'who leaves while the connection is made does not block the next one',
  within,
  async () => {
    const { desktop, gateway, open } = await startSite();
    const sessionId = open();
    const first = await gateway.attach(sessionId);
    await first.gets('state', { state: 'connected' });
    // Half of its first frame.
    await first.write(Buffer.from('0300017f02f0807f65', 'hex'));
    first.leave(sessionId);
    const second = await gateway.attach(sessionId);
    await second.gets('viewers', {
      viewers: [{ viewerId: second.viewerId, displayName: 'Hana', mode: 'control', wantsControl: false }],
    });
    await beginDesktop(second);
    await second.write(key(keys.b));
    await expect.poll(() => desktop.typed()).toBe('b');
  },
);

test.skipIf(!hasDesktop)("Japanese is typed by the host's own layout", within, async () => {
  const { desktop, gateway, open } = await startSite({ layout: ['jp', 'kana'] });
  const viewer = await gateway.attach(open({ parameters: { serverLayout: 'ja-jp-qwerty' } }));
  await viewer.gets('state', { state: 'connected' });
  await beginDesktop(viewer);
  // T and I, by their places.
  for (const code of [0x14, 0x17]) await viewer.write(key(code));
  await expect.poll(() => desktop.typed()).toBe('カニ');
});
