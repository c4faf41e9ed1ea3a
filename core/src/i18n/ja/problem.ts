import type { problem as en } from '../en/problem.ts';
import type { SameKeys } from '../same-keys.ts';

export const problem: SameKeys<typeof en> = {
  'problem.invalid': '入力内容を確認してください',
  'problem.sign-in-required': '続けるにはサインインしてください',
  'problem.forbidden': 'アクセスする権限がありません。',
  'problem.not-found': 'ページまたは項目が見つかりません',
  'problem.method-not-allowed': 'この操作はここでは行えません',
  'problem.conflict': '既存の項目と競合しています',
  'problem.changed': '他の人が先に変更しました。再読み込みしてからやり直してください',
  'problem.misdirected': 'このホスト名で提供されているスペースはありません',
  'problem.too-large': 'サイズが大きすぎます',
  'problem.unsupported-media-type': 'この形式のデータは受け付けていません',
  'problem.too-many-requests': 'リクエストが多すぎます。しばらく待ってください',
  'problem.header-too-large': 'リクエストヘッダーが大きすぎます',
  'problem.internal': 'サーバーで問題が発生しました',
  'problem.unavailable':
    'サーバーが混雑しているか、データベースに接続できません。しばらくしてから再試行してください',
  'problem.unreachable': 'サーバーに接続できません',
  'problem.no-item': 'この ID の{{noun}}はありません',
  'problem.in-use': '{{users}}で使われています',
  'problem.in-use-more': '{{users}}などで使われています',
  'problem.user': '{{noun}}「{{name}}」',
  'problem.user-unseen': '閲覧できない{{noun}}',
  'problem.needs': '権限 {{permissions}} が必要です',
  'problem.needs-role': '権限 {{permissions}} が必要です。ロール {{roles}} に含まれています',
  'problem.no-message-since': 'それ以降に受信スロットが受け取ったメッセージはありません',
  'problem.comma': '、',
  'problem.no-severity': '{{names}} という名前の深刻度はありません',
  'problem.no-attribute': '{{name}} という名前の属性はありません',
  'problem.or': ' または ',
  'problem.rejected': 'タスクの登録に失敗しました',
};
