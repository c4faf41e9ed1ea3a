// The script that reads a host: POSIX sh, reads only, no sudo. Each section tries what exists.

/** Values of sysctl on the BSDs and macOS; each system has some of them. */
const sysctlNames = [
  ...[
    'hw.model',
    'hw.ncpu',
    'hw.ncpuonline',
    'hw.physicalcpu',
    'hw.logicalcpu',
    'hw.packages',
    'kern.smp.cores',
  ],
  ...['machdep.cpu.brand_string', 'hw.clockrate', 'hw.cpuspeed', 'hw.cpufrequency'],
  ...['hw.memsize', 'hw.physmem64', 'hw.realmem', 'hw.physmem', 'hw.disknames', 'kern.disks'],
  ...['hw.vendor', 'hw.product', 'hw.version', 'hw.serialno', 'hw.uuid', 'kern.hostuuid'],
  ...['system-vendor', 'system-product', 'system-version', 'system-serial', 'system-uuid'].map(
    (name) => `machdep.dmi.${name}`,
  ),
  ...['board-vendor', 'board-product', 'board-version', 'board-serial', 'bios-vendor', 'bios-version'].map(
    (name) => `machdep.dmi.${name}`,
  ),
];

/** Each section begins with a line of the marker and its name. `$s` is the name of the system. */
const sections = [
  ['uname', 'uname -s; uname -r; uname -v; uname -n'],
  ['hostname', 'hostname -f || hostname'],
  ['os-release', 'cat /etc/os-release || cat /usr/lib/os-release'],
  ['sw-vers', 'sw_vers'],
  ['machine-id', '[ "$s" = Linux ] && { cat /etc/machine-id || cat /var/lib/dbus/machine-id; }'],
  // Old versions of iproute2, and BusyBox, do not write JSON.
  ['ip-address', 'ip -j address show'],
  ['ip-text', 'ip -j address show >/dev/null || { ip -o link show; ip -o address show; }'],
  ['ifconfig', 'command -v ip >/dev/null || ifconfig -a'],
  ['ip-route', 'ip -j -4 route show table main'],
  ['proc-route', 'ip -j -4 route show table main >/dev/null || cat /proc/net/route'],
  ['netstat-routes', '[ "$s" = Linux ] || netstat -rn -f inet'],
  ['ip-neighbor', '[ "$(cat /proc/sys/net/ipv4/ip_forward)" = 1 ] && ip -j -4 neighbor show'],
  ['ss', 'ss -H -l -n -t -u -p'],
  ['netstat', '[ "$s" = Linux ] && { command -v ss >/dev/null || netstat -l -n -t -u -p; }'],
  ['netstat-sockets', '[ "$s" = Linux ] || { netstat -an -f inet; netstat -an -f inet6; }'],
  ['sockstat', '[ "$s" = Linux ] || sockstat -l -4 -6'],
  [
    'lsof',
    'command -v ss >/dev/null || command -v sockstat >/dev/null || { lsof -nP -iTCP -sTCP:LISTEN -F pcPn; lsof -nP -iUDP -F pcPn; }',
  ],
  ['dpkg', `dpkg-query -W -f '\${db:Status-Abbrev}\\t\${Package}\\t\${Version}\\t\${Architecture}\\n'`],
  ['rpm', "rpm -qa --qf '%{NAME}\\t%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\t%{ARCH}\\n'"],
  ['apk', "grep -E '^([PVA]:|$)' /lib/apk/db/installed"],
  // Without -N, a missing package manager would offer to install itself.
  ['pkg', "pkg -N && pkg query '%n\\t%v\\t%q'"],
  ['pkg-info', '[ "$s" = OpenBSD ] || [ "$s" = NetBSD ] && pkg_info'],
  [
    'applications',
    `[ "$s" = Darwin ] && for a in /Applications/*.app; do printf "%s\\t%s\\n" "\${a##*/}" "$(defaults read "$a/Contents/Info" CFBundleShortVersionString)"; done`,
  ],
  [
    'dmi',
    'cd /sys/class/dmi/id && for f in sys_vendor product_name product_version product_serial board_vendor board_name board_version board_serial bios_vendor bios_version; do printf "%s\\t" "$f"; head -n 1 "$f" || echo; done',
  ],
  ['kenv', 'kenv | grep "^smbios\\."'],
  ['ioreg', '[ "$s" = Darwin ] && ioreg -rd1 -c IOPlatformExpertDevice'],
  [
    'system-profiler',
    '[ "$s" = Darwin ] && system_profiler -detailLevel mini -timeout 10 SPHardwareDataType',
  ],
  [
    'sysctl',
    `[ "$s" = Linux ] || for k in ${sysctlNames.join(' ')}; do v=$(sysctl -n "$k") && printf '%s\\t%s\\n' "$k" "$v"; done`,
  ],
  ['cpuinfo', "grep -E '^(processor|model name|physical id|cpu cores|cpu MHz)' /proc/cpuinfo"],
  ['meminfo', 'grep ^MemTotal: /proc/meminfo'],
  [
    'storage',
    `for d in /sys/block/*; do [ -e "$d/device" ] && printf "%s\\t%s\\t%s\\n" "\${d##*/}" "$(cat "$d/size")" "$(cat "$d/removable")"; done`,
  ],
  ['geom', 'geom disk list'],
  [
    'system-profiler-storage',
    '[ "$s" = Darwin ] && system_profiler -detailLevel mini -timeout 10 SPNVMeDataType SPSerialATADataType',
  ],
] as const satisfies readonly (readonly [name: string, commands: string])[];

export type SectionName = (typeof sections)[number][0];
/** What the ARP table of a router is read from: the table itself, and the interfaces by which it is judged. */
export const arpSections: readonly SectionName[] = ['ip-address', 'ip-text', 'ifconfig', 'ip-neighbor'];

export const endSection = 'end';

/** The script's text, with all sections or only some; `marker` must not occur in any output. */
export function sshScript(marker: string, only?: readonly SectionName[]): string {
  const lines = sections
    .filter(([name]) => only === undefined || only.includes(name))
    .map(
      ([name, commands]) => `printf '\\n%s\\n' '${marker} ${name}'\n( ${commands} ) 2>/dev/null </dev/null\n`,
    );
  return [
    'LC_ALL=C LANG=C PATH="$PATH:/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin"\nexport LC_ALL LANG PATH\nunset HISTFILE\ns=$(uname -s)\n',
    ...lines,
    `printf '\\n%s\\n' '${marker} ${endSection}'\nexit 0\n`,
  ].join('');
}

/** Output by section. Text before the first marker, such as a banner, is ignored. */
export function splitSections(output: string, marker: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of output.split(`\n${marker} `).slice(1)) {
    const end = part.indexOf('\n');
    const name = end < 0 ? part : part.slice(0, end);
    found.set(name.trim(), end < 0 ? '' : part.slice(end + 1));
  }
  return found;
}
