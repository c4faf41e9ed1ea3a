// Desktops: the sign-in and the certificate at freerdp-shadow, and one connection for several viewers.
import { expect, test } from 'vitest';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasDesktop, startRealDesktop } from './real-desktop.ts';

const within = { timeout: 60_000 };

test.skipIf(!hasDesktop)(
  'the gateway signs in, and keeps the certificate that was accepted',
  within,
  async () => {
    const desktop = await startRealDesktop();
    afterTest(() => desktop.close());
    const gateway = await startGatewayUnderTest();
    const { port } = desktop;
    const credential = await gateway.credential({ credentialType: 'password', ...desktop.account });
    const open = (order: object = {}) => gateway.open({ protocol: 'rdp', port, credential, ...order });
    const asked = open({ hostKey: { policy: 'ask', pins: [] } });
    const viewer = await gateway.attach(asked);
    const { fingerprint } = await viewer.gets('host-key', { algorithm: 'rsa 2048' });
    await viewer.control({ type: 'host-key-decision', fingerprint, accept: true });
    await viewer.gets('state', { state: 'connected' });
    expect(await gateway.server.next('opened')).toMatchObject({ hostKey: fingerprint });

    const refused = async (order: object) => {
      open(order);
      const { code, params } = await gateway.server.next('failed');
      return [code, params];
    };
    const other = 'SHA256:other';
    const wrong = await gateway.credential({
      ...desktop.account,
      credentialType: 'password',
      password: 'wrong',
    });
    expect({
      changed: await refused({
        hostKey: { policy: 'accept', pins: [] },
        host: '127.0.0.1',
        port: desktop.port,
      }),
      wrong: await refused({ credential: wrong }),
    }).toEqual({});
  },
);
