import { screen } from '@testing-library/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import type { AnyResource } from '@yagura/core/resource/define-resource';
import { snapshotRetention } from '@yagura/core/sonar/snapshot-retention';
import { profile } from '@yagura/core/space/profile';
import { expect, it } from 'vitest';
import { renderInRouter } from '../../ui/test/render.tsx';
import { screenMeta } from '../screen-meta.ts';
import type { Row } from './item-data.server.ts';
import { ItemHeader, ItemInfo } from './item-screen.tsx';

const dataOf = (resource: AnyResource, item: Row) => ({
  ...{ meta: screenMeta(resource), screen: resource.screen!, item, references: {}, watches: [], command: '' },
  crumbs: [{ to: resource.screen!, noun: resource.noun, one: true }],
  permissions: { list: true, show: true, create: false, edit: false, remove: false },
});

it('names settings of a space once, and shows none of them as their id', async () => {
  const item = { snapshotDays: 30, lastRunAt: null, removedSnapshots: 0, updatedAt: null };
  await renderInRouter(<ItemHeader data={dataOf(snapshotRetention, item)} />);
  expect(screen.getAllByText('Snapshot retention')).toHaveLength(1);
  expect(screen.queryByText('30')).toBeNull();
});

it('shows the kind and id of an item with a name, of which there may be only one', async () => {
  const userId = '01a22803-838d-706a-b1fb-d4f412ffa38e';
  await renderInRouter(<ItemHeader data={dataOf(profile, { userId, displayName: 'Hana' })} />);
  for (const text of ['Profile', 'Hana', userId]) expect(screen.getByText(text)).toBeTruthy();
});

it('names the fields of an item by its noun in the language of the page', async () => {
  const data = dataOf(muteSchedule, { displayName: '夜間' });
  await renderInRouter(<ItemInfo data={data} />, { language: 'ja' });
  expect(document.querySelector('dl')?.getAttribute('aria-label')).toBe('ミュートスケジュール');
});
