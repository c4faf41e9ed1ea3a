import type { factor as en } from '../en/factor.ts';
import type { SameKeys } from '../same-keys.ts';

export const factor: SameKeys<typeof en> = {
  'factor.title': '本人確認',
  'factor.lead': 'パスワードを確認しました。続けて本人確認を行ってください。',
  'factor.code': '確認コード',
  'factor.code-hint': '認証アプリに表示された6桁の数字、またはリカバリーコードを入力してください。',
  'factor.remember': 'このブラウザーでは{{count}}日間、本人確認を省略する',
  'factor.submit': '続ける',
  'factor.use-passkey': 'パスキーを使用',
  'factor.passkey-failed':
    'パスキーを使用できませんでした。もう一度試すか、別の方法でサインインしてください。',
  'factor.passkey-not-added': 'パスキーを追加できませんでした。もう一度試してください。',
  'factor.passkey-known': 'この端末またはセキュリティキーには、このアカウントのパスキーがすでにあります。',
  'factor.wrong-code': '確認コードが正しくないか、すでに使用されています。',
  'factor.wrong-passkey':
    'このパスキーは使用できません。別のパスキーを使用するか、別の方法でサインインしてください。',
  'factor.wrong-response': 'ブラウザーの応答を確認できないか、時間切れです。再試行してください。',
  'factor.heading': '多要素認証',
  'factor.on': '有効（{{time}}から）',
  'factor.off': '無効',
  'factor.already-on': '多要素認証はすでに有効です。ページを再読み込みしてください。',
  'factor.already-off': '多要素認証は無効です。ページを再読み込みしてください。',
  'factor.explain':
    'サインインのとき、パスワードに加えて認証アプリの確認コード、リカバリーコード、またはパスキーによる確認を求めます。',
  'factor.set-up': '設定',
  'factor.scan':
    '認証アプリでQRコードを読み取るか、キーを入力してください。続いて、アプリに表示された6桁の数字を入力してください。',
  'factor.key': 'キー',
  'factor.turn-on': '有効にする',
  'factor.turn-off': '無効にする',
  'factor.codes-left_one': '未使用のリカバリーコード: {{count}}個',
  'factor.codes-left_other': '未使用のリカバリーコード: {{count}}個',
  'factor.codes-once':
    'リカバリーコードを安全な場所に保管してください。認証アプリを使用できないときに、それぞれ1回だけ使用できます。再表示はできません。',
  'factor.new-codes': 'リカバリーコードを再生成',
  'factor.browsers_one': '確認を省略するブラウザー: {{count}}台',
  'factor.browsers_other': '確認を省略するブラウザー: {{count}}台',
  'factor.forget-browsers': 'すべてのブラウザーで確認を求める',
  'factor.password': '現在のパスワード',
  'factor.prove-again':
    '本人確認のため、もう一度サインインしてください。サインインするとこの画面に戻ります。',
  'factor.proved': '本人確認が済んでいます。5分以内に1回だけ有効です。',
  'factor.sign-in-again': 'もう一度サインイン',
  'factor.passkeys': 'パスキー',
  'factor.passkeys-explain':
    '端末の指紋、顔、画面ロック、またはセキュリティキーでサインインできます。本人確認にも使用できます。',
  'factor.add-passkey': 'パスキーを追加',
  'factor.no-passkeys': 'パスキーはありません。追加すると、パスワードなしでサインインできます。',
  'factor.rename-passkey': '名前を変更',
  'factor.passkey-created': '追加日時',
  'factor.synced': '端末間で同期',
  'factor.sessions': 'サインイン中のセッション',
  'factor.this-session': 'このブラウザー',
  'factor.end-session': 'サインインを終了',
  'factor.end-all': 'すべてサインアウト',
  'factor.end-all-explain':
    'このブラウザーを含むすべてのサインインを終了します。APIトークンは引き続き有効です。',
  'factor.client-web': 'コンソール',
  'factor.client-cli': 'コマンドライン',
  'factor.new-email': '新しいメールアドレス',
  'factor.change-email': 'メールアドレスを変更',
  'factor.email-sent': '新しいアドレスにリンクを送信しました。リンクを開くとアドレスが変更されます。',
  'factor.change-password': 'パスワードを再設定',
  'factor.own-password': 'パスワードを変更',
  'factor.own-password-explain':
    'このブラウザーを含むすべてのサインインを終了します。新しいパスワードでサインインし直してください。',
  'factor.new-password': '新しいパスワード',
  'factor.repeat-password': '新しいパスワード（確認）',
  'factor.forgotten': 'パスワードを忘れた場合',
  'factor.security': 'セキュリティ',
};
