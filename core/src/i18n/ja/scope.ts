import type { scope as en } from '../en/scope.ts';
import type { SameKeys } from '../same-keys.ts';

export const scope: SameKeys<typeof en> = {
  'acknowledge.button': '確認済みにする',
  'acknowledge.title': '「{{name}}」を確認済みにする',
  'acknowledge.hint':
    '対応中であることを全員に示します。状態が悪化するか正常に戻ると解除されます。トリガーと通話には影響しません。',
  'acknowledge.by': '{{name}}が確認済み',
  'acknowledge.by-note': '{{name}}が確認済み: {{note}}',
  'acknowledge.withdraw': '確認を解除',
  'acknowledge.withdraw-title': '「{{name}}」の確認を解除しますか？',
  'acknowledge.withdraw-text': 'スコープは未確認として表示されます。イベントの履歴は残ります。',
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
