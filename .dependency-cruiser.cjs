// Import directions of the house: core knows nobody, the faces and the server do not know one another, no cycles anywhere.
const apps = 'space|contract|tasks|ksocket|kroker|greac|pigeon|sonar|alerthub|devtool';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-knows-nobody',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(server|web|cli|agent|fixtures)/' },
    },
    {
      name: 'core-is-framework-free',
      severity: 'error',
      from: { path: '^core/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/(react|ink|fastify|undici|@remix-run)/' },
    },
    {
      name: 'core-has-no-node',
      severity: 'error',
      from: { path: '^core/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'faces-and-server-apart',
      severity: 'error',
      from: { path: '^(server|web|cli|agent)/', pathNot: '\\.test\\.tsx?$|/test/' },
      to: { path: '^(server|web|cli|agent|fixtures)/', pathNot: '^$1/' },
    },
    {
      name: 'app-rooms-apart',
      comment: "a reference to another app's resource is its name, resolved through core's list",
      severity: 'error',
      from: { path: `^([a-z]+)/(?:src|app)/(${apps})/`, pathNot: '\\.test\\.tsx?$' },
      to: {
        path: `^$1/(?:src|app)/(?:${apps})/`,
        // Credentials and the streams of sessions are encrypted to the same key, and sessions fail for the private keys in
        // credentials.
        pathNot: [`^$1/(?:src|app)/$2/`, '^core/src/kroker/(public-key|kroker-jwe|private-key-fault)\\.ts$'],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
