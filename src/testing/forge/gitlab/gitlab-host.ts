// GitLab: one project, under the address of its API.
import type { Host, HostSetup } from '../host/host.js';
import { findRoute } from '../host/request.js';
import { bodies, projectId } from './bodies.js';
import { type ApiSetup, mergeRequestRoutes } from './merge-request-routes.js';
import { noteRoutes } from './note-routes.js';
import { narrowScope, notFound, refusal } from './refusals.js';

const apiPath = '/api/v4';

export function gitlabHost(base: HostSetup): Host {
  const { world, url } = base;
  const fullName = `${world.owner}/${world.name}`;
  const setup: ApiSetup = { ...base, api: `${url}${apiPath}`, bodies: bodies(world, url) };
  const routes = [...mergeRequestRoutes(setup), ...noteRoutes(setup)];
  return {
    apiPath,
    async answer(exchange) {
      const found = findRoute(routes, exchange);
      if (found === undefined) return refusal(501, 'The loopback forge has no such call.');
      const { project } = found.parameters;
      if (
        project !== undefined &&
        project.toLowerCase() !== fullName.toLowerCase() &&
        project !== String(projectId)
      )
        return notFound('Project');
      if (!exchange.account.rights.includes('read')) return narrowScope('read_api');
      return await found.route.run(exchange, found.parameters);
    },
    unauthorized: (kind) =>
      kind === 'nobody'
        ? refusal(401, '401 Unauthorized')
        : {
            status: 401,
            body: { error: 'invalid_token', error_description: 'Token is expired.' },
          },
    failure: (status, message) => refusal(status, `${status} ${message}`),
    environment: (token) => ({
      GITLAB_CI: 'true',
      CI_SERVER_URL: url,
      CI_API_V4_URL: `${url}${apiPath}`,
      CI_PROJECT_PATH: fullName,
      GITLAB_HOST: url,
      GITLAB_TOKEN: token,
    }),
  };
}
