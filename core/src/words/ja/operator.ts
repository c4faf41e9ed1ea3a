import type { operator as en } from '../en/operator.ts';
import type { Same } from '../same.ts';

export const operator: Same<typeof en> = {};
