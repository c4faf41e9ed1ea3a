// Translations for the ends and errors of remote sessions and their file transfers.
export const stream = {
  'stream.unreachable': "The gateway can't reach the destination.",
  'stream.refused': 'The destination refuses the connection.',
  'stream.timeout': 'The destination does not answer.',
  'stream.not-allowed': "The gateway's settings do not allow this destination.",
  'stream.host-key-unknown': 'The host key of the destination is not known, and unknown keys are refused.',
  'stream.host-key-changed':
    'The host key of the destination has changed. Find out why before you delete the known key.',
  'stream.certificate-changed': 'The certificate of the destination has changed.',
  'stream.certificate-unknown':
    'The certificate of the destination is not known, and unknown certificates are refused.',
  'stream.sign-in-failed': 'The destination does not accept the credential.',
  'stream.credential-unreadable': "The gateway can't decrypt the credential. Enter it again.",
  'stream.credential-not-for-host': 'The credential is not for this host.',
  'stream.session-closed': 'The session is closed.',
  'stream.session-conflict': 'Someone has connected to this desktop elsewhere and taken it over.',
  'stream.limit': 'Too many sessions or participants. Close a session and try again.',
  'stream.recording-failed': 'The session was ended because it could not be recorded.',
  'stream.log-key-not-allowed':
    "The gateway's settings do not allow the current log key of the space, or there is none.",
  'stream.protocol': 'The gateway and this program use incompatible versions. Update both.',
  'stream.name-not-found': "The gateway can't find an address for the host name of the destination.",
  'stream.connection-closed': 'The destination closed the connection before the session was open.',
  'stream.no-credential': 'The destination has no credential. Choose one in its settings.',
  'stream.no-password':
    'This protocol needs a credential with a password. The destination has one with a private key.',
  'stream.private-key-unreadable':
    'The private key of the credential is not complete, or its format is not supported. OpenSSH and PEM formats are; convert a PuTTY key with PuTTYgen (Export OpenSSH key). Enter it again.',
  'stream.passphrase-missing':
    'The private key of the credential has a passphrase, and the credential has none. Enter both again.',
  'stream.passphrase-wrong':
    'The passphrase of the credential is not that of its private key. Enter both again.',
  'stream.public-key': 'The credential has a public key in place of the private one. Enter the private key.',
  'stream.no-common-algorithm':
    'The destination has outdated encryption algorithms only. If it cannot be updated, add its address to ssh.legacyHosts in the settings of the agent.',
  'stream.shell-refused': 'The destination accepts the credential, but starts no shell for it.',
  'stream.no-tls': 'The desktop does not offer encryption with TLS, which is required.',
  'stream.other-protocol':
    'The destination does not answer as its protocol requires. Check its protocol and port.',
  'stream.host-key-file':
    'The gateway could not read or write its known host keys. The log of the gateway has the reason.',
  'stream.not-accepted': 'Nobody accepted the new key of the destination.',
  'stream.server-error': 'The server or the gateway has reported an internal error.',
  'stream.forbidden': 'You may no longer take part in this session.',
  'stream.gateway-away': 'The gateway is not connected.',
  'stream.untrusted': "You did not accept the gateway's new key.",
  'stream.no-kroker': 'This destination has no Kroker. Assign one to open a session.',
  'stream.session-failed': 'The session has failed.',
  'stream.ended': 'The session has ended.',
  'stream.disconnected': 'The connection to the destination was lost.',
  'stream.file.not-found': 'The file or folder does not exist.',
  'stream.file.not-allowed': 'Access to the file or folder is denied.',
  'stream.file.not-in-control': 'Only the user with control of the session can upload files.',
  'stream.file.not-a-file': 'This is a folder or a special file. Only files can be downloaded.',
  'stream.file.directory': 'A folder with this name exists.',
  'stream.file.too-large': 'The file is too large.',
  'stream.file.not-enabled': 'File transfer is not enabled for this destination.',
  'stream.file.connection': "The gateway can't open a file connection to the destination.",
  'stream.file.no-sftp': 'The destination offers no file transfer (SFTP).',
  'stream.file.no-space': 'The disk of the destination is full.',
  'stream.file.read-only': 'The disk of the destination is read-only.',
  'stream.file.source-changed': 'The file changed while it was being sent. Start again.',
  'stream.file.failed': 'The file transfer failed.',
} as const;
