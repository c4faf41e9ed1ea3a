import type { card as en } from '../en/card.ts';
import type { SameKeys } from '../same-keys.ts';

export const card: SameKeys<typeof en> = {
  'card.activate-title': 'ようこそ',
  'card.activate-lead': '表示名とパスワードを設定してください。サインインには{{email}}を使用します。',
  'card.activate-done-title': '準備ができました',
  'card.activate-done': '{{email}}と新しいパスワードでサインインしてください。',
  'card.name': '表示名',
  'card.new-password': '新しいパスワード',
  'card.repeat-password': '新しいパスワード（確認）',
  'card.password-rule': '英字、数字、記号をそれぞれ1文字以上含む{{count}}文字以上で入力してください。',
  'card.activate': 'アカウントを有効化',
  'card.to-sign-in': 'サインイン',
  'card.request-title': 'パスワードの再設定',
  'card.request-lead':
    'メールアドレスを入力してください。パスワードを再設定するためのリンクをメールで送信します。',
  'card.request': 'メールを送信',
  'card.requested-title': 'メールを確認してください',
  'card.requested':
    'このアドレスのユーザーが登録されている場合は、リンクを記載したメールを送信します。リンクの有効期間は{{minutes}}分です。',
  'card.password-title': '新しいパスワードの設定',
  'card.password-lead':
    '{{email}}のパスワードを設定します。設定するとすべてのセッションが終了し、サインインし直す必要があります。',
  'card.password-submit': 'パスワードを設定',
  'card.password-done-title': 'パスワードを設定しました',
  'card.password-done': '新しいパスワードでサインインしてください。',
  'card.email-title': '新しいメールアドレスの確認',
  'card.email-lead': '確認すると、{{old}}の代わりに{{email}}でサインインするようになります。',
  'card.email-submit': '確認',
  'card.email-done-title': 'メールアドレスを変更しました',
  'card.email-done': '今後は{{email}}でサインインしてください。',
  'card.restore-title': 'メールアドレスの変更の取り消し',
  'card.restore-lead':
    'メールアドレスは{{old}}のままとなり、{{email}}は使用されません。すでに変更されている場合は{{old}}に戻してすべてのセッションを終了し、パスキーを削除するため、新しいパスワードを設定してください。',
  'card.restore-submit': '変更を取り消す',
  'card.restored-title': 'メールアドレスを{{old}}に戻しました',
  'card.restored':
    'すべてのセッションを終了し、パスワード、パスキー、リカバリーコードを削除しました。変更の申請以降に設定された多要素認証、連携したアカウント、APIトークンも削除しました。新しいパスワードを設定し、APIトークンを確認したうえで、管理者に連絡してください。',
  'card.restore-stopped-title': 'メールアドレスは{{old}}のままです',
  'card.restore-stopped':
    '変更の申請を取り消しました。心当たりのない申請だった場合は、パスワードを再設定し、パスキーとAPIトークンを確認してください。',
  'card.restore-request-title': 'メールアドレスの変更の取り消し',
  'card.restore-request': '変更の申請を知らせるメールのリンクを開いてください。',
  'card.email-request-title': 'メールアドレスの変更',
  'card.email-request':
    'サインインしてプロフィールを開き、新しいアドレスを入力してください。この画面へのリンクを記載したメールを送信します。',
  'card.email-to-profile': 'プロフィールを開く',
  'card.unknown-title': 'このリンクは使用できません',
  'card.unknown':
    'リンクが途中で切れているか、新しいリンクが発行されています。最新のメールを開くか、新しいリンクを申請してください。',
  'card.expired-title': 'リンクの有効期限が切れています',
  'card.expired': '新しいリンクを申請してください。',
  'card.expired-invitation': '招待したユーザーに、招待の再送を依頼してください。',
  'card.used-title': 'このリンクは使用済みです',
  'card.used': 'リンクは1回だけ使用できます。必要な場合は、新しいリンクを申請してください。',
  'card.used-invitation':
    'アカウントは有効化済みです。サインインしてください。パスワードを忘れた場合は再設定できます。',
  'card.ask-again': '新しいリンクを申請',
  'card.forgotten': 'パスワードを忘れた場合',
  'card.taken': 'このメールアドレスのユーザーは、すでにこのスペースに登録されています。',
  'card.wrong-password': 'パスワードが正しくありません',
  'card.same-email': '現在のメールアドレスと同じです',
  'card.not-equal': 'パスワードが一致しません',
  'card.name-rule': '1〜{{count}}文字で入力してください',
  'card.no-mail-title': 'このサーバーはメールを送信できません',
  'card.no-mail':
    'メールサーバーが設定されていないため、リンクを送信できません。サーバーの運用担当者に、新しいパスワードの発行を依頼してください（コマンド: yagura-server person reset）。',
  'card.no-passwords-title': 'このサーバーではパスワードを使用しません',
  'card.no-passwords':
    'サインインには外部プロバイダーのアカウントを使用します。パスワードは外部プロバイダーで変更してください。',
  'card.link-title': 'アカウントの連携',
  'card.link-lead':
    'アカウント{{account}}で認証されました。今後このアカウントで{{email}}としてサインインするために、一度だけ本人確認を行ってください。',
  'card.link-submit': 'アカウントを連携',
  'card.link-done-title': 'アカウントを連携しました',
  'card.link-done': '今後は{{account}}でサインインできます。',
  'card.link-go-on': 'サインインへ進む',
  'card.link-request-title': 'アカウントの連携',
  'card.link-request':
    '外部プロバイダーのアカウントでサインインしてください。まだ連携していない場合は、自動的にこの画面に移動します。',
};
