import type { bulk as en } from '../en/bulk.ts';
import type { Same } from '../same.ts';

export const bulk: Same<typeof en> = {
  'page.about-notification-addresses':
    'アクションを送信できなかったときに通知するアドレスです。続けて失敗した分は 1 通にまとめ、同じアクションについては最大でも 1 時間に 1 通です。',
  'page.about-email-senders':
    'メールアクションは、ここで登録した設定か、サーバー本体に設定された方法で送信されます。',
  'page.test-send': 'テスト送信',
  'page.test-send-title': 'テスト送信しますか？',
  'page.test-send-text':
    '仮の値を使い、訓練であることを明示して、実際の宛先に 1 回送信します。結果はアクション記録で確認できます。',
  'page.no-action-deliveries': 'このアクションはまだ送信されていません',
  'page.resend': '再送',
  'page.resend-title': '再送しますか？',
  'page.resend-text': '同じ送信 ID のまま、これから 1 日間、送信を試みます。',
  'shell.notice-sent': '送信を受け付けました',
};
