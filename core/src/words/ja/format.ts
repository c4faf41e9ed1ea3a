import type { format as en } from '../en/format.ts';
import type { Same } from '../same.ts';

export const format: Same<typeof en> = {};
