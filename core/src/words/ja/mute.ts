import type { mute as en } from '../en/mute.ts';
import type { Same } from '../same.ts';

export const mute: Same<typeof en> = {
  'mute.tooMany': '1つのスコープに設定できる静音スケジュールは{{most}}件までです',
};
