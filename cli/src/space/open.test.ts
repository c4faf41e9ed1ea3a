import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { list, StubSpace } from '../../test/stub-space.ts';
import { testTerminal } from '../../test/test-terminal.ts';
import { openableResources, openScreen } from './open.ts';

const space = new StubSpace();
beforeAll(() => space.start());
afterAll(() => space.stop());

describe('opening a screen', () => {
  const scopeId = '0190a0a0-0000-7000-8000-000000000001';
  beforeEach(() =>
    space.reset({
      'GET /api/apps/alerthub/scopes': list([{ scopeId, displayName: 'web' }]),
      [`GET /api/apps/alerthub/scopes/${scopeId}/triggers`]: list([
        { triggerId: 't 1', displayName: 'pager' },
      ]),
    }),
  );

  async function opened(resource?: string, item?: string, options = {}) {
    const { terminal, out } = await testTerminal({ env: space.env });
    await openScreen(terminal, resource, item, options);
    return out().replace(space.origin, '').trimEnd();
  }

  test('prints the address of the console, of a list and of an item by its name', async () => {
    expect(await opened()).toBe('/');
    const scopes = await opened('scopes');
    expect(scopes).toMatch(/^\/apps\/alerthub\/scopes$/);
    expect(await opened('scope')).toBe(scopes);
    expect(await opened('scopes', 'web')).toBe(`${scopes}/${scopeId}`);
    // There is one, so it has no item to open.
    expect(await opened('retention-settings', 'x')).toBe(await opened('retention-settings'));
  });

  test.each([['triggers', 'pager'], ['triggers']])('%s of a scope want the scope', async (...words) => {
    await expect(opened(...(words as [string, string]))).rejects.toMatchObject({
      messageKey: 'cli.usage.missing-flag',
      params: { flag: '--scope' },
    });
    expect(await opened(words[0], words[1], { scope: 'web' })).toContain(scopeId);
  });

  test.each(['snapshots', 'credentials'])('%s have no screen without their parent', async (word) => {
    await expect(opened(word)).rejects.toMatchObject({ messageKey: 'cli.usage.unknown-resource' });
  });

  test('every screen that can be opened has a whole address', async () => {
    expect(openableResources.length).toBeGreaterThan(20);
    for (const { name } of openableResources)
      expect(await opened(name, undefined, { scope: 'web' }), name).not.toContain(':');
  });

  test('names what may be meant by an unknown word', async () => {
    await expect(opened('scopse')).rejects.toMatchObject({ params: { resources: 'scopes' } });
    await expect(opened('xyzzyxyzzy')).rejects.toMatchObject({
      params: { resources: expect.stringContaining('scopes, ') },
    });
  });
});
