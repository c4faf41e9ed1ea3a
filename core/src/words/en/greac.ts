// Remote sessions, their gateways and their keys.
export const greac = {
  'greac.host': 'The value must be a host name or an IP address, without a port',
  'greac.remote-path': 'The path must start with / and be separated by / alone (2,047 bytes at most)',
  'greac.not-of-kroker': 'The credential is not one of the selected Kroker',
  'greac.other-destination': 'The destination of a session cannot be changed',
  'kroker.not-sealed': 'The value must be encrypted to the Kroker (compact JWE, ECDH-ES with A256GCM)',
  'kroker.wrong-key': 'The value is encrypted to another Kroker or to an earlier key of this one',
  'kroker.bad-key': 'The value must be a public key on P-256 (JWK)',
} as const;
