import type { Credential } from '../src/settings/credential-files.ts';
import { toRanges } from '../src/site/ipv4-ranges.ts';

/** An ssh account of the user `ops`. */
export function testCredential(
  file: string,
  port: number,
  password: string,
  network = '127.0.0.0/8',
): Credential {
  return {
    ...{ protocol: 'ssh', file, ranges: toRanges([network]), port },
    account: {
      ...{ protocol: 'ssh', name: file, includes: [network], port: '', method: 'password', version: 'v2c' },
      ...{ username: 'ops', password, keyFile: '', passphrase: '', community: '' },
      ...{ authProtocol: '', authKey: '', privProtocol: '', privKey: '' },
    },
  };
}
