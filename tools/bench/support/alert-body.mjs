// The body that both sides get: an alert in Alertmanager's form, with the two members that our rule and action read.

/** About 400 bytes; Alertmanager wants a list of one. */
export function alertBody(title, { list }) {
  const body = JSON.stringify({
    title,
    level: 'critical',
    labels: {
      alertname: 'DiskFull',
      instance: title,
      job: 'node',
      severity: 'critical',
      datacenter: 'tokyo-1',
    },
    annotations: {
      summary: `The file system /var of ${title} is 97 % full`,
      description: 'Less than 3 % of the file system has been free for more than five minutes.',
    },
    generatorURL: 'http://prometheus.example/graph?g0.expr=node_filesystem_avail_bytes',
  });
  return list ? `[${body}]` : body;
}
