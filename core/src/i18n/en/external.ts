// Translations for signing in with an external provider.
export const external = {
  'external.go': 'Continue with {{provider}}',
  'external.other': 'Use another account',
  'external.unknown-title': 'You are not a user of this space',
  'external.unknown':
    '{{provider}} knows you as {{email}}, but this space has no user with this address. Ask an administrator for an invitation.',
  'external.unverified-title': 'Your email address is not confirmed',
  'external.unverified':
    '{{provider}} does not vouch for an email address of yours. Have it confirmed there, then sign in again.',
  'external.full-title': 'No more users fit into this space',
  'external.full': 'The price plan does not allow another user. Tell an administrator of the space.',
  'external.disabled-title': 'You cannot sign in',
  'external.disabled': 'An administrator has switched off the user {{email}} of this space.',
  'external.wrong-title': 'The sign-in is not set up right',
  'external.wrong':
    'This server cannot sign anybody in with {{provider}} ({{code}}). Tell whoever runs the server; the reason is in its log.',
  'external.signing-out-title': 'Signing out',
  'external.signing-out': 'You are signed out here. {{provider}} comes next.',
  'external.sign-out': 'Go on to {{provider}}',
} as const;
