// Session parameters of each protocol.
import { z } from 'zod';
import * as field from '../resource/field.ts';

export const protocols = ['ssh', 'rdp', 'telnet'] as const;
export type Protocol = (typeof protocols)[number];

/** Default port of each protocol. */
export const defaultPorts: Record<Protocol, number> = { ssh: 22, rdp: 3389, telnet: 23 };

/** How an unknown host key is treated: the first viewer is asked, it is accepted once and kept, or refused. */
export const hostKeyPolicies = ['ask', 'accept', 'refuse'] as const;

export const logKinds = ['text', 'video'] as const;
export type LogKind = (typeof logKinds)[number];

/** Kinds of files on a remote host. */
export const fileKinds = ['file', 'directory', 'link', 'other'] as const;

export const colorSchemes = ['gray-black', 'white-black', 'green-black', 'black-white'] as const;
const fontSizes = [8, 9, 10, 11, 12, 14, 18, 24, 30, 36, 48, 60, 72, 96] as const;
export const serverLayouts = [
  'en-us-qwerty',
  'en-gb-qwerty',
  'de-ch-qwertz',
  'de-de-qwertz',
  'fr-be-azerty',
  'fr-fr-azerty',
  'fr-ch-qwertz',
  'hu-hu-qwertz',
  'it-it-qwerty',
  'ja-jp-qwerty',
  'pt-br-qwerty',
  'es-es-qwerty',
  'es-latam-qwerty',
  'sv-se-qwerty',
  'tr-tr-qwerty',
] as const;

const fontSize = () => field.withKind('integer', z.literal(fontSizes));

const clipboard = { disableCopy: field.flag().default(false), disablePaste: field.flag().default(false) };

export const defaultTerminalSettings = {
  colorScheme: 'gray-black',
  /** In pixels. */
  fontSize: 12,
  /** Number of lines in the scrollback buffer. */
  scrollback: 1000,
} as const;

const terminal = {
  colorScheme: field.choice(colorSchemes).default(defaultTerminalSettings.colorScheme),
  fontSize: fontSize().default(defaultTerminalSettings.fontSize),
  scrollback: field.integer(0, 100_000).default(defaultTerminalSettings.scrollback),
  ...clipboard,
};

/** Pixels; null means the size of the window. */
const pixels = () => field.integer(320, 8192).nullable().default(null);

export const desktopParameters = z.object({
  serverLayout: field.choice(serverLayouts).default('en-us-qwerty'),
  displayWidth: pixels(),
  displayHeight: pixels(),
  /** Accepts a certificate that cannot be verified. */
  ignoreCert: field.flag().default(false),
  ...clipboard,
});

export const parameterSchemas: Record<Protocol, z.ZodObject> = {
  ssh: z.object({
    ...terminal,
    /** Interval of keepalive messages to the server in seconds; 0 disables them. */
    serverAliveInterval: field.seconds(0, 3600).default(0),
  }),
  rdp: desktopParameters,
  telnet: z.object(terminal),
};
