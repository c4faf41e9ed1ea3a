// All recipes, in the order in which they are listed.
import { alertmanager } from './alertmanager.ts';
import { anything } from './anything.ts';
import { azureMonitor } from './azure-monitor.ts';
import { cloudwatch } from './cloudwatch.ts';
import { cronMail } from './cron-mail.ts';
import { datadog } from './datadog.ts';
import { diskMail } from './disk-mail.ts';
import { googleCloudMonitoring } from './google-cloud-monitoring.ts';
import { grafana } from './grafana.ts';
import { icingaMail } from './icinga-mail.ts';
import { mackerel } from './mackerel.ts';
import { monitMail } from './monit-mail.ts';
import { nagiosMail } from './nagios-mail.ts';
import { netdata } from './netdata.ts';
import { pagerdutyEvents } from './pagerduty-events.ts';
import type { Recipe } from './recipe.ts';
import { uptimeKuma } from './uptime-kuma.ts';
import { zabbix } from './zabbix.ts';

export const recipes: readonly Recipe[] = [
  alertmanager,
  grafana,
  zabbix,
  datadog,
  cloudwatch,
  mackerel,
  azureMonitor,
  googleCloudMonitoring,
  pagerdutyEvents,
  nagiosMail,
  icingaMail,
  monitMail,
  diskMail,
  cronMail,
  netdata,
  uptimeKuma,
  anything,
];

export const findRecipe = (name: string): Recipe | undefined => recipes.find((one) => one.name === name);
