// The files for Compose and Kubernetes hold for this program, as far as that can be seen without a cluster.
// The fields are those of https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.34/ (StatefulSet apps/v1, PodDisruptionBudget policy/v1,
// Service, ConfigMap and Secret v1) and of https://github.com/compose-spec/compose-spec/blob/main/schema/compose-spec.json, so far as they
// are used here: an unknown one, or one in the wrong place, is refused.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { configSchema } from '#app/config/schema.ts';
import { postgresAddress } from '#base/postgres/address.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folder = 'deploy/kubernetes';

const labels = z.record(z.string().regex(/^[a-z0-9./-]{1,253}$/), z.string().max(63));
/** RFC 1123, as names of objects are. */
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
const metadata = z.strictObject({ name, labels: labels.optional() });
const selector = z.strictObject({ matchLabels: labels });
const quantity = z.string().regex(/^\d+(m|Ki|Mi|Gi|Ti)?$/);
const seconds = z.int().min(1);
const probe = z.strictObject({
  exec: z.strictObject({ command: z.array(z.string()).min(1) }),
  periodSeconds: seconds,
  timeoutSeconds: seconds,
  failureThreshold: seconds,
});
const container = z.strictObject({
  name,
  image: z.string(),
  env: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  envFrom: z.array(z.strictObject({ secretRef: z.strictObject({ name }) })),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  volumeMounts: z.array(
    z.strictObject({ name, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }),
  ),
});
const volume = z.union([
  z.strictObject({ name, emptyDir: z.strictObject({}) }),
  z.strictObject({ name, configMap: z.strictObject({ name }) }),
  z.strictObject({ name, secret: z.strictObject({ secretName: name, defaultMode: z.literal(0o440) }) }),
]);
const pod = z.strictObject({
  terminationGracePeriodSeconds: seconds,
  automountServiceAccountToken: z.literal(false),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().min(1),
    runAsGroup: z.int().min(1),
    fsGroup: z.int().min(1),
    fsGroupChangePolicy: z.enum(['OnRootMismatch', 'Always']),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: z.int().min(1),
      topologyKey: z.string(),
      whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: selector,
    }),
  ),
  containers: z.tuple([container]),
  volumes: z.array(volume),
});
const statefulSet = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('StatefulSet'),
  metadata,
  spec: z.strictObject({
    serviceName: name,
    replicas: z.int().min(2),
    podManagementPolicy: z.enum(['OrderedReady', 'Parallel']),
    selector,
    template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
    volumeClaimTemplates: z.array(
      z.strictObject({
        metadata: z.strictObject({ name }),
        spec: z.strictObject({
          accessModes: z.array(z.enum(['ReadWriteOnce', 'ReadWriteOncePod'])),
          resources: z.strictObject({ requests: z.strictObject({ storage: quantity }) }),
        }),
      }),
    ),
  }),
});
const disruptionBudget = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({
    minAvailable: z.int().min(1),
    unhealthyPodEvictionPolicy: z.enum(['IfHealthyBudget', 'AlwaysAllow']),
    selector,
  }),
});
const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    clusterIP: z.literal('None'),
    selector: labels,
    ports: z.array(z.strictObject({ name, port: z.int().max(65_535) })),
  }),
});
const configMap = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata,
  data: z.record(z.string(), z.string()),
});
const secret = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata,
  type: z.literal('Opaque'),
  stringData: z.record(z.string(), z.string()),
});
const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  resources: z.array(z.string()),
});

/** All objects in a file; YAML itself is read strictly, without a key that comes twice. */
function documents(file: string): unknown[] {
  return parseAllDocuments(read(`${folder}/${file}`), { uniqueKeys: true, strict: true }).map((each) => {
    assert.deepEqual(each.errors, []);
    return each.toJS();
  });
}
const one = <T>(schema: z.ZodType<T>, file: string): T => schema.parse(documents(file)[0]);
const secrets = () => documents('secrets.example.yaml').map((each) => secret.parse(each));

test('two pods have a volume each, the same labels everywhere, and one stays while nodes are emptied', () => {
  const { spec, metadata: of } = one(statefulSet, 'stateful-set.yaml');
  const budget = one(disruptionBudget, 'disruption-budget.yaml');
  const gives = one(service, 'service.yaml');
  assert.equal(spec.serviceName, gives.metadata.name);
  for (const its of [
    spec.selector.matchLabels,
    spec.template.metadata.labels,
    budget.spec.selector.matchLabels,
    gives.spec.selector,
    of.labels,
  ])
    assert.deepEqual(its, { 'app.kubernetes.io/name': 'parley' });
  assert.ok(budget.spec.minAvailable < spec.replicas, 'a node can be emptied at all');
  const [pod] = spec.template.spec.containers;
  const mounted = pod.volumeMounts.map((each) => each.name).sort();
  const volumes = [...spec.template.spec.volumes, ...spec.volumeClaimTemplates.map((each) => each.metadata)];
  assert.deepEqual(mounted, volumes.map((each) => each.name).sort());
  const home = pod.env.find((each) => each.name === 'PARLEY_HOME')?.value ?? '';
  assert.match(home, /^\/data\/./, 'a folder that Parley makes, and closes to others');
  const longest = configSchema.parse({}).gateway.shutdownSeconds;
  assert.ok(spec.template.spec.terminationGracePeriodSeconds > longest + 5, 'what runs may end first');
  const user = /chown node:node/.test(read('deploy/Dockerfile')) ? 1000 : 0;
  assert.equal(spec.template.spec.securityContext.runAsUser, user);
});

