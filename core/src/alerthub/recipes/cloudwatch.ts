import { equals, nameFrom, type Recipe } from './recipe.ts';

/** https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
export const cloudwatch: Recipe = {
  name: 'cloudwatch',
  product: 'Amazon CloudWatch (SNS)',
  slot: { kind: 'webhook', confirmSubscriptions: true },
  forEach: null,
  severityName: 'name',
  // Accounts and regions may have alarms of the same name.
  fingerprint: 'alarm.AlarmArn',
  steps: [
    equals('message.content.data.Type', 'Notification'),
    {
      operatorId: 'json-parse',
      params: { source: 'message.content.data.Message', destination: 'alarm' },
    },
    nameFrom('alarm.AlarmName'),
  ],
  rules: {
    incident: [equals('alarm.NewStateValue', 'ALARM')],
    normal: [equals('alarm.NewStateValue', 'OK')],
  },
  recoveryTime: null,
  snippet: `aws sns subscribe --topic-arn "$TOPIC_ARN" --protocol https \\
  --notification-endpoint '{{url}}'
`,
};
