import { describe, expect, it } from 'vitest';
import { loadPage } from '../signin/test/load-page.ts';
import { loader } from './gallery.tsx';

const load = (developerMode: boolean) =>
  loadPage(loader, {
    address: '/apps/devtool/gallery',
    replies: { '/api/internal/settings': { spaceName: 'Shop', developerMode } },
  });

describe('the widget gallery', () => {
  it('is there where the server shows developer tools', async () => {
    expect((await load(true)).crumbs).toHaveLength(2);
  });

  it('does not exist without developer mode', async () => {
    const refused = await load(false).catch((error: Response) => error);
    expect((refused as Response).headers.get('location')).toBe('/404');
  });
});
