import type { rules as en } from '../en/rules.ts';
import type { Same } from '../same.ts';

export const rules: Same<typeof en> = {};
