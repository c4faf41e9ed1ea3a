import type { pigeon as en } from '../en/pigeon.ts';
import type { Same } from '../same.ts';

export const pigeon: Same<typeof en> = {
  'pigeon.one-way': '{{id}} と {{inline}} はどちらか一方だけを指定してください',
  'pigeon.no-such-phone': 'この連絡先の電話番号は{{count}}件です',
  'pigeon.phone-called': 'コールフロー「{{name}}」がこの連絡先の{{phone}}番目の電話番号を使用しています',
  'pigeon.transfer-ticket': '通話の転送には、Pigeonプランのチケットが必要です',
  'pigeon.phone-hidden': '権限のないユーザーは電話番号を閲覧できません',
  'pigeon.handed-over': '通話結果 {{resultId}} として開始しました',
  'pigeon.rejected.title': 'チェーンを開始できませんでした',
  'pigeon.rejected.noLine': '回線が設定されていないため、発信できません',
  'pigeon.rejected.callflow': '指定されたコールフローはありません',
  'pigeon.rejected.guidance': '指定されたガイダンスはありません',
  'pigeon.rejected.contact': 'コールフローに存在しない連絡先が含まれています',
  'pigeon.rejected.noTransfer': 'ガイダンスに転送の設定がありますが、コールフローに転送先がありません',
  'pigeon.rejected.ticket': '通話の転送には、Pigeonプランのチケットが必要です',
  'pigeon.rejected.template': 'ガイダンスのテンプレートに値を埋められませんでした: {{detail}}',
  'pigeon.mail.started': '[Yagura] 発信を開始しました: {{callflow}}',
  'pigeon.mail.succeeded': '[Yagura] 通話が成功しました: {{callflow}}',
  'pigeon.mail.aborted': '[Yagura] 通話が中止されました: {{callflow}}',
  'pigeon.mail.failed': '[Yagura] 通話が失敗しました: {{callflow}}',
  'pigeon.mail.text':
    'コールフロー: {{callflow}}\nガイダンス: {{guidance}}\n通話結果: {{url}}\n結果ID: {{resultId}}',
};