test('the probes call the health check of the image, and only the one for readiness asks for more than life', () => {
  const [pod] = one(statefulSet, 'stateful-set.yaml').spec.template.spec.containers;
  const inImage = /COPY deploy\/healthcheck\.js \.\/deploy\/healthcheck\.js/;
  assert.match(read('deploy/Dockerfile'), inImage);
  const alive = ['node', '/parley/deploy/healthcheck.js'];
  assert.deepEqual(pod.startupProbe.exec.command, alive);
  assert.deepEqual(pod.livenessProbe.exec.command, alive);
  assert.deepEqual(pod.readinessProbe.exec.command, [...alive, '--ready']);
  const { startupProbe: start } = pod;
  assert.ok(start.periodSeconds * start.failureThreshold >= 120, 'a large home is brought to a new version');
});

test('the config of the pods is one that Parley reads, the secrets that they name exist, and no secret is in a file', () => {
  const { data, metadata: of } = one(configMap, 'config.yaml');
  const { spec } = one(statefulSet, 'stateful-set.yaml').spec.template;
  const { storage } = configSchema.parse(JSON.parse(data['parley.config.json'] ?? ''));
  assert.equal(postgresAddress({ url: String(storage.url) }).tls, 'verify-full');
  assert.equal(postgresAddress({ url: String(storage.url) }).password, undefined);
  const given = secrets();
  const mounts = spec.volumes.flatMap((each) => ('secret' in each ? [each.secret.secretName] : []));
  const [pod] = spec.containers;
  assert.deepEqual(
    [...pod.envFrom.map((each) => each.secretRef.name), ...mounts].sort(),
    given.map((each) => each.metadata.name).sort(),
  );
  const database = given.find((each) => each.metadata.name === mounts[0])?.stringData ?? {};
  const at = pod.volumeMounts.find((each) => each.name === 'database')?.mountPath;
  assert.deepEqual(
    [storage.passwordFile, storage.caFile],
    Object.keys(database).map((key) => `${at}/${key}`),
  );
  assert.deepEqual([...new Set(given.flatMap(({ stringData }) => Object.values(stringData)))], ['']);
  const configs = spec.volumes.flatMap((each) => ('configMap' in each ? [each.configMap.name] : []));
  assert.deepEqual(configs, [of.name]);
});

test('everything but the secrets is applied together', (t) => {
  const { resources } = one(kustomization, 'kustomization.yaml');
  const there = readdirSync(join(root, folder)).filter(
    (file) => !['kustomization.yaml', 'secrets.example.yaml'].includes(file),
  );
  assert.deepEqual([...resources].sort(), there.sort());
  const built = spawnSync('kubectl', ['kustomize', join(root, folder)], { encoding: 'utf8' });
  if (built.error !== undefined) {
    t.skip('kubectl is not here: its own reading of these files is left out');
    return;
  }
  assert.deepEqual([built.status, built.stderr], [0, '']);
  assert.equal(parseAllDocuments(built.stdout).length, resources.length);
});

const composed = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }),
  restart: z.literal('unless-stopped'),
  env_file: z.string(),
  environment: z.record(z.string(), z.string()),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })),
  stop_grace_period: z.string().regex(/^\d+s$/),
  read_only: z.literal(true),
  tmpfs: z.literal('/tmp'),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  hostname: z.string(),
  volumes: z.array(z.string()),
});
const databaseService = z.strictObject({
  image: z.string().regex(/^postgres:(\d+)/),
  restart: z.literal('unless-stopped'),
  environment: z.record(z.string(), z.string()),
  volumes: z.array(z.string()),
  healthcheck: z.strictObject({
    test: z.array(z.string()),
    interval: z.string(),
    timeout: z.string(),
    retries: z.int(),
  }),
  stop_grace_period: z.string(),
});
const compose = z.strictObject({
  name,
  'x-instance': z.unknown(),
  services: z.strictObject({ one: composed, two: composed, database: databaseService }),
  volumes: z.record(z.string(), z.null()),
});

test('Compose starts two instances of the image with a home each, on one database that is UTF8 and has a password of their own', () => {
  const { services, volumes } = compose.parse(parse(read('deploy/compose.yaml'), { merge: true }));
  const { one: first, two: second, database } = services;
  assert.notEqual(first.hostname, second.hostname);
  const homes = [first, second].map((each) => each.volumes.find((line) => line.endsWith(':/data')));
  assert.equal(new Set(homes).size, 2);
  for (const each of [first, second]) {
    const {
      tls,
      host,
      user,
      database: db,
      password,
    } = postgresAddress({ url: each.environment.DATABASE_URL ?? '' });
    assert.deepEqual([tls, host, password], ['disable', 'database', undefined]);
    assert.deepEqual([user, db], [database.environment.POSTGRES_USER, database.environment.POSTGRES_DB]);
    assert.equal(each.environment.PGPASSWORD, database.environment.POSTGRES_PASSWORD);
    assert.match(each.environment.PGPASSWORD ?? '', /^\$\{PGPASSWORD:\?/, 'none is made up');
    assert.ok(existsSync(join(root, 'deploy', each.build.context, each.build.dockerfile)));
    assert.ok(
      Number.parseInt(each.stop_grace_period, 10) > configSchema.parse({}).gateway.shutdownSeconds + 5,
    );
  }
  const used = [first, second, database].flatMap((each) => each.volumes.map((line) => line.split(':')[0]));
  assert.deepEqual(used.filter((volume) => !volume?.startsWith('..')).sort(), Object.keys(volumes).sort());
  assert.ok(Number(/:(\d+)/.exec(database.image)?.[1]) >= 14, 'a version that Parley runs on');
  assert.match(database.environment.POSTGRES_INITDB_ARGS ?? '', /--encoding=UTF8/);
});
