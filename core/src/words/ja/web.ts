import type { web as en } from '../en/web.ts';
import type { Same } from '../same.ts';

export const web: Same<typeof en> = {};
