import type { schedule as en } from '../en/schedule.ts';
import type { Same } from '../same.ts';

export const schedule: Same<typeof en> = {};
