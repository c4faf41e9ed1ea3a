// Files of a destination: what is asked of the gateway, what the user sees, and what becomes of the session.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { streamReasonText } from '@yagura/core/greac/stream/reason-texts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { destinationId, GreacSpace, sessionId } from '../../test/greac-space.ts';
import { type TestTerminal, testTerminal } from '../../test/test-terminal.ts';
import { errorMessages } from '../command-line/report-error.ts';
import { getFile, listFiles, putFile } from './files.ts';

const space = new GreacSpace();
let shown: TestTerminal;
let interrupt: AbortController;
beforeAll(() => space.start());
afterAll(() => space.stop());
beforeEach(async () => {
  space.reset();
  interrupt = new AbortController();
  shown = await testTerminal({ env: space.env, signal: interrupt.signal });
});

const call = (name: string) => `POST /api/apps/greac/sessions/${sessionId}/${name}`;
const [leave, close] = [call('leave'), call('close')];
const told = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => {
      throw new Error('it was done');
    },
    (reason: unknown) => reason,
  );
  return errorMessages(shown.terminal, error);
};

describe('a listing', () => {
  const items = [
    { name: 'etc', kind: 'directory', size: null, modifiedAt: null },
    { name: 'a\nb.log', kind: 'file', size: 12, modifiedAt: null },
    { name: 'link', kind: 'other', size: null, modifiedAt: null },
  ] as const;

  async function list(options: { json?: boolean }, isTruncated = false) {
    const listing = listFiles(shown.terminal, 'web1', '/var', options);
    const socket = await space.connected();
    await socket.until(({ received }) => received.length > 0);
    const { transfer, path } = socket.controls('list-files')[0]!;
    expect(path).toBe('/var');
    await socket.sendControl({ type: 'files', transfer, items: [...items], isTruncated } as never);
    await socket.sendControl({ type: 'transfer-done', transfer });
    await listing;
    return socket;
  }

  test('has a line for each name, with the size of files', async () => {
    const socket = await list({});
    expect(shown.out()).toBe('etc/\na b.log\t12\nlink\n');
    expect(shown.err()).toBe('');
    // The session was opened for it, and is ended. Without control, nobody would be asked about an unknown host key.
    expect(socket.mode).toBe('control');
    expect(space.opened).toEqual([{ destinationId, remarks: '' }]);
    expect(space.streams).toEqual([`/api/apps/greac/sessions/${sessionId}/stream`]);
    expect(space.calls.at(-1)).toBe(close);
    await socket.until(({ isClosed }) => isClosed);
  });

  test('as JSON has all that is known, and says when it is not whole', async () => {
    await list({ json: true }, true);
    expect(JSON.parse(shown.out())).toEqual(items);
    expect(shown.err()).toContain(shown.terminal.t('files.truncated'));
  });
});

describe('an open session', () => {
  test('is used by its id, and no other is opened', async () => {
    const listing = listFiles(shown.terminal, sessionId, '/', {});
    const socket = await space.connected();
    await socket.until(({ received }) => received.length > 0);
    const { transfer } = socket.controls('list-files')[0]!;
    await socket.sendControl({ type: 'transfer-done', transfer });
    await listing;
    expect(space.opened).toEqual([]);
    // Control stays free for those who use it.
    expect(socket.mode).toBe('watch');
    expect(space.calls.at(-1)).toBe(leave);
  });

  test('that was opened for a transfer, and that another user has joined, is not ended', async () => {
    const listing = listFiles(shown.terminal, 'web1', '/', {});
    const socket = await space.connected();
    await socket.until(({ received }) => received.length > 0);
    const { transfer } = socket.controls('list-files')[0]!;
    const [you, other] = [destinationId, sessionId];
    const viewers = [you, other].map((viewerId) => ({
      ...{ viewerId, displayName: 'Hana', mode: 'watch' as const, wantsControl: false },
    }));
    await socket.sendControl({ type: 'viewers', you, viewers });
    await socket.sendControl({ type: 'transfer-done', transfer });
    await listing;
    expect(space.calls.at(-1)).toBe(leave);
  });
});

