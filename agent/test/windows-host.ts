// A stub of a Windows host: its answers have the form that the documentation of the classes describes, they were
// not recorded. Reached by ssh with PowerShell, or by WS-Management.
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createSelfSigned } from '@yagura/fixtures/sink/self-signed';
import type { Shell } from './ssh-host.ts';

export const machineGuid = '8a7d3c1e-0b5f-4d29-9c6a-112233445566';

export const windowsSections: Readonly<Record<string, readonly object[]>> = {
  'windows-os': [
    {
      ...{ Caption: 'Microsoft Windows Server 2022 Standard', Version: '10.0.20348', BuildNumber: '20348' },
      ...{ CSName: 'WIN1', OSArchitecture: '64-bit' },
    },
  ],
  'windows-computer': [
    {
      Manufacturer: 'HPE',
      Model: 'ProLiant DL360 Gen10',
      DNSHostName: 'win1',
      TotalPhysicalMemory: 34_227_048_448,
    },
  ],
  'windows-bios': [{ Manufacturer: 'HPE', SMBIOSBIOSVersion: 'U32', SerialNumber: 'CZJ1234567' }],
  'windows-board': [
    { Manufacturer: 'HPE', Product: 'ProLiant DL360 Gen10', Version: null, SerialNumber: 'PB1' },
  ],
  'windows-product': [
    { Vendor: 'HPE', Name: 'ProLiant DL360 Gen10', Version: null, IdentifyingNumber: 'CZJ1234567' },
  ],
  'windows-cpu': [0, 1].map(() => ({
    ...{ Name: 'Intel(R) Xeon(R) Silver 4210', MaxClockSpeed: 2195, NumberOfCores: 10 },
    NumberOfLogicalProcessors: 20,
  })),
  'windows-disks': [
    { Size: 480_101_368_320, MediaType: 'Fixed hard disk media' },
    { Size: 16_000_000_000, MediaType: 'Removable Media' },
  ],
  'windows-adapters': [
    {
      ...{ InterfaceIndex: 5, NetConnectionID: 'イーサネット', Name: 'Intel(R) Ethernet' },
      ...{ MACAddress: '52:54:00:AA:BB:10', NetConnectionStatus: 2 },
    },
    {
      ...{ InterfaceIndex: 6, NetConnectionID: 'Ethernet 2', Name: 'Intel(R) Ethernet #2' },
      ...{ MACAddress: '52:54:00:AA:BB:11', NetConnectionStatus: 7 },
    },
  ],
  'windows-addresses': [
    {
      ...{ InterfaceIndex: 5, Description: 'Intel(R) Ethernet', MACAddress: '52:54:00:AA:BB:10' },
      ...{ IPAddress: ['192.0.2.20', 'fe80::1'], IPSubnet: ['255.255.255.0', '64'] },
    },
  ],
  'windows-routes': [
    {
      ...{ Destination: '0.0.0.0', Mask: '0.0.0.0', NextHop: '192.0.2.1' },
      ...{ InterfaceIndex: 5, Metric1: 25, Protocol: 3 },
    },
    {
      ...{ Destination: '192.0.2.0', Mask: '255.255.255.0', NextHop: '0.0.0.0' },
      ...{ InterfaceIndex: 5, Metric1: 281, Protocol: 2 },
    },
  ],
  'windows-tcp': [
    { LocalAddress: '::', LocalPort: 5986, OwningProcess: 4 },
    { LocalAddress: '0.0.0.0', LocalPort: 22, OwningProcess: 900 },
  ],
  'windows-udp': [{ LocalAddress: 'fe80::1%5', LocalPort: 123, OwningProcess: 77 }],
  'windows-processes': [
    { Id: 4, ProcessName: 'System' },
    { Id: 900, ProcessName: 'sshd' },
  ],
  'windows-packages': [
    { DisplayName: '7-Zip 23.01 (x64)', DisplayVersion: '23.01', Architecture: '' },
    { DisplayName: 'Old Tool', DisplayVersion: null, Architecture: 'x86' },
  ],
  'windows-updates': [
    { HotFixID: 'KB5034129', Description: 'Security Update', InstalledOn: '2024-01-10' },
    { HotFixID: 'KB5000001', Description: 'Update', InstalledOn: '01d4e0a2c5b1c000' },
    { HotFixID: 'KB5000002', Description: '', InstalledOn: '' },
  ],
  'windows-machine-guid': [{ MachineGuid: machineGuid }],
};

/** What PowerShell writes for the command line and the script; undefined if the script is not complete. */
function runPowerShell(commandLine: string): { marker: string; output(script: string): string } | undefined {
  const encoded = /^powershell\.exe .*-EncodedCommand ([A-Za-z\d+/=]+)$/.exec(commandLine)?.[1];
  const marker = /'([\da-f]{32})-'\+\(6\*7\)/.exec(
    Buffer.from(encoded ?? '', 'base64').toString('utf16le'),
  )?.[1];
  if (marker === undefined) return undefined;
  const toAscii = (text: string) =>
    text.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return {
    marker,
    output(script) {
      const asked = [...script.matchAll(/^Section '([\w-]+)'/gm)].map(([, name]) => name!);
      const parts = asked.map((name) => {
        const rows = windowsSections[name] ?? [];
        return `\r\n${marker} ${name}\r\n${rows.length > 0 ? `${toAscii(JSON.stringify(rows))}\r\n` : ''}`;
      });
      return `${parts.join('')}\r\n${marker} end\r\n`;
    },
  };
}

