import {
  type Image,
  type Job,
  type Permissions,
  readSettings,
  type Step,
  settingsIn,
  type Trigger,
  textIn,
  valueIn,
  type Workflow,
} from './workflow.ts';
import { isNothing, readYaml, type YamlMap, type YamlNode, type YamlScalar } from './yaml.ts';

/** Reads a workflow file. Never throws. */
export function readWorkflow(path: string, text: string): Workflow {
  const { root: node, problems } = readYaml(text);
  const root = node?.kind === 'map' ? node : null;
  const isOther = node !== null && root === null;
  return {
    path,
    text,
    root,
    problems: isOther ? [...problems, { offset: node.offset, message: 'not a map of keys' }] : problems,
    name: textIn(root, 'name')?.value ?? null,
    triggers: readTriggers(valueIn(root, 'on')),
    permissions: readPermissions(root),
    env: settingsIn(root, 'env'),
    concurrency: valueIn(root, 'concurrency'),
    jobs: settingsIn(root, 'jobs').flatMap(({ key, value }) => (value.kind === 'map' ? [readJob(key, value)] : [])),
  };
}

function listScalars(node: YamlNode | null): YamlScalar[] {
  if (node?.kind === 'scalar') return [node];
  return node?.kind === 'list' ? node.items.filter((item) => item.kind === 'scalar') : [];
}

function readTriggers(node: YamlNode | null): Trigger[] {
  const named = listScalars(node).map(({ value, offset }) => ({ event: value.toLowerCase(), offset, filter: null }));
  const mapped = readSettings(node).map(({ key, value }) => ({
    event: key.value.toLowerCase(),
    offset: key.offset,
    filter: value.kind === 'map' ? value : null,
  }));
  const byEvent = new Map([...named, ...mapped].toReversed().map((trigger) => [trigger.event, trigger]));
  return [...byEvent.values()].toReversed().slice(0, maxTriggers);
}

/** Far more than the events that the platform has; it rejects a file that names others. */
const maxTriggers = 200;

function readPermissions(owner: YamlMap | null): Permissions | null {
  const { key, value } = owner?.entries.find((one) => one.key.value === 'permissions') ?? {};
  if (!key || !value) return null;
  return {
    offset: key.offset,
    all: value.kind === 'scalar' && !isNothing(value) ? value.value : null,
    scopes: readSettings(value),
  };
}

function readJob(key: YamlScalar, node: YamlMap): Job {
  const runsOn = valueIn(node, 'runs-on');
  const steps = valueIn(node, 'steps');
  const secrets = valueIn(node, 'secrets');
  const strategy = valueIn(node, 'strategy');
  return {
    id: key.value,
    offset: key.offset,
    node,
    name: textIn(node, 'name')?.value ?? null,
    condition: textIn(node, 'if'),
    runsOn: listScalars(runsOn?.kind === 'map' ? valueIn(runsOn, 'labels') : runsOn),
    permissions: readPermissions(node),
    env: settingsIn(node, 'env'),
    outputs: settingsIn(node, 'outputs'),
    environment: valueIn(node, 'environment'),
    concurrency: valueIn(node, 'concurrency'),
    container: readImage(valueIn(node, 'container')),
    services: settingsIn(node, 'services').flatMap(({ value }) => readImage(value) ?? []),
    timeout: valueIn(node, 'timeout-minutes'),
    strategy: strategy?.kind === 'map' ? strategy : null,
    steps: inOrder(steps).flatMap((item, index) => readStep(item, index + 1)),
    uses: textIn(node, 'uses'),
    with: settingsIn(node, 'with'),
    secrets: { all: secrets?.kind === 'scalar' ? secrets : null, given: readSettings(secrets) },
  };
}

function readImage(node: YamlNode | null): Image | null {
  if (node === null) return null;
  return {
    image: node.kind === 'scalar' ? node : textIn(node, 'image'),
    settings: readSettings(node),
    credentials: settingsIn(node, 'credentials'),
    env: settingsIn(node, 'env'),
  };
}

/** Steps as they are written, those of a `parallel` group one by one. */
const inOrder = (steps: YamlNode | null): YamlNode[] =>
  (steps?.kind === 'list' ? steps.items : []).flatMap((item) => {
    const group = valueIn(item, 'parallel');
    return group?.kind === 'list' ? group.items : [item];
  });

function readStep(node: YamlNode, number: number): Step[] {
  if (node.kind !== 'map') return [];
  const [uses, run] = [textIn(node, 'uses'), textIn(node, 'run')];
  const firstLine = run?.value.trim().split('\n')[0]?.slice(0, 80);
  return [
    {
      number,
      offset: node.offset,
      node,
      uses,
      run,
      title: textIn(node, 'name')?.value ?? uses?.value ?? firstLine ?? `step ${number}`,
      id: textIn(node, 'id')?.value ?? null,
      condition: textIn(node, 'if'),
      shell: textIn(node, 'shell'),
      with: settingsIn(node, 'with'),
      env: settingsIn(node, 'env'),
    },
  ];
}
