import type { external as en } from '../en/external.ts';
import type { SameKeys } from '../same-keys.ts';

export const external: SameKeys<typeof en> = {
  'external.go': '{{provider}}で続ける',
  'external.other': '別のアカウントを使用',
  'external.unknown-title': 'このスペースのユーザーではありません',
  'external.unknown':
    '{{provider}}では{{email}}として認証されましたが、このアドレスのユーザーはこのスペースに登録されていません。管理者に招待を依頼してください。',
  'external.no-address-title': 'メールアドレスがありません',
  'external.no-address':
    '{{provider}}で認証されましたが、メールアドレスを取得できませんでした。スコープemailでメールアドレスが送信されるよう、{{provider}}の管理者に依頼してください。',
  'external.unverified-title': 'メールアドレスが確認されていません',
  'external.unverified':
    'メールアドレス{{email}}は{{provider}}で確認されていません。{{provider}}で確認してから、もう一度サインインしてください。',
  'external.full-title': 'ユーザー数の上限に達しています',
  'external.full':
    '料金プランのユーザー数の上限に達しているため、サインインできません。スペースの管理者に連絡してください。',
  'external.disabled-title': 'サインインできません',
  'external.disabled':
    'このスペースのユーザー{{email}}は、管理者によって無効化されています。管理者に連絡してください。',
  'external.wrong-title': 'サインインの設定に誤りがあります',
  'external.wrong':
    '{{provider}}によるサインインを処理できません（{{code}}）。サーバーの管理者に連絡してください。原因はサーバーのログに記録されています。',
  'external.unreachable-title': '現在サインインできません',
  'external.unreachable':
    '{{provider}}から応答がありません。しばらくしてから、もう一度お試しください。解決しない場合は、サーバーの管理者に連絡してください。原因はサーバーのログに記録されています。',
  'external.signing-out-title': 'サインアウトしています',
  'external.signing-out':
    'このサービスからサインアウトしました。続いて{{provider}}からもサインアウトします。',
  'external.sign-out': '{{provider}}に進む',
};
