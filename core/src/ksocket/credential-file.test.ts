import { describe, expect, it } from 'vitest';
import { type CredentialFile, validateCredentialFile, writeCredentialFile } from './credential-file.ts';

const empty: CredentialFile = {
  protocol: 'ssh',
  name: '10-linux',
  includes: ['10.0.0.0/8'],
  port: '',
  method: 'password',
  version: 'v2c',
  username: '',
  password: '',
  keyFile: '',
  passphrase: '',
  community: '',
  authProtocol: '',
  authKey: '',
  privProtocol: '',
  privKey: '',
};

describe('writeCredentialFile', () => {
  it.each<[string, Partial<CredentialFile>, string, string]>([
    [
      'an ssh password',
      { username: 'ops', password: 'a"b\\c\n\u007f', port: '2222', community: 'left out' },
      'ssh/10-linux.toml',
      'includes = ["10.0.0.0/8"]\nport = 2222\n\n[authData]\nusername = "ops"\npassword = "a\\"b\\\\c\\n\\u007F"\n',
    ],
    [
      'an ssh key without a passphrase',
      { method: 'keyFile', username: 'ops', keyFile: '/etc/agent/id_ed25519' },
      'ssh/10-linux.toml',
      'includes = ["10.0.0.0/8"]\n\n[authData]\nusername = "ops"\nkeyFile = "/etc/agent/id_ed25519"\n',
    ],
    [
      'an SNMP community',
      { protocol: 'snmp', community: 'public', includes: ['10.0.0.1', '10.1.0.0/16'] },
      'snmp/10-linux.toml',
      'includes = ["10.0.0.1", "10.1.0.0/16"]\n\n[authData]\ncommunity = "public"\n',
    ],
    [
      'SNMP v3 with privacy',
      {
        protocol: 'snmp',
        version: 'v3',
        username: 'mon',
        authProtocol: 'usmHMACSHAAuthProtocol',
        authKey: '12345678',
        privProtocol: 'usmAesCfb128Protocol',
        privKey: '87654321',
      },
      'snmp/10-linux.toml',
      'includes = ["10.0.0.0/8"]\n\n[authData]\nusername = "mon"\nauthProtocol = "usmHMACSHAAuthProtocol"\nauthKey = "12345678"\nprivProtocol = "usmAesCfb128Protocol"\nprivKey = "87654321"\n',
    ],
    [
      'SNMP v3 without keys',
      { protocol: 'snmp', version: 'v3', username: 'mon' },
      'snmp/10-linux.toml',
      'includes = ["10.0.0.0/8"]\n\n[authData]\nusername = "mon"\n',
    ],
  ])('writes %s', (_title, part, path, text) => {
    const file = { ...empty, ...part };
    expect(validateCredentialFile(file)).toEqual({});
    expect(writeCredentialFile(file)).toEqual({ path, text });
  });
});

describe('credentialFaults', () => {
  const good = { username: 'ops', password: 'x' };
  const v3 = {
    protocol: 'snmp',
    version: 'v3',
    username: 'mon',
    authProtocol: 'usmHMACSHAAuthProtocol',
  } as const;
  it.each<[string, Partial<CredentialFile>, Record<string, string>]>([
    ['what is missing', {}, { username: 'rule.required', password: 'rule.required' }],
    ['a name that is a path', { ...good, name: '../x' }, { name: 'credential.name-rule' }],
    ['no place', { ...good, includes: [] }, { includes: 'rule.required' }],
    ['what is no place', { ...good, includes: ['10.0.0.0/8', 'host'] }, { includes: 'rule.ipv4OrCidr' }],
    ['a port that is none', { ...good, port: '70000' }, { port: 'credential.port-rule' }],
    ['a short key', { ...v3, authKey: '1234567' }, { authKey: 'credential.key-rule' }],
    [
      'privacy without its key',
      { ...v3, authKey: '12345678', privProtocol: 'usmDESPrivProtocol' },
      { privKey: 'rule.required' },
    ],
    ['authentication without its key', v3, { authKey: 'rule.required' }],
    [
      'an unknown protocol',
      { ...v3, authProtocol: 'MD5', authKey: '12345678' },
      { authProtocol: 'rule.select' },
    ],
    [
      'privacy without authentication',
      { ...v3, authProtocol: '', privProtocol: 'usmDESPrivProtocol', privKey: '12345678' },
      { authKey: 'rule.required' },
    ],
  ])('tells %s', (_title, part, faults) => {
    expect(validateCredentialFile({ ...empty, ...part })).toEqual(faults);
  });
});
