// Sessions on the telnetd of inetutils, and on hosts that do not behave.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { afterTest, startGatewayUnderTest } from './gateway-under-test.ts';

const telnetd = '/usr/sbin/telnetd';
const within = { timeout: 60_000 };

async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    sockets.add(socket);
    onSocket(socket);
  });
  const sockets = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const secret = { credentialType: 'password' as const, username: 'ops', password: 'right-secret' };

test.skipIf(!existsSync(telnetd))(
  'a shell behind telnetd has the size, colors and letters of the viewer',
  within,
  async () => {
    const port = await listen((socket) => {
      spawn(telnetd, ['-h', '-n', '-E', '/bin/sh'], { stdio: [socket, socket, socket] as never });
      socket.destroy();
    });
    const gateway = await startGatewayUnderTest();
    const sessionId = gateway.open({ protocol: 'telnet', port });
    const viewer = await gateway.attach(sessionId);
    await viewer.gets('state', { state: 'connected' });
    await viewer.sees(/[#$]/);
    await viewer.control({ type: 'resize', columns: 97, rows: 33 });
    await viewer.gets('resize', { columns: 97, rows: 33 });
    await viewer.type('stty size; echo $TERM; echo 櫓-$((6*7))\r');
    await viewer.sees(/33 97\s+xterm-256color\s+櫓-42/i);
    await viewer.type('exit\r');
    expect(await gateway.server.next('ended')).toMatchObject({ sessionId, reason: 'ended' });
  },
);

test('the prompts are answered, and the password is in no log', within, async () => {
  const received: Buffer[] = [];
  const port = await listen((socket) => {
    socket.write('Welcome\r\nlogin: ');
    socket.resume();
    socket.on('data', (bytes) => {
      received.push(bytes);
      if (bytes.includes('ops')) socket.write('ops\r\nPassword: ');
      if (bytes.includes('right-secret')) socket.write('\r\nhello ops\r\n$ ');
    });
  });
  const gateway = await startGatewayUnderTest();
  const credential = await gateway.credential(secret);
  const sessionId = gateway.open({ protocol: 'telnet', port, credential });
  const viewer = await gateway.attach(sessionId);
  await viewer.sees('hello ops');
  await viewer.type('ls\r');
  await expect.poll(() => Buffer.concat(received).toString('latin1')).toContain('ls\r\0');
  expect(Buffer.concat(received).toString('latin1')).toBe('ops\r\0right-secret\r\0ls\r\0');
  expect(JSON.stringify(gateway.lines)).not.toContain('right-secret');
});

test('a host that never stops negotiating does not hold up its session', within, async () => {
  let answers = 0;
  const port = await listen((socket) => {
    socket.on('data', (bytes) => {
      answers += bytes.length;
    });
    socket.resume();
    const storm = Buffer.concat(
      Array.from({ length: 20_000 }, () => Buffer.from([255, 253, 39, 255, 251, 5])),
    );
    socket.write(storm);
    socket.write('after the storm\r\n');
  });
  const gateway = await startGatewayUnderTest();
  const viewer = await gateway.attach(gateway.open({ protocol: 'telnet', port }));
  await viewer.sees('after the storm');
  expect(answers).toBeLessThanOrEqual(500 * 3);
});
