// Converts the settings of the line to options of the user agent.
import type { TrunkOptions, UserAgentOptions } from '../sip/user-agent.ts';
import type { SipSettings, TrunkSettings } from './sip-settings.ts';

export function toUserAgentOptions({
  local,
  publicAddress,
  trunks,
}: SipSettings): Pick<UserAgentOptions, 'trunks' | 'local' | 'public'> {
  return {
    trunks: trunks.map(toTrunkOptions),
    local,
    ...(publicAddress ? { public: { address: publicAddress } } : {}),
  };
}

function toTrunkOptions(trunk: TrunkSettings): TrunkOptions {
  const {
    numbers: _numbers,
    limits: _limits,
    srtp: _srtp,
    refer,
    port,
    outboundProxy,
    ca,
    servername,
    ...rest
  } = trunk;
  return {
    ...rest,
    referAllowed: refer,
    ...(port === undefined ? {} : { port }),
    ...(outboundProxy === undefined ? {} : { outboundProxy }),
    ...(ca === undefined ? {} : { ca }),
    ...(servername === undefined ? {} : { servername }),
  };
}
