// Translations for durations, ages, loading states and incomplete lists.
import type { format as en } from '../en/format.ts';
import type { SameKeys } from '../same-keys.ts';

export const format: SameKeys<typeof en> = {
  'format.duration.day_one': '{{count}}日',
  'format.duration.day_other': '{{count}}日',
  'format.duration.hour_one': '{{count}}時間',
  'format.duration.hour_other': '{{count}}時間',
  'format.duration.minute_one': '{{count}}分',
  'format.duration.minute_other': '{{count}}分',
  'format.duration.second_one': '{{count}}秒',
  'format.duration.second_other': '{{count}}秒',
  'format.duration.gap': '',
  'format.age.now': 'たった今',
  'format.age.past.day_one': '{{count}}日前',
  'format.age.past.day_other': '{{count}}日前',
  'format.age.past.hour': '{{count}}時間前',
  'format.age.past.minute': '{{count}}分前',
  'format.age.past.second': '{{count}}秒前',
  'format.age.future.day_one': '{{count}}日後',
  'format.age.future.day_other': '{{count}}日後',
  'format.age.future.hour': '{{count}}時間後',
  'format.age.future.minute': '{{count}}分後',
  'format.age.future.second': '{{count}}秒後',
  'format.incomplete-since':
    '{{time}}以降に受信したメッセージは索引の作成中のため、表示されていない場合があります。',
};
