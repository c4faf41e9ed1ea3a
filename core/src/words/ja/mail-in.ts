import type { mailIn as en } from '../en/mail-in.ts';
import type { Same } from '../same.ts';

export const mailIn: Same<typeof en> = {
  'mail-in.kind-kept': '受信スロットの種別は変更できません。別のスロットを作成してください',
};
