// Where an operation lives: context:budget:get is /v1/context/budget/get.

export function operationPath(id: string): string {
  return `/v1/${id.replaceAll(':', '/')}`;
}