/** The shell of OpenSSH on Windows, where `sh` does not exist. */
export const windowsShell: Shell = (channel, command) => {
  const started = runPowerShell(command);
  if (!started) {
    channel.stderr.write("'sh' is not recognized as an internal or external command,\r\n");
    channel.exit(1);
    channel.end();
    return;
  }
  channel.write(`${started.marker}-42\r\n`);
  let script = '';
  channel.on('data', (chunk: Buffer) => {
    script += chunk;
  });
  channel.once('end', () => {
    channel.write(started.output(script));
    channel.exit(0);
    channel.end();
  });
};

export interface WsmanHost {
  port: number;
  /** Authorization headers of all requests. */
  authorizations: (string | undefined)[];
  /** Actions of the messages that were signed in. */
  actions: string[];
  close(): Promise<void>;
}

/** A stub of WS-Management that takes one account. */
export async function startWsmanHost({
  port = 0,
  methods = 'Negotiate, Basic realm="WSMAN"',
  account = 'ops:right-password',
  answer = undefined as ((action: string) => { status: number; body: string } | undefined) | undefined,
} = {}): Promise<WsmanHost> {
  const authorizations: WsmanHost['authorizations'] = [];
  const actions: string[] = [];
  const shellId = '11111111-2222-3333-4444-555555555555';
  const commandId = '66666666-7777-8888-9999-000000000000';
  const { key, certificate } = createSelfSigned();
  let command: ReturnType<typeof runPowerShell>;
  let pending: string[] = [];
  const stream = (text: string) =>
    `<rsp:Stream Name="stdout" CommandId="${commandId}">${Buffer.from(text).toString('base64')}</rsp:Stream>`;
  const respond = (action: string, message: string): { status?: number; body: string } => {
    if (action === 'Create') return { body: `<rsp:Shell><rsp:ShellId>${shellId}</rsp:ShellId></rsp:Shell>` };
    if (action === 'Command') {
      const words = [...message.matchAll(/<rsp:(?:Command|Arguments)>([^<]*)</g)].map(([, word]) => word);
      command = runPowerShell(words.join(' '));
      return {
        body: `<rsp:CommandResponse><rsp:CommandId>${commandId}</rsp:CommandId></rsp:CommandResponse>`,
      };
    }
    if (action === 'Send') {
      const script = /<rsp:Stream[^>]* End="true">([^<]*)</.exec(message)?.[1] ?? '';
      const text = `${command!.marker}-42\r\n${command!.output(Buffer.from(script, 'base64').toString('utf8'))}`;
      // The first wait ends without output, and the output comes in parts.
      pending = ['', text.slice(0, 1500), text.slice(1500)];
      return { body: '<rsp:SendResponse/>' };
    }
    if (action === 'Receive') {
      const text = pending.shift();
      if (text === '')
        return {
          status: 500,
          body: '<s:Fault><s:Detail><f:WSManFault xmlns:f="http://schemas.microsoft.com/wbem/wsman/1/wsmanfault" Code="2150858793"/></s:Detail></s:Fault>',
        };
      const state = pending.length === 0 ? 'Done' : 'Running';
      return {
        body: `<rsp:ReceiveResponse>${stream(text ?? '')}<rsp:CommandState CommandId="${commandId}" State="http://schemas.microsoft.com/wbem/wsman/1/windows/shell/CommandState/${state}"/></rsp:ReceiveResponse>`,
      };
    }
    return { body: '' };
  };
  const server = createServer({ key, cert: certificate }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = Buffer.concat(chunks).toString('utf8');
    const { authorization } = request.headers;
    authorizations.push(authorization);
    if (authorization !== `Basic ${Buffer.from(account).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': methods }).end();
      return;
    }
    const action = /<a:Action [^>]*>[^<]*\/(\w+)<\/a:Action>/.exec(message)?.[1] ?? '';
    actions.push(action);
    const { status = 200, body } = answer?.(action) ?? respond(action, message);
    const upgrade = status === 101 ? { connection: 'Upgrade', upgrade: 'x' } : {};
    response.writeHead(status, { 'content-type': 'application/soap+xml;charset=UTF-8', ...upgrade });
    response.end(
      body.startsWith('raw:')
        ? body.slice(4)
        : `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" xmlns:rsp="http://schemas.microsoft.com/wbem/wsman/1/windows/shell"><s:Body>${body}</s:Body></s:Envelope>`,
    );
  });
  server.on('tlsClientError', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    authorizations,
    actions,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
