import type { alerthub as en } from '../en/alerthub.ts';
import type { Same } from '../same.ts';

export const alerthub: Same<typeof en> = {
  'count.per-day': '日ごとのメッセージ数',
  'count.per-month': '月ごとのメッセージ数',
  'count.none': 'この期間に受信したメッセージはありません',
  'count.total': '合計{{count}}件',
};