describe('a transfer ends with the session', () => {
  test.each([
    ['has ended', { type: 'state', state: 'ended', code: 'ended' }, 'cli.connect.ended'],
    [
      'has failed',
      { type: 'state', state: 'failed', code: 'CONNECTION_REFUSED', params: { host: 'web1' } },
      null,
    ],
  ] as const)('that %s', async (_what, message, key) => {
    const listing = told(listFiles(shown.terminal, 'web1', '/', {}));
    const socket = await space.connected();
    await socket.sendControl(message as never);
    const { t } = shown.terminal;
    expect(await listing).toEqual(
      key
        ? [t(key)]
        : [
            t('cli.connect.failed', {
              reason: t(streamReasonText('CONNECTION_REFUSED')),
              details: '\n  host: web1',
            }),
          ],
    );
    expect(space.calls.at(-1)).toBe(close);
    await socket.until(({ isClosed }) => isClosed);
  });

  test('that may not be attached to', async () => {
    space.refusal = { status: 403, body: { type: 'urn:yagura:problem:forbidden', title: 'FORBIDDEN' } };
    await expect(listFiles(shown.terminal, 'web1', '/', {})).rejects.toMatchObject({ kind: 'forbidden' });
    expect(space.calls.at(-1)).toBe(close);
  });

  test('that cannot be attached to for another reason, which is told', async () => {
    space.refusal = {
      status: 404,
      body: { type: 'urn:yagura:problem:not-found', title: 'Not found', detail: 'no session has this ID' },
    };
    await expect(listFiles(shown.terminal, 'web1', '/', {})).rejects.toMatchObject({
      kind: 'not-found',
      detail: 'no session has this ID',
    });
  });

  test('that has no gateway, which is told at once', async () => {
    space.refusal = {
      status: 503,
      body: { type: 'urn:yagura:problem:unavailable', title: 'GATEWAY_AWAY' },
      headers: { 'retry-after': '2' },
    };
    const [message] = await told(listFiles(shown.terminal, 'web1', '/', {}));
    expect(message).toContain(shown.terminal.t('stream.gateway-away'));
    // The server is not what is missing.
    expect(shown.err()).toBe('');
    expect(space.calls.at(-1)).toBe(close);
  });

  test('that the user interrupts', async () => {
    const listing = listFiles(shown.terminal, 'web1', '/', {});
    const socket = await space.connected();
    await socket.until(({ received }) => received.length > 0);
    interrupt.abort(new Error('interrupted'));
    await expect(listing).rejects.toThrow('interrupted');
    expect(space.calls.at(-1)).toBe(close);
  });

  test('when the gateway refuses it, which is told with its reason', async () => {
    const listing = told(listFiles(shown.terminal, 'web1', '/root', {}));
    const socket = await space.connected();
    await socket.until(({ received }) => received.length > 0);
    const { transfer } = socket.controls('list-files')[0]!;
    await socket.sendControl({ type: 'transfer-failed', transfer, code: 'PERMISSION_DENIED' });
    const [message] = await listing;
    expect(message).toContain(shown.terminal.t('cli.files.failed', { reason: '' }).trim());
    expect(message).not.toContain('PERMISSION_DENIED');
  });
});

describe('an unknown host key', () => {
  const key = { type: 'host-key', algorithm: 'ssh-ed25519', fingerprint: 'SHA256:known' } as const;

  test('ends the command, which names it', async () => {
    const listing = told(listFiles(shown.terminal, 'web1', '/', { hostKey: 'SHA256:other' }));
    const socket = await space.connected();
    await socket.sendControl(key);
    expect((await listing)[0]).toContain('SHA256:known');
    expect(socket.controls('host-key-decision')).toEqual([]);
  });

  test('that the command line names is accepted', async () => {
    const listing = listFiles(shown.terminal, 'web1', '/', { hostKey: 'SHA256:known' });
    const socket = await space.connected();
    await socket.sendControl(key);
    await socket.until((one) => one.controls('host-key-decision').length > 0);
    expect(socket.controls('host-key-decision')).toMatchObject([
      { fingerprint: 'SHA256:known', accept: true },
    ]);
    await socket.until((one) => one.controls('list-files').length > 0);
    const { transfer } = socket.controls('list-files')[0]!;
    await socket.sendControl({ type: 'transfer-done', transfer });
    await listing;
  });
});

