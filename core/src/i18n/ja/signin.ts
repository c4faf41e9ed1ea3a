import type { signin as en } from '../en/signin.ts';
import type { SameKeys } from '../same-keys.ts';

export const signin: SameKeys<typeof en> = {
  'signin.product': 'Yagura 櫓',
  'signin.title': 'サインイン',
  'signin.lead': '運用コンソールにサインインします。',
  'signin.email': 'メールアドレス',
  'signin.password': 'パスワード',
  'signin.submit': 'サインイン',
  'signin.switch-language': 'English',
  'signin.language': '言語',
  'signin.wrong': 'メールアドレスまたはパスワードが正しくありません。',
  'signin.fill-in': 'メールアドレスとパスワードを入力してください。',
  'signin.wait-seconds':
    '失敗が続いたため、一時的にサインインできません。{{count}}秒後に再試行してください。',
  'signin.wait-minutes':
    '失敗が続いたため、一時的にサインインできません。{{count}}分後に再試行してください。',
  'signin.foreign':
    '別のサイトから送信されたため、受け付けませんでした。この画面からサインインしてください。',
  'signin.busy': 'サインインが集中しています。数秒後に再試行してください。',
  'signin.expired-title': 'サインインの有効期限が切れました',
  'signin.expired': '画面を長時間開いたままだったか、別のタブでサインインが完了しています。',
  'signin.start-again': '最初からやり直す',
  'signin.sign-out-title': 'サインアウトしますか？',
  'signin.sign-out': 'このブラウザーのセッションを終了します。',
  'signin.sign-out-yes': 'サインアウト',
  'signin.sign-out-no': 'サインインしたままにする',
  'signin.signed-out-title': 'サインアウトしました',
  'signin.signed-out': 'このページを閉じるか、もう一度サインインしてください。',
  'signin.error-title': 'サインインできませんでした',
  'signin.error':
    'サインインまたはサインアウトのリクエストを処理できません。コンソールからやり直してください。',
  'signin.error-server': 'サーバーが一時的に応答できません。数秒後に再試行してください。',
  'signin.error-code': '理由: {{code}}',
  'signin.missing-title': 'ページが見つかりません',
  'signin.missing': 'このアドレスにページはありません。コンソールに戻ってください。',
  'signin.to-console': 'コンソールを開く',
  'consent.title': 'コマンドラインを承認しますか？',
  'consent.lead':
    'このコンピューターのプログラムが、Yaguraのコマンドラインクライアントとして {{email}} でのサインインを求めています。',
  'consent.warning':
    'このコンピューターで yagura login を実行した場合にのみ承認してください。心当たりがないときに承認すると、ほかのプログラムがアカウントを使用できるようになります。',
  'device.title': 'ターミナルの承認',
  'device.lead': 'ターミナルに表示されているコードを入力してください。',
  'device.code': 'コード',
  'device.go-on': '次へ',
  'device.wrong':
    'コードが正しくないか、有効期限が切れているか、使用済みです。ターミナルのコードを確認してください。',
  'device.confirm-title': 'このターミナルを承認しますか？',
  'device.confirm': '次のターミナルが、ご利用のアカウントでのサインインを求めています。',
  'device.client': 'プログラム',
  'device.address': 'アドレス',
  'device.program': 'バージョン',
  'device.warning':
    'ご自身で今サインインを始め、ターミナルのコードが一致している場合にのみ承認してください。ほかの人から送られてきたコードの場合は拒否してください。',
  'device.allow': '承認',
  'device.refuse': '拒否',
  'device.refused-title': '拒否しました',
  'device.refused': 'ターミナルからのサインインを拒否しました。',
  'device.done-title': 'ターミナルでサインインしました',
  'device.done': 'このページを閉じてターミナルに戻ってください。',
};
