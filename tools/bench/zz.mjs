import { startServer, makeAlertPath } from './lab.mjs';
import { load, settled } from './intake.mjs';
const server = await startServer({ env: { YAGURA_SLOT_RATE: '0', ...(process.argv[2] ? {NODE_OPTIONS: "--import /tmp/lead/s12/prof.mjs", PROF_DIR: process.argv[2]} : {}) } });
const path = await makeAlertPath(server);
let n=0;
for (const r of ['a','b','c','d']) { const begun=performance.now(); const x = await load({ url: path.receiveUrl, prefix: r, requests: 5000, list: false, expect: 202 }); n+=5000; await settled(server, path, n); console.log(r, x.perSecond.toFixed(0), x.p50.toFixed(1), x.p99.toFixed(1), 'decided', (5000/((performance.now()-begun)/1000)).toFixed(0)); }
console.log(server.log().split('\n').slice(-30).join('\n'));await server.stop(); process.exit(0);
