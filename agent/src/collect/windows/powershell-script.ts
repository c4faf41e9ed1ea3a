// The script that reads a Windows host: Windows PowerShell 3 or newer, reads only. Each section is one line of JSON.

/** Each section returns objects. */
const sections: readonly (readonly [name: string, block: string])[] = [
  [
    'windows-os',
    'Get-CimInstance Win32_OperatingSystem | Select-Object Caption,Version,BuildNumber,CSName,OSArchitecture',
  ],
  [
    'windows-computer',
    'Get-CimInstance Win32_ComputerSystem | Select-Object Manufacturer,Model,DNSHostName,Domain,TotalPhysicalMemory,NumberOfProcessors,NumberOfLogicalProcessors',
  ],
  ['windows-bios', 'Get-CimInstance Win32_BIOS | Select-Object Manufacturer,SMBIOSBIOSVersion,SerialNumber'],
  [
    'windows-board',
    'Get-CimInstance Win32_BaseBoard | Select-Object Manufacturer,Product,Version,SerialNumber',
  ],
  [
    'windows-product',
    'Get-CimInstance Win32_ComputerSystemProduct | Select-Object Vendor,Name,Version,IdentifyingNumber',
  ],
  [
    'windows-cpu',
    'Get-CimInstance Win32_Processor | Select-Object Name,MaxClockSpeed,NumberOfCores,NumberOfLogicalProcessors',
  ],
  ['windows-disks', 'Get-CimInstance Win32_DiskDrive | Select-Object Size,MediaType'],
  [
    'windows-adapters',
    'Get-CimInstance Win32_NetworkAdapter | Where-Object {$_.MACAddress} | Select-Object InterfaceIndex,NetConnectionID,Name,MACAddress,NetConnectionStatus',
  ],
  [
    'windows-addresses',
    'Get-CimInstance Win32_NetworkAdapterConfiguration | Where-Object {$_.IPEnabled} | Select-Object InterfaceIndex,Description,MACAddress,IPAddress,IPSubnet',
  ],
  [
    'windows-routes',
    'Get-CimInstance Win32_IP4RouteTable | Select-Object Destination,Mask,NextHop,InterfaceIndex,Metric1,Protocol',
  ],
  ['windows-tcp', 'Get-NetTCPConnection -State Listen | Select-Object LocalAddress,LocalPort,OwningProcess'],
  ['windows-udp', 'Get-NetUDPEndpoint | Select-Object LocalAddress,LocalPort,OwningProcess'],
  ['windows-processes', 'Get-Process | Select-Object Id,ProcessName'],
  [
    'windows-packages',
    "foreach($k in @(@('HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*',''),@('HKLM:\\SOFTWARE\\WOW6432Node\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\*','x86'))){Get-ItemProperty $k[0] | Where-Object {$_.DisplayName -and $_.SystemComponent -ne 1} | Select-Object DisplayName,DisplayVersion,@{n='Architecture';e={$k[1]}}}",
  ],
  [
    'windows-updates',
    "Get-CimInstance Win32_QuickFixEngineering | Select-Object HotFixID,Description,@{n='InstalledOn';e={$d=$_.InstalledOn; if($d -is [datetime]){$d.ToString('yyyy-MM-dd')}else{\"$d\"}}}",
  ],
  [
    'windows-machine-guid',
    "Get-ItemProperty 'HKLM:\\SOFTWARE\\Microsoft\\Cryptography' | Select-Object MachineGuid",
  ],
];

/** Other characters are escaped, so that the code page of the host does not matter. */
const toAscii = "[regex]::Replace($j,'[^\\x20-\\x7e]',{param($c) '\\u{0:x4}' -f [int][char]$c.Value})";

/** The script's text, in ASCII, with all sections or only some, which are separated as in the script for `sh`. */
export function powerShellScript(marker: string, endSection: string, only?: readonly string[]): string {
  return [
    "$ErrorActionPreference='SilentlyContinue'",
    "$ProgressPreference='SilentlyContinue'",
    `function Section($name,[scriptblock]$block){[Console]::Out.WriteLine(); [Console]::Out.WriteLine('${marker} '+$name); try{$rows=@(& $block); if($rows.Count -gt 0){$j=ConvertTo-Json -Compress -Depth 4 -InputObject $rows; [Console]::Out.WriteLine(${toAscii})}}catch{}}`,
    ...sections
      .filter(([name]) => only === undefined || only.includes(name))
      .map(([name, block]) => `Section '${name}' {${block}}`),
    `[Console]::Out.WriteLine(); [Console]::Out.WriteLine('${marker} ${endSection}'); [Console]::Out.Flush()`,
    '',
  ].join('\n');
}

/**
 * Arguments of PowerShell that make it say the marker and then run the script that it reads from standard input.
 * `-InputFormat None` leaves standard input to the script.
 */
export function powerShellArguments(marker: string): string[] {
  const start = `[Console]::Out.WriteLine('${marker}-'+(6*7)); [Console]::Out.Flush(); & ([scriptblock]::Create([Console]::In.ReadToEnd()))`;
  const encoded = Buffer.from(start, 'utf16le').toString('base64');
  return [
    ...['-NoLogo', '-NoProfile', '-NonInteractive', '-InputFormat', 'None', '-EncodedCommand', encoded],
  ];
}
