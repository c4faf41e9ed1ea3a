// Kinds of environment variables as zod schemas: the input is the text of the variable, the output its value.
// Messages never repeat the given text, which may be a secret.
import { isIP } from 'node:net';
import { withoutBrackets } from '@yagura/core/validation/ip';
import { isPassword, passwordLimits } from '@yagura/core/validation/password';
import { z } from 'zod';

/** Text without further rules. */
export const text = () => z.string();

/** Text without blanks around it. */
export const trimmed = () => z.string().trim();

/** A value that can also be given as the path of a file that contains it, in the variable `NAME_FILE`. */
export const secret = () => asSecret(z.string().optional());

/** A refinement that refuses what `parse` throws an error for, with the error's message. */
export const parsedBy =
  <T>(parse: (given: T) => unknown) =>
  (given: T, { addIssue }: z.RefinementCtx<T>): void => {
    try {
      parse(given);
    } catch (error) {
      addIssue((error as Error).message);
    }
  };

/** A secret that `parse` accepts; its errors must not repeat the secret. */
export const secretParsedBy = (parse: (given: string) => unknown) =>
  asSecret(z.string().superRefine(parsedBy(parse)).optional());

/** A new password; whether it is a common one is checked where it is set. */
export const newPassword = () => {
  const { shortest, longest } = passwordLimits;
  return asSecret(
    z
      .string()
      .refine((given) => [...given].length >= shortest && [...given].length <= longest && isPassword(given), {
        error: `give ${shortest} to ${longest} characters with a letter, a digit and a symbol`,
      })
      .optional(),
  );
};

/** Host name or address to listen on. URLs have an IPv6 address in brackets, the operating system takes none. */
export const listenHost = () => z.string().transform((given) => withoutBrackets(given.trim()));

/** Address of a PostgreSQL database. */
export const postgresqlUrl = () =>
  z.string().refine((given) => /^postgres(ql)?:$/.test(URL.canParse(given) ? new URL(given).protocol : ''), {
    error: 'give postgresql://user:password@host:port/database',
  });

/** A secret that nobody can guess: at least 32 characters. */
export const longSecret = () => asSecret(z.string().min(32, 'give at least 32 characters').optional());

/** A Standard Webhooks secret: base64 with or without `whsec_`, 24 to 64 bytes. */
export const signingSecret = () =>
  asSecret(
    z
      .string()
      .transform((given) => Buffer.from(given.replace(/^whsec_/, ''), 'base64'))
      .refine(({ length }) => length >= 24 && length <= 64, {
        error: 'give 24 to 64 bytes in base64, with or without whsec_ before them',
      })
      .optional(),
  );

export interface IntegerRange {
  min: number;
  max: number;
  default: number;
  /** What is counted, for example `seconds`. */
  unit?: string;
}

export function integer({ min, max, default: defaultValue, unit }: IntegerRange) {
  return wholeNumber(
    min,
    max,
    `give a whole number${unit ? ` of ${unit}` : ''} from ${min} to ${max}`,
  ).default(defaultValue);
}

/** A whole number whose default is not constant. */
export const optionalInteger = ({ min, max }: { min: number; max: number }) =>
  wholeNumber(min, max, `give a whole number from ${min} to ${max}`).optional();

/** Days that something is kept; 0 for unlimited. */
export const days = (defaultValue: number) =>
  wholeNumber(0, 36_500, 'give days from 0 (forever) to 36500').default(defaultValue);

export const port = (defaultValue: number) =>
  wholeNumber(0, 65_535, 'give a number from 0 to 65535').default(defaultValue);

/** A port, or `off`, the default. */
export const optionalPort = () =>
  z
    .union([z.literal('off').transform(() => undefined), wholeNumber(0, 65_535, '')], {
      error: 'give a number from 0 to 65535, or off',
    })
    .prefault('off');

/** An address of the loopback interface with a port, such as `127.0.0.1:5070` or `[::1]:5070`. */
export const loopbackEndpoint = () =>
  z
    .string()
    .transform((given) => {
      const [, address4, address6, port] =
        /^(?:(127(?:\.\d{1,3}){3})|\[(::1)\]):(\d{1,5})$/.exec(given) ?? [];
      return { address: address4 ?? address6 ?? '', port: Number(port) };
    })
    .refine(({ address, port }) => isIP(address) > 0 && port >= 1 && port <= 65_535, {
      error: 'give a loopback address and a port, such as 127.0.0.1:5070',
    })
    .optional();

/** `on` or `off`. */
export const onOff = (defaultValue: 'on' | 'off') =>
  z
    .enum(['on', 'off'], { error: 'give on or off' })
    .default(defaultValue)
    .transform((given) => given === 'on');

/** Parts separated by commas; blank parts are left out. */
export const list = () =>
  z
    .string()
    .transform((given) =>
      given
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    )
    .prefault('');

/** Scheme, host and port of an address. */
export const origin = () =>
  z
    .string()
    .transform((given) => (URL.canParse(given) ? new URL(given) : undefined))
    .refine((url) => url !== undefined && isHttp(url) && url.pathname === '/', {
      error: 'give an origin such as https://alerts.example.com',
    })
    .transform((url) => url!.origin);

export const isHttp = ({ protocol }: URL): boolean => /^https?:$/.test(protocol);

const fileReasons = new Map([
  ['ENOENT', 'the file does not exist'],
  ['EISDIR', 'this is a folder; give the path of a file'],
  ['EACCES', 'the server has no permission to read the file'],
  ['EPERM', 'the server has no permission to read the file'],
]);

/** Why the file that a variable names gives no value: the error of the file system with its code, any other in its words. */
export function fileFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message;
  return `${fileReasons.get(code) ?? 'the file cannot be read'} (${code})`;
}

/** Whether the value may come from a file, in the variable `NAME_FILE`. */
export const isFromFile = (schema: z.ZodType): boolean => schema.meta()?.fromFile === true;

/** Default of a variable in the words of the variable; undefined without one. */
export function defaultOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodPipe) return defaultOf(schema.def.in as z.ZodType);
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return String(schema.def.defaultValue) || undefined;
  return undefined;
}

function asSecret<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ fromFile: true });
}

function wholeNumber(min: number, max: number, error: string) {
  return z.coerce
    .number({ error })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, { error });
}
