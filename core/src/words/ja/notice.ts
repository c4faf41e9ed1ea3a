import type { notice as en } from '../en/notice.ts';
import type { Same } from '../same.ts';

export const notice: Same<typeof en> = {
  'delivery.agentAway': 'Ksocketエージェントが接続されていません',
  'delivery.agentSilent': 'Ksocketエージェントから{{seconds}}秒以内に応答がありませんでした',
  'delivery.noTicket': 'ご契約の料金プランではオンプレミスWebhookを利用できません',
  'delivery.noRecipient': 'メールに宛先がありません',
  'delivery.invalidRecipient': 'アドレス {{address}} には送信できません',
  'delivery.recipientsRefused': 'メールサーバーが次の宛先を拒否しました: {{addresses}}',
  'delivery.blockedHeader': 'ヘッダー {{name}} は指定できません',
  'delivery.senderGone': 'アクションで指定されたメール送信設定が削除されています',
  'delivery.senderIncomplete':
    'メール送信設定「{{name}}」にパスワードまたはキーが登録されていません。設定画面で登録してください',
  'notice.subject': 'アクションの失敗',
  'notice.intro': 'スペース「{{space}}」の次のアクションは送信できず、打ち切られました。',
  'notice.action': '{{name}}: {{count}} 件失敗（{{from}} ～ {{to}}）',
  'notice.reason': '最後の理由: {{reason}}',
  'notice.action-link': 'アクション: {{url}}',
  'notice.scope-link': 'スコープ: {{url}}',
  'notice.more-scopes': '（ほか {{count}} 件のスコープ）',
  'notice.outro': '同じアクションの以後の失敗は、1 時間後にまとめて 1 通でお知らせします。',
  'sender.password-again': 'ホストが変更されました。パスワードを入力し直してください',
  'sender.needed': 'この認証方式では必須です',
  'sender.key-needed': '必須です',
  'record.not-failed': '再送できるのは、送信を打ち切ったものだけです',
  'record.nothing': 'テンプレートを展開できなかったため、再送する内容がありません',
};