describe('a download', () => {
  test('is saved under its name, and an existing file stays', async () => {
    const local = join(space.folder, 'a.log');
    rmSync(local, { force: true });
    const saving = getFile(shown.terminal, 'web1', '/var/a.log', local, {});
    const socket = await space.connected();
    await socket.until((one) => one.controls('download').length > 0);
    const { transfer, path, offset } = socket.controls('download')[0]!;
    expect([path, offset]).toEqual(['/var/a.log', 0]);
    await socket.sendControl({ type: 'transfer', transfer, offset: 0, size: 3 });
    await socket.sendFile(transfer, new TextEncoder().encode('abc'));
    await socket.sendControl({ type: 'transfer-done', transfer });
    await saving;
    expect(readFileSync(local, 'utf8')).toBe('abc');
    expect(readdirSync(space.folder).filter((name) => name.includes('part'))).toEqual([]);
    expect(shown.err()).toContain(shown.terminal.t('cli.export.saved', { path: local }));
    expect(space.calls.at(-1)).toBe(close);

    space.reset();
    await expect(getFile(shown.terminal, 'web1', '/var/a.log', local, {})).rejects.toMatchObject({
      messageKey: 'cli.files.exists',
    });
    expect(space.calls).toEqual([]);
  });

  test('of a path without a name needs one', async () => {
    await expect(getFile(shown.terminal, 'web1', '/', undefined, {})).rejects.toMatchObject({
      messageKey: 'cli.usage.missing-argument',
    });
  });

  test('of a session that fails leaves no file', async () => {
    const local = join(space.folder, 'none.log');
    const saving = told(getFile(shown.terminal, 'web1', '/none.log', local, {}));
    const socket = await space.connected();
    await socket.sendControl({ type: 'state', state: 'ended', code: 'ended' });
    expect(await saving).toEqual([shown.terminal.t('cli.connect.ended')]);
    expect(existsSync(local)).toBe(false);
    expect(readdirSync(space.folder).filter((name) => name.includes('none'))).toEqual([]);
  });
});

describe('an upload', () => {
  test('sends the content to the path, which is the name when none is given', async () => {
    const local = join(space.folder, 'up.txt');
    writeFileSync(local, 'content');
    const saving = putFile(shown.terminal, 'web1', local, undefined, {});
    const socket = await space.connected();
    await socket.until((one) => one.controls('upload').length > 0);
    const { transfer, ...rest } = socket.controls('upload')[0]!;
    expect(rest).toEqual({ type: 'upload', path: '/up.txt', offset: 0, size: 7 });
    await socket.sendControl({ type: 'transfer', transfer, offset: 0, size: 7 });
    await socket.until(({ received }) => received.filter(({ type }) => type === 'file').length > 1);
    const files = socket.received.filter((one) => one.type === 'file');
    expect(files.map(({ content }) => new TextDecoder().decode(content))).toEqual(['content', '']);
    await socket.sendControl({ type: 'transfer-done', transfer });
    await saving;
    expect(shown.err()).toContain(shown.terminal.t('cli.files.uploaded', { path: '/up.txt' }));
  });

  test('to an open session asks for its control, without which the gateway refuses it', async () => {
    const local = join(space.folder, 'up.txt');
    writeFileSync(local, 'content');
    const saving = told(putFile(shown.terminal, sessionId, local, undefined, {}));
    const socket = await space.connected();
    await socket.until((one) => one.controls('upload').length > 0);
    expect(socket.mode).toBe('control');
    const { transfer } = socket.controls('upload')[0]!;
    await socket.sendControl({ type: 'transfer-failed', transfer, code: 'NOT_IN_CONTROL' });
    const { t } = shown.terminal;
    expect(await saving).toEqual([t('cli.files.failed', { reason: t('stream.file.not-in-control') })]);
  });

  test('of a file that is not there opens no session', async () => {
    const gone = putFile(shown.terminal, 'web1', join(space.folder, 'gone'), '/x', {});
    await expect(gone).rejects.toMatchObject({ messageKey: 'cli.files.unreadable' });
    expect(space.calls).toEqual([]);
  });

  test('of a folder opens no session', async () => {
    await expect(putFile(shown.terminal, 'web1', space.folder, '/x', {})).rejects.toMatchObject({
      messageKey: 'cli.files.not-a-file',
    });
    expect(space.calls).toEqual([]);
  });
});
