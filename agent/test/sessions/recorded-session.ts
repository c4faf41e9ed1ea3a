// A recorded session on a real sshd, and what its logs contain.
import { Decrypter } from 'age-encryption';
import { expect } from 'vitest';
import { afterTest, type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { startRealSshd } from './real-sshd.ts';
import { isEndValid, type StoredPart } from './test-gateway-server.ts';
import type { TestViewer } from './test-viewer.ts';

const within = { timeout: 60_000 };

async function decrypt(gateway: GatewayUnderTest, part: StoredPart): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(gateway.logIdentity);
  return new TextDecoder().decode(await decrypter.decrypt(new Uint8Array(Buffer.concat(part.chunks))));
}

/** Parts of one kind that the server has, in order. */
export function storedParts(gateway: GatewayUnderTest, sessionId: string, kind: string): StoredPart[] {
  return [...gateway.server.parts]
    .filter(([key]) => key.startsWith(`${sessionId} ${kind} `))
    .sort(([a], [b]) => Number(a.split(' ')[2]) - Number(b.split(' ')[2]))
    .map(([, part]) => part);
}

/** Whether a log has a signed end that fits its parts; with the reason of the end. */
export async function endOf(gateway: GatewayUnderTest, sessionId: string, kind: string): Promise<string> {
  await expect.poll(() => gateway.server.ends.has(`${sessionId} ${kind}`), within).toBe(true);
  const end = gateway.server.ends.get(`${sessionId} ${kind}`)!;
  const isValid = isEndValid(end, storedParts(gateway, sessionId, kind), signingKey(gateway));
  return `${end.reason} ${isValid ? 'valid' : 'invalid'}`;
}

/** Decrypted parts of one kind, in order, once all of them have their end. */
export async function readLog(gateway: GatewayUnderTest, sessionId: string, kind: string): Promise<string[]> {
  const parts = () => storedParts(gateway, sessionId, kind);
  await expect.poll(() => parts().length > 0 && parts().every(({ sealed }) => sealed), within).toBe(true);
  return Promise.all(parts().map((part) => decrypt(gateway, part)));
}

export async function startRecordedSession(
  options: Parameters<typeof startGatewayUnderTest>[0] = {},
  strict = false,
) {
  const sshd = await startRealSshd();
  afterTest(() => sshd.close());
  const gateway = await startGatewayUnderTest(options);
  const credential = await gateway.credential(sshd.credential);
  const order = { port: sshd.port, credential, recording: await gateway.recording(strict) };
  const sessionId = gateway.open(order);
  const viewer = await gateway.attach(sessionId);
  await viewer.gets('state', { state: 'connected' });
  return { gateway, sessionId, viewer, order };
}

/** Makes the shell say nothing but the output of commands. */
export async function silence(viewer: TestViewer): Promise<void> {
  await viewer.type('stty -echo; PS1=; echo silent-$((6*7))\r');
  await viewer.sees(/^silent-42$/m);
}

export const signingKey = (gateway: GatewayUnderTest) => {
  const hello = gateway.server.messages.find((message) => message.type === 'hello');
  return hello!.signingKey;
};

/** Everything that a video log has shown. */
export function shownIn(video: readonly string[]): string {
  return video
    .join('')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('[')) return [];
      const [, code, data] = JSON.parse(line) as [number, string, string];
      return code === 'o' ? [data] : [];
    })
    .join('');
}
