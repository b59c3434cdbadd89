import type { Env } from './env.ts';

type Host = Pick<Env, 'CODEHOST_WEB_URL'>;

/** The host of the platform, as people call it: `GitHub` for its own, else the host itself. */
export function hostName({ CODEHOST_WEB_URL }: Host): string {
  const { host } = new URL(CODEHOST_WEB_URL);
  return host === 'github.com' ? 'GitHub' : host;
}

/** A sentence about GitHub, with the name of the host in its place. Products of GitHub and names of headers stay. */
export const nameHost = (sentence: string, env: Host): string => sentence.replace(aboutHost, () => hostName(env));

const aboutHost = /(?<![\w/-])GitHub(?![\w-]| (?:Actions|App|Enterprise)\b)/g;
