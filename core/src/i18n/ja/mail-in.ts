import type { mailIn as en } from '../en/mail-in.ts';
import type { SameKeys } from '../same-keys.ts';

export const mailIn: SameKeys<typeof en> = {
  'mail-in.kind-kept': '受信スロットの種別は変更できません。別のスロットを作成してください。',
  'mail-in.regenerate-primary': 'プライマリーを再生成',
  'mail-in.regenerate-secondary': 'セカンダリーを再生成',
  'mail-in.regenerate-title': '{{name}}を再生成しますか？',
  'mail-in.regenerate-text':
    '新しいアドレスを無作為に生成します。以降、古いアドレス宛てのメッセージは受信を拒否します。もう一方のアドレスは変わりません。',
  'mail-in.from': '送信者',
  'mail-in.recipient': '受信アドレス',
  'mail-in.no-subject': '件名なし',
  'mail-in.text': 'テキスト',
  'mail-in.html': 'HTML',
  'mail-in.show-html': 'HTMLで表示',
  'mail-in.html-note': 'スクリプト、リンク、外部からの読み込みを無効にして表示しています。',
  'mail-in.attachments': '添付ファイル',
  'mail-in.raw': '受信データをダウンロード',
  'mail-in.cut-header': 'ヘッダーが長すぎるため、一部を省略しました。全体はダウンロードで確認できます。',
  'mail-in.cut-parts': 'パートが多すぎるため、一部を省略しました。全体はダウンロードで確認できます。',
  'mail-in.cut-depth': 'パートの入れ子が深すぎるため、一部を省略しました。全体はダウンロードで確認できます。',
  'mail-in.cut-text': 'テキストが長すぎるため、途中までを表示しています。全体はダウンロードで確認できます。',
  'mail-in.cut-html': 'HTMLが長すぎるため、途中までを表示しています。全体はダウンロードで確認できます。',
  'mail-in.cut-attachments':
    '添付ファイルが多すぎるため、一部を省略しました。残りはダウンロードに含まれます。',
};
