import type { alerthub as en } from '../en/alerthub.ts';
import type { Same } from '../same.ts';

export const alerthub: Same<typeof en> = {
  'count.per-day': '日ごとのメッセージ数',
  'count.per-month': '月ごとのメッセージ数',
  'count.none': 'この期間に受信したメッセージはありません',
  'count.total': '合計{{count}}件',
  'related.same': '深刻度名がトリガーを判定したイベントと同じである',
  'related.same-not': '深刻度名がトリガーを判定したイベントと異なる',
  'related.row': '絞り込み条件{{number}}',
  'related.add': '絞り込み条件を追加',
  'related.none':
    '絞り込みなし: 時間を条件に含むトリガーでは、その期間に同じスコープのイベントを起こしたメッセージがすべて関連メッセージになります。',
  'test.title': '保存前のテスト',
  'test.hint': 'このフォームの内容のルールで、1件のメッセージを判定します。保存も送信もしません。',
  'test.message': 'メッセージ',
  'test.paste': '貼り付けた内容を使う',
  'test.text': '内容',
  'test.run': 'テスト',
  'test.matched': 'このメッセージはルールに一致します',
  'test.unmatched': 'このメッセージはルールに一致しません',
  'test.held': 'アクション「{{action}}」が送信する内容',
};
