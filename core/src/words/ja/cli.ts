import type { cli as en } from '../en/cli.ts';
import type { Same } from '../same.ts';

export const cli: Same<typeof en> = {};
