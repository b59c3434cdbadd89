import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

export default [
  route('api/*', 'routes/api.ts', { caseSensitive: true }),
  route('theme', 'routes/theme.ts'),
  layout('routes/frame.tsx', [
    index('routes/home.tsx'),
    route('setup', 'routes/setup.tsx'),
    route('sign-out', 'routes/sign-out.ts'),
    route('repos/:owner/:repo', 'routes/repo/overview.tsx'),
    route('repos/:owner/:repo/workflows/:workflowId', 'routes/repo/workflow.tsx'),
    route('reports', 'routes/reports.tsx'),
    route('demo', 'routes/home.tsx', { id: 'demo' }),
    route('demo/repos/:owner/:repo', 'routes/repo/overview.tsx', { id: 'demo-repository' }),
    route('demo/repos/:owner/:repo/workflows/:workflowId', 'routes/repo/workflow.tsx', { id: 'demo-workflow' }),
    route('docs', 'routes/docs/index.tsx'),
    route('docs/api', 'routes/docs/api-reference.tsx'),
    route('*', 'routes/not-found.tsx'),
  ]),
] satisfies RouteConfig;
