import snmp from 'net-snmp';

/** Why a request or a table could not be read; the message is a code of the report and holds no secret. */
export class SnmpFault extends Error {
  readonly code: string;
  /** The device no longer answers, or its share is used up: nothing more is read from it. */
  readonly isFinal: boolean;

  constructor(code: string, { isFinal = false } = {}) {
    super(code);
    this.code = code;
    this.isFinal = isFinal;
  }
}

/** Nothing listens on the port. */
export const portClosed = 'SNMP_PORT_CLOSED';

/** Reports of the user-based security model (RFC 3414) as `net-snmp` names them. */
const securityReports: readonly (readonly [start: string, code: string])[] = [
  ['Unknown User Name', 'SNMP_USER_UNKNOWN'],
  ['Unsupported Security Level', 'SNMP_LEVEL_REFUSED'],
  ['Wrong Digest', 'SNMP_WRONG_KEY'],
  ['Decryption Error', 'SNMP_WRONG_PRIVACY'],
  ['Not In Time Window', 'SNMP_CLOCK'],
  // Of the answer: its time is not the one of the device's earlier answers.
  ['Message with engineBoots', 'SNMP_CLOCK'],
  // Of the answer: it was not signed with the key of this account.
  ['Authentication digest', 'SNMP_WRONG_KEY'],
];

const { ErrorStatus, ResponseInvalidCode } = snmp;

/** The code of an error of the library; undefined if the device did not answer in time. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && error.name === 'RequestTimedOutError') return undefined;
  if (error instanceof SnmpFault) return error.code;
  if (error instanceof snmp.RequestFailedError) {
    const { status } = error as { status?: number };
    if (status === ErrorStatus.TooBig) return 'SNMP_TOO_BIG';
    return status === ErrorStatus.AuthorizationError || status === ErrorStatus.NoAccess
      ? 'SNMP_NO_ACCESS'
      : 'SNMP_ERROR';
  }
  if (error instanceof snmp.ResponseInvalidError) {
    const { code } = error as { code?: number };
    if (code === ResponseInvalidCode.ECouldNotDecrypt) return 'SNMP_WRONG_PRIVACY';
    const found = securityReports.find(([start]) => error.message.startsWith(start))?.[1];
    return found ?? (code === ResponseInvalidCode.EAuthFailure ? 'SIGN_IN_FAILED' : 'SNMP_MALFORMED');
  }
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ECONNREFUSED':
      return portClosed;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EACCES':
    case 'EPERM':
      return 'UNREACHABLE';
    default:
      return 'SNMP_MALFORMED';
  }
}
