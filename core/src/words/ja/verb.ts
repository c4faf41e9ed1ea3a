import type { verb as en } from '../en/verb.ts';
import type { Same } from '../same.ts';

export const verb: Same<typeof en> = {
  'verb.create': '作成',
  'verb.edit': '編集',
  'verb.save': '保存',
  'verb.delete': '削除',
  'verb.cancel': 'キャンセル',
  'verb.close': '閉じる',
  'verb.copy': 'コピー',
  'verb.reload': '再読み込み',
  'verb.reset': 'リセット',
  'verb.back': '戻る',
  'verb.sign-in': 'サインイン',
  'verb.sign-out': 'サインアウト',
  'verb.deleting': '削除中',
  'verb.saving': '保存中',
  'text.copied': 'コピーしました',
  'text.loading': '読み込み中',
  'text.no-data': 'データがありません',
  'text.forbidden': 'アクセス拒否',
  'text.forbidden-detail': 'アクセスする権限がありません。',
  'text.error': 'エラー',
  'text.error-detail': 'データを読み込めませんでした。しばらくしてから再試行してください。',
  'text.never': 'なし',
  'text.none': 'なし',
};
