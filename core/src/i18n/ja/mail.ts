import type { mail as en } from '../en/mail.ts';
import type { SameKeys } from '../same-keys.ts';

export const mail: SameKeys<typeof en> = {
  'mail.unreadable': 'サーバーのシークレットが変更されたため、メールを復号できません',
  'mail.invitation.subject': '{{space}}への招待',
  'mail.invitation.text':
    '{{inviter}}さんから、運用コンソール「{{space}}」に招待されました。\n\n{{days}}日以内に、次のリンクから表示名とパスワードを設定してください。\n{{link}}\n\nこのリンクは1回だけ使用できます。心当たりのない場合は、このメールを破棄してください。アカウントは有効化されません。',
  'mail.change-password.subject': 'パスワードの再設定',
  'mail.change-password.text':
    '{{name}}様\n\n「{{space}}」のパスワードの再設定が申請されました。{{minutes}}分以内に、次のリンクから新しいパスワードを設定してください。\n{{link}}\n\nこのリンクは1回だけ使用できます。心当たりのない場合は、このメールを破棄してください。パスワードは変更されません。',
  'mail.password-changed.subject': 'パスワードを変更しました',
  'mail.password-changed.text':
    '{{name}}様\n\n「{{space}}」のパスワードが{{time}}（UTC）に変更されました。すべてのセッションを終了しましたので、新しいパスワードでサインインし直してください。\n\n心当たりのない場合は、ただちに次の画面でパスワードを再設定し、管理者に連絡してください。\n{{link}}',
  'mail.change-email.subject': '新しいメールアドレスの確認',
  'mail.change-email.text':
    '{{name}}様\n\n「{{space}}」で使用するメールアドレスをこのアドレスに変更するには、{{hours}}時間以内に次のリンクから確認してください。\n{{link}}\n\nこのリンクは1回だけ使用できます。心当たりのない場合は、このメールを破棄してください。',
  'mail.email-change-asked.subject': 'メールアドレスの変更が申請されました',
  'mail.email-change-asked.text':
    '{{name}}様\n\n{{time}}（UTC）に、{{who}}さんが「{{space}}」で使用するメールアドレスを{{email}}に変更するよう申請しました。新しいアドレスの確認が完了すると、変更されます。\n\n心当たりのない場合は、次のリンクから変更を取り消してください。リンクは変更後も{{days}}日間有効です。\n{{link}}',
  'mail.email-changed.subject': 'メールアドレスを変更しました',
  'mail.email-changed.text':
    '{{name}}様\n\n「{{space}}」で使用するメールアドレスが{{time}}（UTC）に別のアドレスへ変更されました。今後は新しいアドレスでサインインし、通知も新しいアドレスに届きます。\n\n心当たりのない場合は、変更の申請を知らせるメールのリンク（{{days}}日間有効）から元に戻し、ただちに管理者に連絡してください。',
  'mail.security-changed.subject': 'サインインのセキュリティ設定が変更されました',
  'mail.security-changed.text':
    '{{name}}様\n\n「{{space}}」で{{time}}（UTC）に次の変更がありました。\n{{change}}\n\n心当たりのない場合は、ただちに次の画面でパスワードを再設定し、管理者に連絡してください。\n{{link}}',
  'mail.space-cancelled.subject': '{{space}}の解約',
  'mail.space-cancelled.text':
    '{{name}}様\n\n{{who}}さんがスペース「{{space}}」を解約しました。{{time}}（UTC）に、スペースのすべてのデータが削除されます。削除後は復元できません。\n\nそれまでは通常どおり利用できます。解約の取り消しと、データのダウンロードは次の画面から行えます。\n{{link}}',
  'mail.space-kept.subject': '{{space}}の解約の取り消し',
  'mail.space-kept.text':
    '{{name}}様\n\n{{who}}さんが、{{time}}（UTC）に終了する予定だったスペース「{{space}}」の解約を取り消しました。データはすべてそのまま残ります。\n\n{{link}}',
  'mail.change.mfa-on': '多要素認証を有効にしました。',
  'mail.change.mfa-off': '多要素認証を無効にしました。',
  'mail.change.recovery-codes': 'リカバリーコードを再生成しました。以前のコードは使用できません。',
  'mail.change.recovery-code-used': 'リカバリーコードを使用したサインインがありました。',
  'mail.change.passkey-added': 'パスキー「{{passkey}}」を追加しました。',
  'mail.change.passkey-removed': 'パスキー「{{passkey}}」を削除しました。',
  'mail.change.passkey-copied':
    'パスキー「{{passkey}}」が複製されたおそれがあるため、サインインを拒否しました。このパスキーを削除し、新しいパスキーを追加してください。',
  'mail.change.email-restored':
    'メールアドレスを{{old}}に戻し、すべてのセッションを終了しました。次のものを削除しました。\n{{removed}}',
  'mail.removed.password': 'パスワード',
  'mail.removed.passkeys': 'パスキー: {{names}}',
  'mail.removed.second-step': '多要素認証の設定',
  'mail.removed.recovery-codes': 'リカバリーコード',
  'mail.removed.accounts': '連携したアカウント: {{count}}件',
  'mail.removed.api-tokens': 'APIトークン: {{names}}',
  'mail.change.account-linked': 'アカウント{{account}}でサインインできるようになりました。',
};
