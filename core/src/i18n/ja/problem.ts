import type { problem as en } from '../en/problem.ts';
import type { SameKeys } from '../same-keys.ts';

export const problem: SameKeys<typeof en> = {
  'problem.invalid': '入力内容を確認してください',
  'problem.sign-in-required': '続けるにはサインインしてください',
  'problem.forbidden': 'この操作を行う権限がありません。',
  'problem.not-found': 'ページまたは項目が見つかりません',
  'problem.method-not-allowed': 'この操作はここでは行えません',
  'problem.conflict': '既存の項目と競合しています',
  'problem.changed': 'ほかのユーザーが先に変更しました。再読み込みしてからやり直してください。',
  'problem.misdirected': 'このホスト名のスペースはありません',
  'problem.too-large': 'リクエストのサイズが大きすぎます',
  'problem.unsupported-media-type': 'この形式のデータは受け付けていません',
  'problem.too-many-requests': 'リクエストが多すぎます。しばらくしてから再試行してください。',
  'problem.header-too-large': 'リクエストヘッダーが大きすぎます',
  'problem.internal': 'サーバーの内部エラーのため、処理を完了できませんでした',
  'problem.unavailable':
    'サーバーが混雑しているか、データベースに接続できません。しばらくしてから再試行してください。',
  'problem.unreachable': 'サーバーに接続できません',
  'problem.no-item': 'このIDの{{noun}}はありません',
  'problem.in-use': '{{users}}で使われています',
  'problem.in-use-more': '{{users}}などで使われています',
  'problem.user': '{{noun}}「{{name}}」',
  'problem.user-unseen': '閲覧できない{{noun}}',
  'problem.needs': '権限 {{permissions}} が必要です',
  'problem.needs-role': '権限 {{permissions}} が必要です（ロール {{roles}} に含まれています）',
  'problem.no-message-since': 'それ以降に受信スロットが受け取ったメッセージはありません',
  'problem.comma': '、',
  'problem.no-severity': '{{names}} という名前の深刻度はありません',
  'problem.no-attribute': '{{name}} という名前の属性はありません',
  'problem.or': ' または ',
  'problem.rejected': 'タスクを登録できませんでした',
};
