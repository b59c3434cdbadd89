import net from 'node:net';

const usual = 3000;
const triedPorts = 50;

/**
 * The port to listen on. One that was requested is taken or rejected with a message; the default one gives way to the
 * next free one, which is printed.
 */
export async function choosePort(requested, host, print) {
  if (requested) return requireFree(requested, host);
  for (let port = usual; port < usual + triedPorts; port++) {
    if (await isTaken(port, host)) continue;
    if (port !== usual)
      print(`Port ${usual} is in use by another program, so this uses ${port}. PORT chooses another.`);
    return port;
  }
  throw new Error(`the ports ${usual} to ${usual + triedPorts - 1} are all in use; choose a free one with PORT.`);
}

async function requireFree(requested, host) {
  const port = Number(requested);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('PORT must be a whole number from 1 to 65535.');
  const problem = await bindingProblem(port, host);
  if (problem) throw new Error(portProblems[problem]?.(port, host) ?? `cannot listen on ${host}:${port} (${problem}).`);
  return port;
}

const portProblems = {
  EADDRINUSE: (port) => `port ${port} (PORT) is in use by another program; stop that one or choose another port.`,
  EACCES: (port) => `this user may not listen on port ${port} (PORT); choose one above 1023.`,
  EADDRNOTAVAIL: (_port, host) => `${host} (HOST) is not an address of this machine.`,
  ENOTFOUND: (_port, host) => `${host} (HOST) is not an address of this machine.`,
};

/** On all addresses, a program on IPv6 loopback alone counts too: `localhost` would lead to it. */
async function isTaken(port, host) {
  const problem = await bindingProblem(port, host);
  if (problem && problem !== 'EADDRINUSE' && problem !== 'EACCES')
    throw new Error(portProblems[problem]?.(port, host) ?? problem);
  return Boolean(problem) || (host === '0.0.0.0' && (await bindingProblem(port, '::1')) === 'EADDRINUSE');
}

const bindingProblem = (port, host) =>
  new Promise((resolve) => {
    const probe = net.createServer();
    probe.once('error', (error) => resolve(error.code));
    probe.listen({ port, host }, () => probe.close(() => resolve(undefined)));
  });
