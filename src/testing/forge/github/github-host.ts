// GitHub under an address of its own, as Enterprise has it.
import type { Host, HostSetup } from '../host/host.js';
import { type Answer, type Exchange, findRoute } from '../host/request.js';
import { bodies } from './bodies.js';
import { checkRoutes } from './check-routes.js';
import { commentRoutes } from './comment-routes.js';
import { answerGraphql } from './graphql.js';
import { restJudge } from './judge-rest.js';
import { pullRoutes, type RestSetup } from './pull-routes.js';
import { invalidRequest, notFound, refusal } from './refusals.js';
import { webhookEvent } from './webhook-event.js';

const apiPath = '/api';

export function githubHost(base: HostSetup): Host {
  const { world, url } = base;
  const api = `${url}${apiPath}/v3`;
  const setup: RestSetup = { ...base, api, bodies: bodies(world, { url, api }) };
  const routes = [...pullRoutes(setup), ...commentRoutes(setup), ...checkRoutes(setup)];
  const isOurs = ({ owner = world.owner, name = world.name }: Readonly<Record<string, string>>) =>
    `${owner}/${name}`.toLowerCase() === `${world.owner}/${world.name}`.toLowerCase();

  const rest = async (exchange: Exchange): Promise<Answer> => {
    const found = findRoute(routes, exchange);
    if (found === undefined) return refusal(501, 'The loopback forge has no such call.');
    const { route, parameters } = found;
    if (!isOurs(parameters) || !exchange.account.rights.includes('read')) return notFound();
    const mustSend = exchange.method === 'POST' || exchange.method === 'PATCH';
    if (mustSend && (typeof exchange.body !== 'object' || exchange.body === null))
      return refusal(400, 'Problems parsing JSON');
    const judge = await restJudge();
    const operation = `${exchange.method} ${route.path.replaceAll(/\{\w+\}/g, '{}')}`;
    const wrong = judge.request(operation, exchange.body);
    const answer =
      route.refuse?.(exchange) ??
      (wrong === undefined ? await route.run(exchange, parameters) : invalidRequest(wrong));
    const defect = judge.answer(operation, answer.status, answer.body);
    if (defect !== undefined) base.defect(`${operation}: ${defect}`);
    return answer;
  };

  return {
    apiPath,
    async answer(exchange) {
      if (exchange.header('user-agent') === '')
        return refusal(403, 'Request forbidden by administrative rules.');
      const answer =
        exchange.path === '/graphql' && exchange.method === 'POST'
          ? await answerGraphql(base, exchange)
          : exchange.path.startsWith('/v3/')
            ? await rest({ ...exchange, path: exchange.path.slice('/v3'.length) })
            : notFound();
      const quota = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4900' };
      return { ...answer, headers: { ...quota, ...answer.headers } };
    },
    unauthorized: (kind) => refusal(401, kind === 'nobody' ? 'Requires authentication' : 'Bad credentials'),
    failure: (status, message) => refusal(status, message),
    event: (asked) => webhookEvent(world, setup.bodies, asked),
    environment: (token) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_SERVER_URL: url,
      GITHUB_API_URL: api,
      GITHUB_GRAPHQL_URL: `${url}${apiPath}/graphql`,
      GITHUB_REPOSITORY: `${world.owner}/${world.name}`,
      GITHUB_TOKEN: token,
      // For programs that are not told of the workflow.
      GH_HOST: url,
      GH_ENTERPRISE_TOKEN: token,
    }),
  };
}
