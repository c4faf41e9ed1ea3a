// A desktop whose host says why it ends the connection. The host is a stub that speaks only the beginning of RDP; its
// messages have the form that MS-RDPBCGR describes, they were not recorded.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createSelfSigned } from '@yagura/fixtures/sink/self-signed';
import { expect, test } from 'vitest';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { connectInitialFrame } from './iron-rdp-frames.ts';

/** TLS is agreed. */
const connectionConfirm = '030000130ed000001234000200080001000000';
/** The channel for input and output has number 1003. */
const connectResponse =
  '0300003202f0807f66280a0100020100300004' + '1e000500147c00012a14760a01010001c0004d63446e08030c0800eb030000';
/** Set Error Info (MS-RDPBCGR 2.2.5.1.1). */
const errorInfo = (code: number) =>
  `0300002402f08068000103eb701616001700ea03ea030100000108002f000000${code.toString(16).padStart(2, '0')}000000`;

async function startHost(code: number): Promise<number> {
  const { key, certificate } = createSelfSigned();
  const host = createServer(async (socket) => {
    await once(socket, 'data');
    socket.write(Buffer.from(connectionConfirm, 'hex'));
    const tls = new TLSSocket(socket, { isServer: true, key, cert: certificate });
    tls.on('error', () => undefined);
    await once(tls, 'data');
    tls.end(Buffer.from(connectResponse + errorInfo(code), 'hex'));
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  afterTest(() => host.close());
  return (host.address() as AddressInfo).port;
}

async function beginAt(code: number) {
  const gateway = await startGatewayUnderTest();
  const sessionId = gateway.open({ protocol: 'rdp', port: await startHost(code) });
  const viewer = await gateway.attach(sessionId);
  viewer.isDesktop = true;
  await viewer.gets('state', { state: 'connected' });
  await viewer.write(Buffer.from(connectInitialFrame, 'hex'));
  return { gateway, sessionId, viewer };
}

test('a desktop that another client takes over ends with that reason', async () => {
  const { gateway, sessionId, viewer } = await beginAt(5);
  await viewer.gets('state', { state: 'failed', code: 'SESSION_CONFLICT' });
  expect(await gateway.server.next('failed')).toMatchObject({ sessionId, code: 'SESSION_CONFLICT' });
  await viewer.isEnded('end');
});

test('a host that ends the connection for another reason does not', async () => {
  const { gateway, sessionId, viewer } = await beginAt(12);
  await viewer.gets('state', { state: 'ended', code: 'disconnected' });
  expect(await gateway.server.next('ended')).toMatchObject({ sessionId, reason: 'disconnected' });
});
