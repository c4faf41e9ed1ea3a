import type { runbook as en } from '../en/runbook.ts';
import type { SameKeys } from '../same-keys.ts';

export const runbook: SameKeys<typeof en> = {
  'runbook.flow': 'フロー',
  'runbook.records': 'ランブック記録',
  'runbook.no-records': 'ランブックはまだ実行されていません',
  'runbook.steps': 'ステップ',
  'runbook.no-steps': 'ステップはまだありません',
  'runbook.outline': 'ステップ一覧',
  'runbook.first': '最初',
  'runbook.end': '終了',
  'runbook.make-first': '最初のステップにする',
  'runbook.remove-step': 'ステップを削除',
  'runbook.arrange': '自動整列',
  'runbook.zoom-in': '拡大',
  'runbook.zoom-out': '縮小',
  'runbook.canvas-keys': 'ステップはドラッグまたはShift+矢印キーで移動し、Deleteキーで削除できます。',
  'runbook.by-attribute': '属性で選んだスコープ',
  'runbook.name-from-path': '深刻度名をこのデータパスから読み取る',
  'runbook.rerun': '失敗したステップから再実行',
  'runbook.no-output': '出力はありません',
  'runbook.notFailed': '再実行できるのは、失敗した記録の失敗したステップだけです',
};
