import type { mute as en } from '../en/mute.ts';
import type { SameKeys } from '../same-keys.ts';

export const mute: SameKeys<typeof en> = {
  'mute.mute': 'ミュート',
  'mute.from-now': '今からミュートする時間',
  'mute.name-now': 'ミュート {{time}}',
  'mute.when': '有効な期間',
  'mute.over': 'すでに終了しており、今後ミュートされることはありません。',
  'mute.next': '次回: {{times}}（{{zone}}）',
  'mute.calendar': 'カレンダー',
  'mute.before': '前の月',
  'mute.after': '次の月',
  'mute.none-in-month': 'この月にミュートする期間はありません',
  'mute.until': '{{time}}までミュート中',
  'mute.tooMany': '1つのスコープに設定できるミュートスケジュールは{{most}}件までです',
};
