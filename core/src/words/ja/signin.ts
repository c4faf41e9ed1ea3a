import type { signin as en } from '../en/signin.ts';
import type { Same } from '../same.ts';

export const signin: Same<typeof en> = {};
