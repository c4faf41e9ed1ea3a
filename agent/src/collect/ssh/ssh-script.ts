// The script that reads a host: POSIX sh, reads only, no sudo. Each section tries what exists.

/** Each section begins with a line of the marker and its name. */
const sections: readonly (readonly [name: string, commands: string])[] = [
  ['uname', 'uname -s; uname -r; uname -v; uname -n'],
  ['hostname', 'hostname -f || hostname'],
  ['os-release', 'cat /etc/os-release || cat /usr/lib/os-release'],
  ['machine-id', 'cat /etc/machine-id || cat /var/lib/dbus/machine-id'],
  ['ip-address', 'ip -j address show'],
  ['ifconfig', 'command -v ip || ifconfig -a'],
  ['ip-route', 'ip -j -4 route show table main'],
  ['proc-route', 'command -v ip || cat /proc/net/route'],
  ['ip-neighbor', '[ "$(cat /proc/sys/net/ipv4/ip_forward)" = 1 ] && ip -j -4 neighbor show'],
  ['ss', 'ss -H -l -n -t -u -p'],
  ['netstat', 'command -v ss || netstat -l -n -t -u -p'],
  ['dpkg', `dpkg-query -W -f '\${db:Status-Abbrev}\\t\${Package}\\t\${Version}\\t\${Architecture}\\n'`],
  ['rpm', "rpm -qa --qf '%{NAME}\\t%|EPOCH?{%{EPOCH}:}|%{VERSION}-%{RELEASE}\\t%{ARCH}\\n'"],
  ['apk', "grep -E '^([PVA]:|$)' /lib/apk/db/installed"],
  [
    'dmi',
    'cd /sys/class/dmi/id && for f in sys_vendor product_name product_version product_serial board_vendor board_name board_version board_serial bios_vendor bios_version; do printf "%s\\t" "$f"; head -n 1 "$f" || echo; done',
  ],
  ['cpuinfo', "grep -E '^(processor|model name|physical id|cpu cores|cpu MHz)' /proc/cpuinfo"],
  ['meminfo', 'grep ^MemTotal: /proc/meminfo'],
  [
    'storage',
    `for d in /sys/block/*; do [ -e "$d/device" ] && printf "%s\\t%s\\t%s\\n" "\${d##*/}" "$(cat "$d/size")" "$(cat "$d/removable")"; done`,
  ],
];

export const endSection = 'end';

/** The script's text; `marker` must not occur in any output. */
export function sshScript(marker: string): string {
  const lines = sections.map(
    ([name, commands]) => `printf '\\n%s\\n' '${marker} ${name}'\n( ${commands} ) 2>/dev/null </dev/null\n`,
  );
  return [
    'LC_ALL=C LANG=C PATH="$PATH:/usr/sbin:/sbin:/usr/local/sbin:/usr/local/bin"\nexport LC_ALL LANG PATH\nunset HISTFILE\n',
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
