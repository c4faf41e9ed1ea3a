// Recipes: what they receive, and how to set up the sender.
export const recipe = {
  'recipe.anything.title': 'Anything else',
  'recipe.title': 'New receive slot from a recipe',
  'recipe.from': 'From a recipe',
  'recipe.choose':
    'Choose what sends the messages. The receive slot, its rules and the settings for the sender are created.',
  'recipe.search': 'Search recipes',
  'recipe.none': 'No recipe matches',
  'recipe.sender': 'Sender',
  'recipe.scope-missing': 'Select a scope, or enter the name of a new one',
  'recipe.scope-hint': 'Used if no scope is selected.',
  'recipe.setup': 'Set up the sender',
  'recipe.snippet': 'Settings for the sender',
  'recipe.waiting': 'Waiting for the first message…',
  'recipe.arrived': 'The first message has arrived',
  'recipe.open-slot': 'Open the receive slot',
  'recipe.undone': 'Nothing was created.',
  'recipe.left': 'These items could not be deleted again: {{items}}.',
  'recipe.unknown': 'There is no recipe "{{name}}". List them with: yagura alerthub receive-slots recipes',
  'recipe.cli-list': 'List recipes, which set up a receive slot for a kind of sender',
  'recipe.cli-recipe': 'Recipe that also creates rules and prints the settings for the sender',
  'recipe.cli-scope': 'With --recipe: scope of the rules, by name or ID; created if no scope has the name',
  'recipe.alertmanager.about':
    'Alerts of Prometheus, sent by Alertmanager one by one or in groups. The label "severity" decides between warning and incident.',
  'recipe.alertmanager.setup': 'Add this to alertmanager.yml and reload Alertmanager.',
  'recipe.grafana.about':
    'Alerts of Grafana Alerting. The label "severity" decides between warning and incident.',
  'recipe.grafana.setup':
    'Save this in the folder provisioning/alerting and restart Grafana, or create a webhook contact point with this URL. Then select it in a notification policy.',
  'recipe.zabbix.about':
    'Problems of Zabbix 6.0 or newer. From severity Average on, a problem is an incident.',
  'recipe.zabbix.setup':
    'Import this file under Alerts > Media types (before 6.4: Administration > Media types), assign the media type to a user who can read the hosts (any text in Send to), and enable a trigger action that notifies the user, with recovery and update operations.',
  'recipe.datadog.about': 'Monitors of Datadog, through its webhooks integration.',
  'recipe.datadog.setup':
    'Run this command to create the webhook, then write @webhook-yagura in the message of your monitors. Set DD_SITE if your site is not datadoghq.com.',
  'recipe.cloudwatch.about': 'Alarms of CloudWatch, sent through an SNS topic.',
  'recipe.cloudwatch.setup':
    'Run this command with the ARN of the topic. The receive slot confirms the subscription. If it stays unconfirmed, the page of the slot lists the request under refused requests.',
  'recipe.mackerel.about': 'Alerts of Mackerel, including those closed by hand.',
  'recipe.mackerel.setup':
    'Run this command, or create a webhook channel with this URL, and add it to a notification group.',
  'recipe.azure-monitor.about':
    'Alerts of Azure Monitor in the common alert schema. Sev0 and Sev1 are incidents.',
  'recipe.azure-monitor.setup': 'Run this command, and select the action group in your alert rules.',
  'recipe.google-cloud-monitoring.about': 'Incidents of Google Cloud Monitoring.',
  'recipe.google-cloud-monitoring.setup':
    'Run this command, and select the channel in your alerting policies.',
  'recipe.pagerduty-events.about':
    'Any program that can send events to PagerDuty. Each event needs a dedup_key.',
  'recipe.pagerduty-events.setup':
    'Replace the URL of the PagerDuty Events API in the program with this one. The routing key can be any text.',
  'recipe.nagios-mail.about': 'Notification mails of Nagios, in the format of its sample configuration.',
  'recipe.nagios-mail.setup':
    'Add this contact to the configuration and to a contact group. So that a problem solved during a downtime ends, add s to the notification_options of your hosts and services.',
  'recipe.icinga-mail.about': 'Notification mails of Icinga 2, in the format of its included scripts.',
  'recipe.icinga-mail.setup':
    'Add this user to users.conf and to the users of your notifications, and reload Icinga.',
  'recipe.monit-mail.about':
    'Mails of Monit. A service that does not work is an incident, any other problem a warning. Problems that Monit does not report again end after 24 hours.',
  'recipe.monit-mail.setup': 'Add this to monitrc, after "set mailserver", and reload Monit.',
  'recipe.disk-mail.about':
    'Mails about failing disks and RAID arrays on Linux. An alert ends 25 hours after the last mail, since the end is not reported.',
  'recipe.disk-mail.setup':
    'Replace these lines in the files and restart both services. They send with the commands mail and sendmail. So that mdadm repeats its mails, enable mdmonitor-oneshot.timer.',
  'recipe.cron-mail.about':
    'Mails of cron about commands that printed something. A warning ends 25 hours after the last mail.',
  'recipe.cron-mail.setup': 'Add this line at the beginning of the crontab.',
  'recipe.netdata.about': 'Alerts of Netdata agents, through a custom notification.',
  'recipe.netdata.setup':
    'Add this at the end of health_alarm_notify.conf. So that Netdata also reports the end of alerts whose definition you changed, run "systemctl edit netdata", add Environment=clear_alarm_always=YES under [Service], and restart Netdata.',
  'recipe.uptime-kuma.about': 'Monitors of Uptime Kuma.',
  'recipe.uptime-kuma.setup': 'Create a notification of type Webhook with these values.',
  'recipe.anything.about': 'Scripts and programs that can send JSON with a name and a status.',
  'recipe.anything.setup': 'Send a message like this one.',
} as const;
