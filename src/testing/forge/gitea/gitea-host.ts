// Gitea, and Forgejo, which speaks the same: one repository, under the address of its API.
import type { Host, HostSetup } from '../host/host.js';
import { findRoute } from '../host/request.js';
import { narrowScope, notFound, refusal } from './refusals.js';
import { giteaRoutes } from './routes.js';

const apiPath = '/api/v1';

export function giteaHost(setup: HostSetup): Host {
  const { world, url } = setup;
  const fullName = `${world.owner}/${world.name}`;
  const routes = giteaRoutes(setup);
  return {
    apiPath,
    async answer(exchange) {
      const found = findRoute(routes, exchange);
      if (found === undefined) return refusal(501, 'The loopback forge has no such call.');
      const { owner, name } = found.parameters;
      if (owner !== undefined && `${owner}/${name}`.toLowerCase() !== fullName.toLowerCase())
        return notFound();
      if (!exchange.account.rights.includes('read')) return narrowScope('read:repository');
      return await found.route.run(exchange, found.parameters);
    },
    unauthorized: () => refusal(401, 'invalid username, password or token'),
    failure: refusal,
    environment: (token) => ({
      GITEA_ACTIONS: 'true',
      GITHUB_SERVER_URL: url,
      GITHUB_REPOSITORY: fullName,
      GITEA_URL: url,
      GITEA_TOKEN: token,
    }),
  };
}
