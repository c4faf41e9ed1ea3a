// Subjects and texts of mails sent by the server itself.
export const mail = {
  'mail.unreadable': 'The mail cannot be read any more: the secret of the server has changed',
  'mail.invitation.subject': 'Invitation to {{space}}',
  'mail.invitation.text':
    'Hello,\n\n{{inviter}} invites you to the operations console "{{space}}".\n\nSet your name and your password here, within {{days}} days:\n{{link}}\n\nThe link works once. If you do not know why you got this mail, ignore it: nothing happens then.',
  'mail.change-password.subject': 'Setting a new password',
  'mail.change-password.text':
    'Hello {{name}},\n\nSomebody asked to set a new password for you in "{{space}}". Set it here, within {{minutes}} minutes:\n{{link}}\n\nThe link works once. If it was not you, ignore this mail: your password stays as it is.',
  'mail.password-changed.subject': 'Your password was changed',
  'mail.password-changed.text':
    'Hello {{name}},\n\nYour password for "{{space}}" was changed at {{time}} (UTC). Every session was ended; sign in again with the new password.\n\nIf it was not you, set a new password at once and tell an administrator:\n{{link}}',
  'mail.change-email.subject': 'Confirm your new email address',
  'mail.change-email.text':
    'Hello {{name}},\n\nConfirm that this is to be your email address in "{{space}}", within {{hours}} hours:\n{{link}}\n\nThe link works once. If you did not ask for this, ignore this mail.',
  'mail.email-change-asked.subject': 'Your email address is to be changed',
  'mail.email-change-asked.text':
    'Hello {{name}},\n\nAt {{time}} (UTC) {{who}} asked to change your email address in "{{space}}" to {{email}}. It changes once that address is confirmed.\n\nIf this is not right, keep this address. The link works for {{days}} days, also after the change:\n{{link}}',
  'mail.email-changed.subject': 'Your email address was changed',
  'mail.email-changed.text':
    'Hello {{name}},\n\nYour email address in "{{space}}" was changed to another one at {{time}} (UTC). From now on you sign in with the new address, and mails go there.\n\nIf this is not right, take it back by the link in the mail that told you of the change ({{days}} days), and tell an administrator at once.',
  'mail.security-changed.subject': 'The security of your sign-in was changed',
  'mail.security-changed.text':
    'Hello {{name}},\n\nIn "{{space}}", at {{time}} (UTC): {{change}}\n\nIf it was not you, set a new password at once and tell an administrator:\n{{link}}',
  'mail.space-cancelled.subject': '{{space}} was cancelled',
  'mail.space-cancelled.text':
    'Hello {{name}},\n\n{{who}} cancelled the space "{{space}}". At {{time}} (UTC) everything in it is erased and cannot be brought back.\n\nUntil then everything goes on as before. Take it back, or download what you want to keep, here:\n{{link}}',
  'mail.space-kept.subject': '{{space}} is not cancelled any more',
  'mail.space-kept.text':
    'Hello {{name}},\n\n{{who}} took back the cancelling of the space "{{space}}", which would have ended at {{time}} (UTC). Everything stays.\n\n{{link}}',
  'mail.change.mfa-on': 'Two-step verification was turned on.',
  'mail.change.mfa-off': 'Two-step verification was turned off.',
  'mail.change.recovery-codes': 'New recovery codes were made; the earlier ones do not work any more.',
  'mail.change.recovery-code-used': 'Somebody signed in with a recovery code.',
  'mail.change.passkey-added': 'The passkey "{{passkey}}" was added.',
  'mail.change.passkey-removed': 'The passkey "{{passkey}}" was removed.',
  'mail.change.passkey-copied':
    'Somebody tried to sign in with a copy of the passkey "{{passkey}}" and was refused. Remove this passkey and make another.',
  'mail.change.account-linked': 'The account {{account}} can now be used to sign in.',
} as const;
