import type { signin as en } from '../en/signin.ts';
import type { Same } from '../same.ts';

export const signin: Same<typeof en> = {
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
    '失敗が続いたため、一時的にサインインできません。{{count}}秒後にもう一度お試しください。',
  'signin.wait-minutes':
    '失敗が続いたため、一時的にサインインできません。{{count}}分後にもう一度お試しください。',
  'signin.foreign':
    '別のサイトから送信されたため、受け付けませんでした。この画面からもう一度お試しください。',
  'signin.busy': 'サインインが集中しています。数秒後にもう一度お試しください。',
  'signin.expired-title': 'サインインの有効期限が切れました',
  'signin.expired': '長時間そのままになっていたか、別のタブで完了しています。',
  'signin.start-again': '最初からやり直す',
  'signin.sign-out-title': 'サインアウトしますか？',
  'signin.sign-out': 'このブラウザーのセッションを終了します。',
  'signin.sign-out-yes': 'サインアウト',
  'signin.sign-out-no': 'サインインしたままにする',
  'signin.signed-out-title': 'サインアウトしました',
  'signin.signed-out': 'このページを閉じるか、もう一度サインインしてください。',
  'signin.error-title': 'サインインできませんでした',
  'signin.error': 'サインインまたはサインアウトの要求が正しくありません。コンソールからやり直してください。',
  'signin.error-server': 'サーバーが一時的に応答できません。数秒後にもう一度お試しください。',
  'signin.error-code': '理由: {{code}}',
  'signin.missing-title': 'ページが見つかりません',
  'signin.missing': 'このアドレスには何もありません。',
  'signin.to-console': 'コンソールへ',
};
