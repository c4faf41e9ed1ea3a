import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { listenOnLoopback } from '../../test/listen-on-loopback.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { loadConf } from './load-conf.ts';
import { renewCredential } from './renew-credential.ts';

test('a refresh token is not used while the next one cannot be saved', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    response.writeHead(503).end();
  });
  const issuer = await listenOnLoopback(server);
  const folder = mkdtempSync(join(tmpdir(), 'yagura-cli-'));
  const credential = {
    ...{ kind: 'person' as const, issuer: String(issuer), clientId: 'yagura-cli' },
    ...{ accessToken: 'worn', refreshToken: 'r1', expiresAt: 0 },
  };
  const path = join(folder, 'profiles.json');
  const stored = JSON.stringify({ profiles: { home: { url: issuer, credential } } });
  writeFileSync(path, stored);
  const { default: Conf } = await loadConf();
  const write = vi.spyOn(Conf.prototype, 'store', 'set').mockImplementation(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  });
  try {
    const { terminal } = await testTerminal({ env: { YAGURA_CONFIG_DIR: folder } });
    await expect(renewCredential(terminal, 'home', credential)).rejects.toMatchObject({
      messageKey: 'cli.usage.cannot-keep',
    });
    expect(requests).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(stored);
  } finally {
    write.mockRestore();
    server.close();
    rmSync(folder, { recursive: true });
  }
});
