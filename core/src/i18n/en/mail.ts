// Subjects and texts of mails sent by the server itself.
export const mail = {
  'mail.unreadable': 'The email can no longer be decrypted because the secret of the server has changed',
  'mail.invitation.subject': 'Invitation to {{space}}',
  'mail.invitation.text':
    'Hello,\n\n{{inviter}} has invited you to the operations console "{{space}}".\n\nSet your name and password within {{days}} days:\n{{link}}\n\nThe link works once. If you did not expect this email, ignore it. No account is activated.',
  'mail.change-password.subject': 'Reset your password',
  'mail.change-password.text':
    'Hello {{name}},\n\nA password reset was requested for your account in "{{space}}". Set a new password within {{minutes}} minutes:\n{{link}}\n\nThe link works once. If you did not request this, ignore this email. Your password does not change.',
  'mail.password-changed.subject': 'Your password was changed',
  'mail.password-changed.text':
    'Hello {{name}},\n\nYour password for "{{space}}" was changed at {{time}} (UTC). All your sessions have ended. Sign in again with the new password.\n\nIf you did not do this, set a new password immediately and notify an administrator:\n{{link}}',
  'mail.change-email.subject': 'Confirm your new email address',
  'mail.change-email.text':
    'Hello {{name}},\n\nConfirm this email address for your account in "{{space}}" within {{hours}} hours:\n{{link}}\n\nThe link works once. If you did not request this, ignore this email.',
  'mail.email-change-asked.subject': 'Change of your email address requested',
  'mail.email-change-asked.text':
    'Hello {{name}},\n\nAt {{time}} (UTC), {{who}} requested to change your email address in "{{space}}" to {{email}}. It changes when the new address is confirmed.\n\nIf you do not agree, keep your current address with this link. It is valid for {{days}} days, even after the change:\n{{link}}',
  'mail.email-changed.subject': 'Your email address was changed',
  'mail.email-changed.text':
    'Hello {{name}},\n\nYour email address in "{{space}}" was changed at {{time}} (UTC). You now sign in with the new address, and emails are sent to it.\n\nIf you do not agree, undo the change with the link in the email about the request (valid for {{days}} days), and notify an administrator immediately.',
  'mail.security-changed.subject': 'The security settings of your account were changed',
  'mail.security-changed.text':
    'Hello {{name}},\n\nIn "{{space}}", at {{time}} (UTC): {{change}}\n\nIf you did not do this, set a new password immediately and notify an administrator:\n{{link}}',
  'mail.space-cancelled.subject': 'Cancellation of {{space}}',
  'mail.space-cancelled.text':
    'Hello {{name}},\n\n{{who}} has canceled the space "{{space}}". All its data will be deleted at {{time}} (UTC) and cannot be restored.\n\nUntil then, the space works as usual. Withdraw the cancellation or download your data here:\n{{link}}',
  'mail.space-kept.subject': 'Cancellation of {{space}} withdrawn',
  'mail.space-kept.text':
    'Hello {{name}},\n\n{{who}} has withdrawn the cancellation of the space "{{space}}", which would have ended at {{time}} (UTC). All data is kept.\n\n{{link}}',
  'mail.change.mfa-on': 'Two-step verification was turned on.',
  'mail.change.mfa-off': 'Two-step verification was turned off.',
  'mail.change.recovery-codes': 'New recovery codes were generated. The previous codes no longer work.',
  'mail.change.recovery-code-used': 'A recovery code was used to sign in.',
  'mail.change.passkey-added': 'The passkey "{{passkey}}" was added.',
  'mail.change.passkey-removed': 'The passkey "{{passkey}}" was removed.',
  'mail.change.passkey-copied':
    'A sign-in with the passkey "{{passkey}}" was blocked because the passkey may have been copied. Remove this passkey and add a new one.',
  'mail.change.email-restored':
    'Your email address is {{old}} again, and all your sessions have ended. Removed:\n{{removed}}',
  'mail.removed.password': 'your password',
  'mail.removed.passkeys': 'passkeys: {{names}}',
  'mail.removed.second-step': 'two-step verification',
  'mail.removed.recovery-codes': 'recovery codes',
  'mail.removed.accounts': 'linked accounts: {{count}}',
  'mail.removed.api-tokens': 'API tokens: {{names}}',
  'mail.change.account-linked': 'The account {{account}} can now be used to sign in.',
} as const;
