// Who comes to a desktop later, at an xrdp that sends its pictures as they are.
import { expect, test } from 'vitest';
import { beginDesktop } from './desktop-client.ts';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { hasXrdp, startRealXrdp } from './real-xrdp.ts';

const pictureBytes = 800 * 600 * 4;
const whenPainted = { timeout: 20_000, interval: 50 };

test.skipIf(!hasXrdp)(
  'a slow viewer gets all of the first picture, and begins anew if it falls behind further',
  { timeout: 90_000 },
  async () => {
    const xrdp = await startRealXrdp({ compresses: false });
    afterTest(() => xrdp.close());
    const gateway = await startGatewayUnderTest();
    const account = { credentialType: 'password', username: 'ops', password: 'right-secret' };
    const credential = await gateway.credential(account as never);
    const parameters = { displayWidth: 800, displayHeight: 600 };
    const sessionId = gateway.open({ protocol: 'rdp', port: xrdp.port, credential, parameters });
    const hana = await gateway.attach(sessionId);
    await hana.gets('state', { state: 'connected' });
    await beginDesktop(hana);
    await expect.poll(() => hana.received, whenPainted).toBeGreaterThan(pictureBytes);
    const watch = async (displayName: string, heldCredit?: number) => {
      const before = hana.received;
      const viewer = await gateway.attach(sessionId, { mode: 'watch', displayName });
      viewer.heldCredit = heldCredit;
      await viewer.gets('state', { state: 'connected' });
      await beginDesktop(viewer);
      // The host paints for all.
      await expect.poll(() => hana.received - before, whenPainted).toBeGreaterThan(pictureBytes);
      return viewer;
    };

    const ken = await watch('Ken', 0);
    expect([ken.ended, ken.received < pictureBytes / 2]).toEqual([undefined, true]);
    ken.release();
    await expect.poll(() => ken.received, whenPainted).toBeGreaterThan(pictureBytes);
    const jun = await watch('Jun', 0);
    const late = await watch('Late');
    await jun.isEnded('CREDIT_EXCEEDED');
    expect([hana.ended, ken.ended, late.ended]).toEqual([undefined, undefined, undefined]);
  },
);
