// What the sections of the PowerShell script say about a Windows host.
import { agentLimits } from '@yagura/core/ksocket/agent-protocol';
import { footprintOf } from '../../read/footprint.ts';
import { macIdentities, ownAddressesOf } from '../../read/interfaces.ts';
import { defaultGateways } from '../../read/routes.ts';
import { definedMembers } from '../../read/text.ts';
import {
  parseWindowsHardware,
  parseWindowsInterfaces,
  parseWindowsListening,
  parseWindowsPackages,
  parseWindowsRoutes,
  parseWindowsSystem,
  parseWindowsUpdates,
  windowsInterfaceNames,
} from '../../read/windows.ts';
import type { HostPart } from '../host-part.ts';

export function toWindowsHostPart(
  sections: ReadonlyMap<string, string>,
  { source, sshHostKey }: { source: 'ssh' | 'winrm'; sshHostKey?: string },
): HostPart {
  const text = (name: string) => sections.get(name);
  /** A section without rows was not read: all of these have some on every host. */
  const isRead = (name: string) => (text(name)?.trim() ?? '') !== '';
  const fields: HostPart['fields'] = {};
  const groups: HostPart['groups'] = [];

  const interfaces = parseWindowsInterfaces(text('windows-adapters'), text('windows-addresses'));
  if (interfaces.length > 0) {
    fields.interfaces = interfaces;
    groups.push('interfaces');
  }
  if (isRead('windows-routes')) {
    const names = windowsInterfaceNames(text('windows-adapters'), text('windows-addresses'));
    fields.routes = parseWindowsRoutes(text('windows-routes'), names);
    groups.push('routes');
  }
  if (isRead('windows-tcp') || isRead('windows-udp')) {
    fields.listening = parseWindowsListening(
      text('windows-tcp'),
      text('windows-udp'),
      text('windows-processes'),
    );
    groups.push('listening');
  }
  if (isRead('windows-packages')) {
    fields.packages = parseWindowsPackages(text('windows-packages')).slice(0, agentLimits.packagesPerHost);
    groups.push('packages');
  }
  if (isRead('windows-updates')) {
    fields.windowsUpdates = parseWindowsUpdates(text('windows-updates'));
    groups.push('windowsUpdates');
  }
  const { serial, uuid, ...hardware } = parseWindowsHardware(text);
  const { family, version = '', kernel } = parseWindowsSystem(text('windows-os'));
  if (family !== undefined) {
    fields.system = { family, version, ...(serial === undefined ? {} : { serial }) };
    fields.extraFields = {
      ...definedMembers({ kernel, ...hardware, networking: defaultGateways(fields.routes) }),
    };
    groups.push('system');
  }
  const footprint = footprintOf(uuid);
  fields.signatures = definedMembers({ sshHostKey, footprint }) ?? {};
  return {
    ...{ fields, groups, source, ownAddresses: ownAddressesOf(interfaces) },
    identities: [
      ...(sshHostKey === undefined ? [] : [`key:${sshHostKey}`]),
      ...(footprint === undefined ? [] : [`id:${footprint}`]),
      ...macIdentities(interfaces),
    ],
  };
}
