import { screen } from '@testing-library/react';
import { muteSchedule } from '@yagura/core/alerthub/mute-schedule';
import { expect, it } from 'vitest';
import { screenMeta } from '../../../resource/screen-meta.ts';
import { renderInRouter } from '../../../ui/test/render.tsx';
import ScopeMutes from './scope-mutes.tsx';

const list = {
  meta: { ...screenMeta(muteSchedule), columns: [], filterable: {} },
  screen: '/apps/alerthub/scopes/s/mute-schedules',
  rows: [],
  hrefs: {},
  total: 0,
  state: { page: 1, size: 10, sort: [], columns: [] },
  references: {},
  permissions: {},
  command: '',
};
const month = { name: '2028-03', before: '2028-02', after: '2028-04', lead: 2, days: [] };

it('is loaded again once the browser has reported its time zone', async () => {
  const zones = ['UTC', 'Asia/Tokyo'];
  const loader = () => ({ list, month, windows: [], sentences: [], timeZone: zones.shift() });
  await renderInRouter(<ScopeMutes />, { loader });
  expect(await screen.findByText('Mar 2028 · Asia/Tokyo')).toBeTruthy();
  expect(zones).toEqual([]);
});
