/**
 * The last major version of an action that was made for a runtime the platform has since taken away (Node 12 and 16),
 * as their own `action.yml` declares. The runner starts them with a newer one, for which they were never tested.
 */
export const lastOnRetiredRuntime: Readonly<Record<string, number>> = {
  'actions/cache': 3,
  'actions/checkout': 3,
  'actions/configure-pages': 3,
  'actions/create-release': 1,
  'actions/deploy-pages': 2,
  'actions/download-artifact': 3,
  'actions/github-script': 6,
  'actions/labeler': 4,
  'actions/setup-dotnet': 3,
  'actions/setup-go': 4,
  'actions/setup-java': 3,
  'actions/setup-node': 3,
  'actions/setup-python': 4,
  'actions/stale': 8,
  'actions/upload-artifact': 3,
  'actions/upload-release-asset': 1,
  'aws-actions/amazon-ecr-login': 1,
  'aws-actions/configure-aws-credentials': 3,
  'codecov/codecov-action': 3,
  'docker/build-push-action': 4,
  'docker/login-action': 2,
  'docker/metadata-action': 4,
  'docker/setup-buildx-action': 2,
  'docker/setup-qemu-action': 2,
  'github/codeql-action/analyze': 2,
  'github/codeql-action/autobuild': 2,
  'github/codeql-action/init': 2,
  'github/codeql-action/upload-sarif': 2,
  'golangci/golangci-lint-action': 3,
  'peaceiris/actions-gh-pages': 3,
  'peter-evans/create-pull-request': 5,
  'pnpm/action-setup': 2,
  'softprops/action-gh-release': 1,
};

/** When the platform took the last of these runtimes away. */
export const runtimeRetiredOn = '2024-11-12';
