import { expect, test } from 'vitest';
import { privateKeyFault } from './private-key-fault.ts';

test.each([
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n', null],
  ['\n  -----BEGIN RSA PRIVATE KEY-----\r\n', null],
  ['\uFEFF-----BEGIN PRIVATE KEY-----', null],
  ['-----BEGIN ENCRYPTED PRIVATE KEY-----', null],
  ['PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none', null],
  // Tools write both halves into one file.
  ['-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n-----BEGIN EC PRIVATE KEY-----', null],
  ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA ops@web1', 'PUBLIC_KEY'],
  ['ecdsa-sha2-nistp256 AAAAE2VjZHNh', 'PUBLIC_KEY'],
  ['-----BEGIN RSA PUBLIC KEY-----', 'PUBLIC_KEY'],
  ['-----BEGIN CERTIFICATE-----', 'PUBLIC_KEY'],
  ['---- BEGIN SSH2 PUBLIC KEY ----', 'PUBLIC_KEY'],
  ['PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none', 'PRIVATE_KEY'],
  ['PuTTY-User-Key-File-2: ssh-ed25519\nEncryption: none', 'PRIVATE_KEY'],
  ['b3BlbnNzaC1rZXktdjEA', 'PRIVATE_KEY'],
  ['', 'PRIVATE_KEY'],
])('%j', (text, fault) => {
  expect(privateKeyFault(text)).toBe(fault);
});
