import type { external as en } from '../en/external.ts';
import type { SameKeys } from '../same-keys.ts';

export const external: SameKeys<typeof en> = {
  'external.go': '{{provider}}で続ける',
  'external.other': '別のアカウントを使用',
  'external.unknown-title': 'このスペースのユーザーではありません',
  'external.unknown':
    '{{provider}}では{{email}}として認証されましたが、このアドレスのユーザーはこのスペースに登録されていません。管理者に招待を依頼してください。',
  'external.unverified-title': 'メールアドレスが確認されていません',
  'external.unverified':
    '{{provider}}からメールアドレスの確認済み情報を取得できませんでした。{{provider}}でメールアドレスを確認してから、もう一度サインインしてください。',
  'external.full-title': 'ユーザー数の上限に達しています',
  'external.full':
    '料金プランのユーザー数の上限に達しているため、サインインできません。スペースの管理者に連絡してください。',
  'external.disabled-title': 'サインインできません',
  'external.disabled':
    'このスペースのユーザー{{email}}は、管理者によって無効化されています。管理者に連絡してください。',
  'external.wrong-title': 'サインインの設定に誤りがあります',
  'external.wrong':
    '{{provider}}によるサインインを処理できません（{{code}}）。サーバーの管理者に連絡してください。原因はサーバーのログに記録されています。',
  'external.signing-out-title': 'サインアウトしています',
  'external.signing-out':
    'このサービスからサインアウトしました。続いて{{provider}}からもサインアウトします。',
  'external.sign-out': '{{provider}}に進む',
};
