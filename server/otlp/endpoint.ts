/** The address that traces are posted to: the endpoint with the path of the protocol, or as it is where it has that. */
export function tracesUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(tracesPath) ? path : `${path}${tracesPath}`;
  return url;
}

const tracesPath = '/v1/traces';
