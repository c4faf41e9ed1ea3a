// Translations for signing in with an external provider.
export const external = {
  'external.go': 'Continue with {{provider}}',
  'external.other': 'Use another account',
  'external.unknown-title': 'You are not a user of this space',
  'external.unknown':
    '{{provider}} signed you in as {{email}}, but no user of this space has this address. Ask an administrator for an invitation.',
  'external.no-address-title': 'No email address',
  'external.no-address':
    '{{provider}} signed you in, but did not send an email address. Ask the administrator of {{provider}} to send one, with the scope email.',
  'external.unverified-title': 'Email address not verified',
  'external.unverified':
    '{{provider}} has not verified your email address {{email}}. Verify it there, then sign in again.',
  'external.full-title': 'User limit reached',
  'external.full': 'The price plan does not allow more users. Contact an administrator of the space.',
  'external.disabled-title': 'Account disabled',
  'external.disabled':
    'An administrator has disabled the user {{email}} of this space. Contact an administrator.',
  'external.wrong-title': 'Sign-in is not configured correctly',
  'external.wrong':
    'This server cannot complete the sign-in with {{provider}} ({{code}}). Contact the administrator of the server, who can find the reason in its log.',
  'external.unreachable-title': 'Sign-in is not available now',
  'external.unreachable':
    '{{provider}} does not respond to this server. Try again later. If this continues, contact the administrator of the server, who can find the reason in its log.',
  'external.signing-out-title': 'Signing out',
  'external.signing-out': 'You are signed out of Yagura. Continue to sign out of {{provider}}.',
  'external.sign-out': 'Continue to {{provider}}',
} as const;
