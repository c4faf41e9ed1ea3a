// Translations for plan and apply.
import type { plan as en } from '../en/plan.ts';
import type { SameKeys } from '../same-keys.ts';

export const plan: SameKeys<typeof en> = {
  'plan.about': '設定ファイルとスペースを比較',
  'plan.dir': 'フォルダーまたはファイル（YAML、JSON、CSV）',
  'plan.prune': 'ファイルに含まれる種類のうち、ファイルにない項目を削除',
  'plan.save': '計画を apply 用に保存',
  'plan.output': 'json',
  'plan.detailed-exitcode': '変更があるときだけ終了コード2で終了（エラーは1）',
  'plan.twice': 'ファイル内で重複しています',
  'plan.no-parent': '親の {{name}} がありません',
  'plan.bare-secret': 'シークレットはファイルに書けません。{ $env: 変数名 } と書いてください。',
  'plan.no-variable': '環境変数 {{variable}} が設定されていません',
  'plan.no-reference': '{{name}} という {{kind}} はありません',
  'plan.missing-reference': 'このスペースに {{name}} という {{kind}} がないため、空のままになります',
  'plan.unknown-field': 'この種類にないフィールドです。使用できるフィールド: {{fields}}',
  'plan.unknown-kind': '{{kind}} という種類はありません。使用できる種類: {{kinds}}',
  'plan.not-items': '項目のリストを指定してください',
  'plan.bulk-file': '一括ファイルです。yagura import を使用してください。',
  'plan.too-many': 'ファイルまたは項目が多すぎます。上限は{{most}}件です。',
  'plan.no-files': '{{folder}} にYAML、JSON、CSVファイルがありません',
  'plan.faults_one': 'ファイルに{{count}}件のエラーがあります。何も変更していません。',
  'plan.faults_other': 'ファイルに{{count}}件のエラーがあります。何も変更していません。',
  'plan.nothing': '変更はありません。スペースはファイルと一致しています。',
  'plan.counts': '作成: {{create}}件、更新: {{update}}件、削除: {{delete}}件、変更なし: {{unchanged}}件',
  'plan.left-alone_one': 'ファイルにない{{count}}件の項目は残ります。削除するには --prune を付けてください。',
  'plan.left-alone_other':
    'ファイルにない{{count}}件の項目は残ります。削除するには --prune を付けてください。',
  'plan.stays': '削除しません: {{name}}: {{reason}}',
  'plan.kept-self': '自分のユーザーは計画では削除しません',
  'plan.kept-privileged': '特権ユーザーは計画では削除しません',
  'plan.file-head':
    'yagura plan と apply 用の設定ファイル。参照は名前で指定し、シークレットは環境変数で渡します。',
  'apply.about': '計画または設定ファイルに合わせてスペースを変更',
  'apply.plan': '計画ファイル、または設定のフォルダーかファイル',
  'apply.rollback': '元に戻すための計画を保存するファイル',
  'apply.ask': '{{origin}} を変更しますか？',
  'apply.other-space': 'この計画は {{origin}} 用です（{{here}} には適用できません）',
  'apply.no-plan': '{{source}} は計画ファイルではありません',
  'apply.moved_one': '計画の作成後にスペースが変更されました（{{count}}件）。計画を作成し直してください。',
  'apply.moved_other': '計画の作成後にスペースが変更されました（{{count}}件）。計画を作成し直してください。',
  'apply.moved-one': '計画の作成後にスペースが変更されました: {{name}}。計画を作成し直してください。',
  'apply.no-parent': '{{name}} が削除されています。計画を作成し直してください。',
  'apply.rollback-saved':
    '元に戻すには yagura apply {{path}} を実行してください（削除した項目のシークレットは含まれません）',
  'apply.created': '{{name}} を作成しました',
  'apply.updated': '{{name}} を更新しました',
  'apply.deleted': '{{name}} を削除しました',
  'apply.stopped':
    '停止しました（実行済み{{taken}}件、残り{{left}}件）。同じコマンドで続きから実行できます。',
  'apply.done': '完了しました（実行{{taken}}件、実行済み{{skipped}}件）',
};
