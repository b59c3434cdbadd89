const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host name is this machine itself, by its form alone. */
export const isLoopback = (hostname: string): boolean => loopback.test(hostname);
