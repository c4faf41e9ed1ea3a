import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { discoverProvider } from './discover-provider.ts';

test('a provider that cannot be reached is named with the reason', async () => {
  const { t } = (await testTerminal({ language: 'ja' })).terminal;
  const server = createServer();
  const issuer = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(discoverProvider(t, issuer, 'cli')).rejects.toMatchObject({
    kind: 'unreachable',
    detail: `${issuer}: 接続が拒否されました: ECONNREFUSED`,
  });
});
