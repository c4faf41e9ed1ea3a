// What every ssh connection of the agent does in the same way: reading the type of a host key, and one sign-in per account.
import type { AnyAuthMethod, AuthHandlerMiddleware } from 'ssh2';

export interface Account {
  username: string;
  password?: string;
  privateKey?: string;
  passphrase?: string;
}

/** A key in the format of RFC 4253 begins with the name of its type, preceded by its length. */
export function keyTypeOf(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0;
  return length <= 64 ? key.toString('latin1', 4, 4 + length).replace(/[^\w@.-]/g, '') : '';
}

/** One sign-in per account: by prompt only where the server does not take the password itself. */
export function oneAttempt({
  username,
  password = '',
  privateKey,
  passphrase,
}: Account): AuthHandlerMiddleware {
  let attempted = false;
  let answered = false;
  return (offered, _, choose) => {
    // False ends the sign-in; the types do not say so.
    const next = choose as (method: AnyAuthMethod | false) => void;
    // The first answer of the server lists its methods.
    if (offered === null) return next({ type: 'none', username });
    if (attempted) return next(false);
    attempted = true;
    const method = (): AnyAuthMethod | false => {
      if (privateKey !== undefined)
        return offered.includes('publickey') && { type: 'publickey', username, key: privateKey, passphrase };
      if (offered.includes('password')) return { type: 'password', username, password };
      const prompt = (
        _n: string,
        _i: string,
        _l: string,
        prompts: unknown[],
        answer: (all: string[]) => void,
      ) => {
        // What is asked later, such as a new password, is another question.
        answer(prompts.map(() => (answered ? '' : password)));
        if (prompts.length > 0) answered = true;
      };
      return offered.includes('keyboard-interactive') && { type: 'keyboard-interactive', username, prompt };
    };
    next(method());
  };
}
