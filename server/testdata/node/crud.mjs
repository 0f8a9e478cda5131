// Creates, reads, updates, watches and deletes widgets, and prints a line for each step.
import * as k8s from '@kubernetes/client-node';

const config = new k8s.KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(k8s.CustomObjectsApi);
const widgets = { group: 'example.com', version: 'v1', namespace: 'default', plural: 'widgets' };
const widget = (name, spec) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec });

const made = await api.createNamespacedCustomObject({ ...widgets, body: widget('a', {}) });
console.log('created', made.spec.size);

await api.createNamespacedCustomObject({ ...widgets, body: widget('b', { size: 11 }) })
  .catch((e) => console.log('rejected', e.code));

made.spec.size = 4;
const replaced = await api.replaceNamespacedCustomObject({ ...widgets, name: 'a', body: made });
console.log('replaced', replaced.spec.size);

const patched = await api.patchNamespacedCustomObject(
  { ...widgets, name: 'a', body: { spec: { size: 5 } } },
  k8s.setHeaderOptions('Content-Type', k8s.PatchStrategy.MergePatch),
);
console.log('patched', patched.spec.size);

const list = await api.listNamespacedCustomObject(widgets);
console.log('listed', list.items.length);

const seen = await new Promise((resolve, reject) => {
  new k8s.Watch(config).watch(
    '/apis/example.com/v1/namespaces/default/widgets', {},
    (phase) => resolve(phase), (err) => err && reject(err),
  );
});
console.log('watched', seen);

await api.deleteNamespacedCustomObject({ ...widgets, name: 'a' });
await api.getNamespacedCustomObject({ ...widgets, name: 'a' }).catch((e) => console.log('deleted', e.code));
process.exit(0);
