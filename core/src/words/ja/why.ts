import type { why as en } from '../en/why.ts';
import type { Same } from '../same.ts';

export const why: Same<typeof en> = {};
